import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, withQuery } from "../http/wallet-address";
import { PasskeyForm } from "./passkey-form";
import { Phrase } from "./phrase";
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
  const { texts, fill } = useWords();
  return (
    <>
      <h2 id="pay-title" className="with-mark">
        <WalletMark />
        {texts.signIn.title}
      </h2>
      {view.recognised === null ? null : <Recognised token={token} view={view} name={view.recognised.name} />}
      <StepForm token={token} step="sign-in" formToken={view.form_token} className="fields">
        <SignInFields notice={notice} />
        <StepButton
          testId="pay-sign-in"
          kind={view.recognised === null ? "main" : "quiet"}
          label={texts.signIn.submit}
          busy={texts.signIn.busy}
        />
      </StepForm>
      {view.open_shopper === null ? null : (
        <StepForm token={token} step="sandbox-sign-in" formToken={view.form_token} className="open-shopper">
          <StepButton
            testId="pay-open-sign-in"
            kind="quiet"
            label={fill(texts.sandbox.signIn, { name: view.open_shopper })}
            busy={texts.signIn.busy}
          />
          <p className="hint">{texts.sandbox.signInHint}</p>
        </StepForm>
      )}
      <p className="next">{texts.signIn.next}</p>
      <p className="next helps">
        <a href={withQuery(WALLET_NEW, { order: token })} data-testid="pay-no-wallet-yet">
          {texts.account.make.none}
        </a>
        <a
          href={withQuery(WALLET_FORGOT_PIN, { mode: view.order.mode, order: token })}
          data-testid="pay-forgot-pin"
        >
          {texts.account.forgot.title}
        </a>
      </p>
    </>
  );
}

/** One touch for who has signed in on this device before: it pays, and signs nobody in. */
function Recognised({
  token,
  view,
  name,
}: Pick<OrderScreen, "token" | "view"> & { name: string }): ReactNode {
  const { texts, sum } = useWords();
  return (
    <PasskeyForm token={token} view={view} amount={sum(view.order.amount)}>
      <p data-testid="pay-recognised">
        <Phrase text={texts.passkey.recognised} place="name">
          <strong>{name}</strong>
        </Phrase>
      </p>
    </PasskeyForm>
  );
}
