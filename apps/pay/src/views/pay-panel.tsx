import { MAX_IDENTIFIER_LENGTH } from "@tillgate/contract";
import type { ReactNode } from "react";
import { isAboutFields } from "./notice-box";
import { PinField } from "./pin-field";
import type { OrderScreen } from "./screen";
import { StepButton, StepForm } from "./step-form";
import { useWords } from "./use-words";
import { WalletMark } from "./wallet-mark";
import { WalletPanel } from "./wallet-panel";

/** The one place where a shopper pays: signing in first, then one button. */
export function PayPanel(screen: OrderScreen): ReactNode {
  const { shopper } = screen.view;
  return (
    <section className="pay" aria-labelledby="pay-title">
      {shopper === null ? <SignIn {...screen} /> : <WalletPanel {...screen} shopper={shopper} />}
    </section>
  );
}

function SignIn({ token, view, notice }: OrderScreen): ReactNode {
  const { texts } = useWords();
  const wrong = isAboutFields(notice);
  const identifier = notice?.identifier ?? "";
  return (
    <>
      <h2 id="pay-title" className="with-mark">
        <WalletMark />
        {texts.signIn.title}
      </h2>
      <StepForm token={token} step="sign-in" formToken={view.form_token} className="fields">
        <label htmlFor="identifier">{texts.signIn.identifier}</label>
        <input
          id="identifier"
          name="identifier"
          type="text"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          maxLength={MAX_IDENTIFIER_LENGTH}
          required
          defaultValue={identifier}
          data-testid="pay-sign-in-identifier"
          aria-invalid={wrong || undefined}
          aria-describedby={wrong ? "notice" : undefined}
          // biome-ignore lint/a11y/noAutofocus: after a refused sign-in the empty field is the one thing to do.
          autoFocus={wrong && identifier === ""}
        />
        <PinField label={texts.signIn.pin} testId="pay-sign-in-pin" wrong={wrong} focus={identifier !== ""} />
        <label className="choice" htmlFor="stay">
          <input id="stay" name="stay" type="checkbox" data-testid="pay-stay-signed-in" />
          <span>
            {texts.signIn.stay} <span className="hint">{texts.signIn.stayHint}</span>
          </span>
        </label>
        <StepButton testId="pay-sign-in" kind="main" label={texts.signIn.submit} busy={texts.signIn.busy} />
      </StepForm>
      <p className="next">{texts.signIn.next}</p>
    </>
  );
}
