import type { ReactNode } from "react";
import { PasskeyInput } from "./passkey-input";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { useWords } from "./use-words";

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
