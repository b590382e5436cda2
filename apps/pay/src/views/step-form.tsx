import type { ReactNode } from "react";
import { NoWrapAmounts, useLocalization } from "./localization";

export type StepFormProps = {
  token: string;
  step: string;
  formToken: string;
  className?: string;
  /** Target path. Default: the step's path on the order's page. */
  at?: string;
  children: ReactNode;
};

/** Renders a form for one checkout step. The script submits the form only once, but the API does not rely on that. */
export function StepForm({ token, step, formToken, className, at, children }: StepFormProps): ReactNode {
  return (
    <form method="post" action={at ?? `/pay/${token}/${step}`} className={className} data-once="">
      <input type="hidden" name="form_token" value={formToken} />
      {children}
    </form>
  );
}

export type StepButtonProps = {
  testId: string;
  kind: "main" | "quiet" | "danger" | "plain";
  label: string;
  /** Button text while the form is being sent. */
  busy: string;
};

export function StepButton({ testId, kind, label, busy }: StepButtonProps): ReactNode {
  return (
    <button type="submit" className={`button ${kind}`} data-testid={testId} data-busy={busy}>
      <span>
        <NoWrapAmounts>{label}</NoWrapAmounts>
      </span>
    </button>
  );
}

export type TestButtonsProps = {
  token: string;
  formToken: string;
  /** Returns the target path of a step. Default: the step's path on the order's page. */
  addressOf?: (step: string) => string;
};

export function TestButtons({ token, formToken, addressOf }: TestButtonsProps): ReactNode {
  const { texts } = useLocalization();
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
