import type { ReactNode } from "react";
import type { OrderScreen } from "./screen";
import { SignInFields } from "./sign-in-fields";
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
  return (
    <>
      <h2 id="pay-title" className="with-mark">
        <WalletMark />
        {texts.signIn.title}
      </h2>
      <StepForm token={token} step="sign-in" formToken={view.form_token} className="fields">
        <SignInFields notice={notice} />
        <StepButton testId="pay-sign-in" kind="main" label={texts.signIn.submit} busy={texts.signIn.busy} />
      </StepForm>
      <p className="next">{texts.signIn.next}</p>
    </>
  );
}
