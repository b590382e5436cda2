import { type CheckoutView, MAX_IDENTIFIER_LENGTH, PIN_DIGITS } from "@tillgate/contract";
import type { ReactNode } from "react";
import type { Notice } from "../notice";
import { fill, texts } from "../texts";
import { StepButton, StepForm } from "./step-form";

export interface PayPanelProps {
  token: string;
  view: CheckoutView;
  notice: Notice | null;
}

/** The one place where a shopper pays: signing in first, then one button. */
export function PayPanel(props: PayPanelProps): ReactNode {
  const { shopper } = props.view;
  return (
    <section className="card pay" aria-labelledby="pay-title">
      {shopper === null ? <SignIn {...props} /> : <Wallet {...props} shopper={shopper} />}
    </section>
  );
}

/** Notices after which the form's fields are what has to be corrected. */
const ABOUT_FIELDS: readonly string[] = ["wrong_sign_in", "invalid_field"];

function SignIn({ token, view, notice }: PayPanelProps): ReactNode {
  const wrong = notice !== null && ABOUT_FIELDS.includes(notice.code);
  const identifier = notice?.identifier ?? "";
  const fault = wrong ? { "aria-invalid": true, "aria-describedby": "notice" } : {};
  return (
    <>
      <h2 id="pay-title">{texts.signIn.title}</h2>
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
          {...fault}
        />
        <label htmlFor="pin">
          {texts.signIn.pin} <span className="hint">{texts.signIn.pinHint}</span>
        </label>
        <input
          id="pin"
          name="pin"
          type="password"
          inputMode="numeric"
          autoComplete="current-password"
          pattern={`\\d{${PIN_DIGITS}}`}
          maxLength={PIN_DIGITS}
          title={texts.signIn.pinHint}
          required
          data-testid="pay-sign-in-pin"
          data-focus={wrong && identifier !== "" ? "" : undefined}
          {...fault}
        />
        <StepButton testId="pay-sign-in" kind="main" label={texts.signIn.submit} busy={texts.signIn.busy} />
      </StepForm>
    </>
  );
}

function Wallet({
  token,
  view,
  shopper,
}: PayPanelProps & { shopper: NonNullable<CheckoutView["shopper"]> }): ReactNode {
  const { order, form_token } = view;
  const { wallet } = shopper;
  const payable = wallet?.sufficient === true;
  const names = {
    currency: order.currency,
    amount: order.amount,
    balance: wallet?.balance ?? "",
    name: shopper.name,
  };
  return (
    <>
      <h2 id="pay-title">{texts.signIn.title}</h2>
      <p className="shopper" data-testid="pay-shopper">
        {fill(texts.wallet.greeting, names)}
      </p>
      {wallet === null ? null : (
        <p className="balance">
          <span>{fill(texts.wallet.balance, names)}</span>{" "}
          <strong data-testid="pay-balance">{wallet.balance}</strong>
        </p>
      )}
      {payable ? (
        <StepForm token={token} step="pay" formToken={form_token}>
          <StepButton
            testId="pay-confirm"
            kind="main"
            label={fill(texts.wallet.pay, names)}
            busy={texts.wallet.busy}
          />
        </StepForm>
      ) : (
        <div className="advice" data-testid={wallet === null ? "pay-no-wallet" : "pay-insufficient"}>
          <p>
            <strong>{fill(wallet === null ? texts.wallet.none : texts.wallet.notEnough, names)}</strong>
          </p>
          <p>{fill(wallet === null ? texts.wallet.noneAdvice : texts.wallet.notEnoughAdvice, names)}</p>
          {order.mode === "sandbox" ? <p>{texts.wallet.sandboxAdvice}</p> : null}
        </div>
      )}
      <StepForm token={token} step="sign-out" formToken={form_token}>
        <StepButton
          testId="pay-sign-out"
          kind={payable ? "plain" : "quiet"}
          label={payable ? texts.wallet.signOut : texts.wallet.another}
          busy={texts.wallet.signOut}
        />
      </StepForm>
    </>
  );
}
