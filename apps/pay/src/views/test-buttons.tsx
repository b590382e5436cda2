import type { ReactNode } from "react";
import { StepButton, StepForm } from "./step-form";
import { useWords } from "./use-words";

export type TestButtonsProps = {
  token: string;
  formToken: string;
  /** The address of each step, if not that of the page. */
  addressOf?: (step: string) => string;
};

/** Pays an order of the sandbox from its test shopper, or refuses the payment. */
export function TestButtons({ token, formToken, addressOf }: TestButtonsProps): ReactNode {
  const { texts } = useWords();
  const sent = (step: string) => (addressOf ? { at: addressOf(step) } : {});
  return (
    <section className="test" aria-labelledby="test-title">
      <h2 id="test-title">{texts.sandbox.title}</h2>
      <p>{texts.sandbox.explanation}</p>
      <div className="pair">
        <StepForm token={token} step="sandbox-approve" formToken={formToken} {...sent("sandbox-approve")}>
          <StepButton
            testId="pay-approve"
            kind="quiet"
            label={texts.sandbox.approve}
            busy={texts.sandbox.approveBusy}
          />
        </StepForm>
        <StepForm token={token} step="sandbox-decline" formToken={formToken} {...sent("sandbox-decline")}>
          <StepButton
            testId="pay-decline"
            kind="quiet"
            label={texts.sandbox.decline}
            busy={texts.sandbox.declineBusy}
          />
        </StepForm>
      </div>
    </section>
  );
}
