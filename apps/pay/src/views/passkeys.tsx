import type { ReactNode } from "react";
import { useLocalization } from "./localization";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";

export type PasskeyInputProps = {
  name: string;
  /** `get` signs with a passkey, `create` creates a passkey. */
  use: "get" | "create";
  challengeAddress: string;
  failed: string;
  known?: string;
  unknown: string;
};

/** Renders a hidden field that the passkey script fills with the browser's result before the form is sent. */
function PasskeyInput({ name, use, challengeAddress, failed, known, unknown }: PasskeyInputProps): ReactNode {
  return (
    <>
      <input
        type="hidden"
        name={name}
        data-passkey={use}
        data-from={challengeAddress}
        data-script={`/assets/passkey.js?v=${process.env.ASSET_VERSION}`}
        data-failed={failed}
        data-known={known}
        data-unknown={unknown}
      />
      <p className="notice" role="alert" data-testid="pay-passkey-error" data-passkey-error="" hidden />
    </>
  );
}

type PasskeyFormProps = Pick<OrderScreen, "token" | "view"> & {
  /** The debited amount, formatted. */
  amount: string;
  children: ReactNode;
};

export function PasskeyForm({ token, view, amount, children }: PasskeyFormProps): ReactNode {
  const { texts, fill } = useLocalization();
  return (
    <div className="with-script">
      <StepForm token={token} step="pay" formToken={view.form_token} className="fields">
        {children}
        <PasskeyInput
          name="passkey"
          use="get"
          challengeAddress={`/pay/${token}/passkey/start`}
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

/** Offers a passkey on the receipt, after a payment by PIN. Focusing or clicking the offer stops the redirect to the shop. */
export function PasskeyOffer({ token, view }: Pick<OrderScreen, "token" | "view">): ReactNode {
  const { texts } = useLocalization();
  return (
    <section className="leave-screen no-print with-script" aria-labelledby="offer-title" data-stops-return="">
      <h2 id="offer-title">{texts.passkey.offer}</h2>
      <p className="hint">{texts.passkey.offerText}</p>
      <StepForm token={token} step="add-passkey" formToken={view.form_token} className="fields">
        <PasskeyInput
          name="credential"
          use="create"
          challengeAddress={`/pay/${token}/passkeys/start`}
          failed={texts.passkey.notAdded}
          known={texts.passkey.known}
          unknown={texts.passkey.cannotAdd}
        />
        <StepButton
          testId="pay-add-passkey"
          kind="quiet"
          label={texts.passkey.add}
          busy={texts.passkey.addBusy}
        />
      </StepForm>
    </section>
  );
}
