import type { ReactNode } from "react";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { useWords } from "./words";

export type PasskeyInputProps = {
  name: string;
  /** `get` signs with a passkey, `create` makes one. */
  use: "get" | "create";
  /** The address that answers what is signed. */
  from: string;
  failed: string;
  known?: string;
  unknown: string;
};

/** Filled in by the script of passkeys with what the browser's passkey says, before the form is sent. */
function PasskeyInput({ name, use, from, failed, known, unknown }: PasskeyInputProps): ReactNode {
  return (
    <>
      <input
        type="hidden"
        name={name}
        data-passkey={use}
        data-from={from}
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

/** On the receipt, after the PIN was entered for it. A shopper who goes on with it is not led back to the shop meanwhile. */
export function PasskeyOffer({ token, view }: Pick<OrderScreen, "token" | "view">): ReactNode {
  const { texts } = useWords();
  return (
    <section className="leave-screen no-print with-script" aria-labelledby="offer-title" data-stays="">
      <h2 id="offer-title">{texts.passkey.offer}</h2>
      <p className="hint">{texts.passkey.offerText}</p>
      <StepForm token={token} step="add-passkey" formToken={view.form_token} className="fields">
        <PasskeyInput
          name="credential"
          use="create"
          from={`/pay/${token}/passkeys/start`}
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
