import { MAX_IDENTIFIER_LENGTH, MAX_SHOPPER_NAME_LENGTH, type Mode } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { SignInFields } from "#views/fields.tsx";
import { Frame } from "#views/frame.tsx";
import { WalletMark } from "#views/sign.tsx";
import { useWords, WholeSums } from "#views/words.tsx";
import { CurrencyField, MAX_AMOUNT_LENGTH, NewPinFields, TextField, useFaults } from "./fields";
import { Said, WalletForm } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** Sign-in in the mode of the address. */
export function SignInView(screen: ScreenOf<"sign_in">): ReactNode {
  const { texts } = useWords();
  const { view, notice, mode, next } = screen;
  const title = texts.account.signIn.title;
  const other = mode === "live" ? "sandbox" : "live";
  return (
    <Frame title={`${title} · Tillgate`} sandbox={mode === "sandbox"} wallet>
      <main className="page settled">
        <section className="card pay" aria-labelledby="sign-in-title">
          <h1 id="sign-in-title" className="with-mark">
            <WalletMark />
            {title}
          </h1>
          <Said {...screen} />
          <WalletForm to={withQuery(WALLET_SIGN_IN, { mode, next })} view={view} className="fields">
            <SignInFields notice={notice} />
            <button type="submit" className="button main" data-testid="pay-sign-in">
              {texts.signIn.submit}
            </button>
          </WalletForm>
          <p className="next">{texts.account.signIn.next}</p>
        </section>
        <p className="rest">
          <a href={withQuery(WALLET_FORGOT_PIN, { mode })}>{texts.account.forgot.title}</a>
          <a href={withQuery(WALLET_NEW, { mode })}>{texts.account.make.none}</a>
          <a href={withQuery(WALLET_SIGN_IN, { mode: other, next })} data-testid="wallet-other-mode">
            {texts.account.signIn[other]}
          </a>
        </p>
      </main>
    </Frame>
  );
}

export type OutsideFrameProps = { title: string; mode: Mode; children: ReactNode };

/** Layout of signed-out pages. */
function OutsideFrame({ title, mode, children }: OutsideFrameProps): ReactNode {
  return (
    <Frame title={`${title} · Tillgate`} sandbox={mode === "sandbox"} wallet>
      <main className="page settled">
        <section className="card pay" aria-labelledby="outside-title">
          <h1 id="outside-title" className="with-mark">
            <WalletMark />
            {title}
          </h1>
          {children}
        </section>
      </main>
    </Frame>
  );
}

/** Creates a wallet in sandbox; in live mode says who opens one. */
export function NewView(screen: ScreenOf<"new">): ReactNode {
  const { texts, fill, sum, typed: plain } = useWords();
  const fault = useFaults(screen);
  const { view, mode, order, currencies, typed } = screen;
  if (mode === "live")
    return (
      <OutsideFrame title={texts.account.make.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.make.live}</p>
      </OutsideFrame>
    );
  const amount = order?.amount.split(" ")[0] ?? "100";
  return (
    <OutsideFrame title={texts.account.make.title} mode={mode}>
      <Said {...screen} />
      <p className="hint">
        {order === null ? (
          texts.account.make.hint
        ) : (
          <WholeSums>
            {fill(texts.account.make.forOrder, { amount: sum(order.amount), merchant: order.merchant })}
          </WholeSums>
        )}
      </p>
      <WalletForm to={withQuery(WALLET_NEW, { order: order?.token ?? null })} view={view} className="fields">
        <TextField
          name="name"
          {...fault("name")}
          label={texts.account.make.name}
          value={typed.name ?? ""}
          maxLength={MAX_SHOPPER_NAME_LENGTH}
          autoComplete="name"
        />
        <TextField
          name="email"
          {...fault("email")}
          label={texts.account.make.email}
          hint={texts.account.make.eitherHint}
          value={typed.email ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          type="email"
          autoComplete="email"
          required={false}
        />
        <TextField
          name="phone"
          {...fault("phone")}
          label={texts.account.make.phone}
          hint={texts.account.make.phoneHint}
          value={typed.phone ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          type="tel"
          autoComplete="tel"
          required={false}
        />
        <NewPinFields
          name="pin"
          label={texts.account.make.pin}
          repeat={texts.account.make.repeat}
          testId="wallet-pin"
          fault={fault}
        />
        <CurrencyField
          name="currency"
          {...fault("currency")}
          label={texts.account.money.currency}
          value={typed.currency ?? order?.currency ?? "EUR"}
          currencies={currencies}
        />
        <TextField
          name="amount"
          {...fault("amount")}
          label={texts.account.make.amount}
          value={typed.amount ?? plain(amount)}
          maxLength={MAX_AMOUNT_LENGTH}
          decimal
        />
        <button type="submit" className="button main" data-testid="wallet-make">
          {texts.account.make.submit}
        </button>
      </WalletForm>
      <p>
        <a href={withQuery(WALLET_SIGN_IN, { mode, next: order && `/pay/${order.token}` })}>
          {texts.account.make.signIn}
        </a>
      </p>
    </OutsideFrame>
  );
}

/** Resets a forgotten PIN in sandbox; in live mode says whom to contact. */
export function ForgotPinView(screen: ScreenOf<"forgot_pin">): ReactNode {
  const { texts } = useWords();
  const fault = useFaults(screen);
  const { view, notice, mode, order } = screen;
  if (mode === "live")
    return (
      <OutsideFrame title={texts.account.forgot.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.forgot.live}</p>
      </OutsideFrame>
    );
  return (
    <OutsideFrame title={texts.account.forgot.title} mode={mode}>
      <Said {...screen} />
      <p className="hint">{texts.account.forgot.hint}</p>
      <WalletForm
        to={withQuery(WALLET_FORGOT_PIN, { mode, order: order?.token ?? null })}
        view={view}
        className="fields"
      >
        <TextField
          name="identifier"
          {...fault("identifier")}
          label={texts.signIn.identifier}
          value={notice?.identifier ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          autoComplete="username"
        />
        <NewPinFields fault={fault} />
        <button type="submit" className="button main" data-testid="wallet-reset-pin">
          {texts.account.forgot.submit}
        </button>
      </WalletForm>
    </OutsideFrame>
  );
}
