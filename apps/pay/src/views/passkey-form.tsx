import type { ReactNode } from "react";
import { PasskeyInput } from "./passkey-input";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { useWords } from "./use-words";

type PasskeyFormProps = Pick<OrderScreen, "token" | "view"> & {
  /** What is taken, formatted. */
  amount: string;
  /** Who or what pays. */
  children: ReactNode;
};

/** Confirms a payment by the device's passkey. */
export function PasskeyForm({ token, view, amount, children }: PasskeyFormProps): ReactNode {
  const { texts, fill } = useWords();
  return (
    <div className="with-script">
      <StepForm token={token} step="pay" formToken={view.form_token} className="fields">
        {children}
        <PasskeyInput
          name="passkey"
          use="get"
          from={`/pay/${token}/passkey/start`}
          failed={texts.passkey.notUsed}
          unknown={texts.passkey.noSupport}
        />
        <StepButton
          testId="pay-by-passkey"
          kind="main"
          label={fill(texts.passkey.pay, { amount })}
          busy={texts.wallet.busy}
        />
      </StepForm>
    </div>
  );
}
