import { MAX_IDENTIFIER_LENGTH, MAX_SHOPPER_NAME_LENGTH, type Mode } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, WALLET_SIGN_IN, withQuery } from "#http/addresses.ts";
import { SignInFields } from "#views/fields.tsx";
import { Frame } from "#views/frame.tsx";
import { NoWrapAmounts, useLocalization } from "#views/localization.tsx";
import { WalletMark } from "#views/status-icon.tsx";
import { CurrencyField, MAX_AMOUNT_LENGTH, NewPinFields, TextField, useFieldStates } from "./fields";
import { ResultNotice, WalletForm } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export function SignInView(screen: ScreenOf<"sign_in">): ReactNode {
  const { texts } = useLocalization();
  const { view, notice, mode, next } = screen;
  const title = texts.account.signIn.title;
  const otherMode = mode === "live" ? "sandbox" : "live";
  return (
    <Frame title={`${title} · Tillgate`} sandbox={mode === "sandbox"} wallet>
      <main className="page settled">
        <section className="card pay" aria-labelledby="sign-in-title">
          <h1 id="sign-in-title" className="with-mark">
            <WalletMark />
            {title}
          </h1>
          <ResultNotice {...screen} />
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
          <a href={withQuery(WALLET_NEW, { mode })}>{texts.account.create.none}</a>
          <a href={withQuery(WALLET_SIGN_IN, { mode: otherMode, next })} data-testid="wallet-other-mode">
            {texts.account.signIn[otherMode]}
          </a>
        </p>
      </main>
    </Frame>
  );
}

export type SignedOutFrameProps = { title: string; mode: Mode; children: ReactNode };

function SignedOutFrame({ title, mode, children }: SignedOutFrameProps): ReactNode {
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

/** Renders the form that creates a wallet in the sandbox; in live mode, explains who can open a wallet. */
export function NewView(screen: ScreenOf<"new">): ReactNode {
  const { texts, fill, sum, formatInput } = useLocalization();
  const stateOf = useFieldStates(screen);
  const { view, mode, order, currencies, typed } = screen;
  if (mode === "live")
    return (
      <SignedOutFrame title={texts.account.create.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.create.live}</p>
      </SignedOutFrame>
    );
  const amount = order?.amount.split(" ")[0] ?? "100";
  return (
    <SignedOutFrame title={texts.account.create.title} mode={mode}>
      <ResultNotice {...screen} />
      <p className="hint">
        {order === null ? (
          texts.account.create.hint
        ) : (
          <NoWrapAmounts>
            {fill(texts.account.create.forOrder, { amount: sum(order.amount), merchant: order.merchant })}
          </NoWrapAmounts>
        )}
      </p>
      <WalletForm to={withQuery(WALLET_NEW, { order: order?.token ?? null })} view={view} className="fields">
        <TextField
          name="name"
          {...stateOf("name")}
          label={texts.account.create.name}
          value={typed.name ?? ""}
          maxLength={MAX_SHOPPER_NAME_LENGTH}
          autoComplete="name"
        />
        <TextField
          name="email"
          {...stateOf("email")}
          label={texts.account.create.email}
          hint={texts.account.create.eitherHint}
          value={typed.email ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          type="email"
          autoComplete="email"
          required={false}
        />
        <TextField
          name="phone"
          {...stateOf("phone")}
          label={texts.account.create.phone}
          hint={texts.account.create.phoneHint}
          value={typed.phone ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          type="tel"
          autoComplete="tel"
          required={false}
        />
        <NewPinFields
          name="pin"
          label={texts.account.create.pin}
          repeat={texts.account.create.repeat}
          testId="wallet-pin"
          stateOf={stateOf}
        />
        <CurrencyField
          name="currency"
          {...stateOf("currency")}
          label={texts.account.money.currency}
          value={typed.currency ?? order?.currency ?? "EUR"}
          currencies={currencies}
        />
        <TextField
          name="amount"
          {...stateOf("amount")}
          label={texts.account.create.amount}
          value={typed.amount ?? formatInput(amount)}
          maxLength={MAX_AMOUNT_LENGTH}
          decimal
        />
        <button type="submit" className="button main" data-testid="wallet-make">
          {texts.account.create.submit}
        </button>
      </WalletForm>
      <p>
        <a href={withQuery(WALLET_SIGN_IN, { mode, next: order && `/pay/${order.token}` })}>
          {texts.account.create.signIn}
        </a>
      </p>
    </SignedOutFrame>
  );
}

/** Renders the form that resets a forgotten PIN in the sandbox; in live mode, explains whom to contact. */
export function ForgotPinView(screen: ScreenOf<"forgot_pin">): ReactNode {
  const { texts } = useLocalization();
  const stateOf = useFieldStates(screen);
  const { view, notice, mode, order } = screen;
  if (mode === "live")
    return (
      <SignedOutFrame title={texts.account.forgot.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.forgot.live}</p>
      </SignedOutFrame>
    );
  return (
    <SignedOutFrame title={texts.account.forgot.title} mode={mode}>
      <ResultNotice {...screen} />
      <p className="hint">{texts.account.forgot.hint}</p>
      <WalletForm
        to={withQuery(WALLET_FORGOT_PIN, { mode, order: order?.token ?? null })}
        view={view}
        className="fields"
      >
        <TextField
          name="identifier"
          {...stateOf("identifier")}
          label={texts.signIn.identifier}
          value={notice?.identifier ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          autoComplete="username"
        />
        <NewPinFields stateOf={stateOf} />
        <button type="submit" className="button main" data-testid="wallet-reset-pin">
          {texts.account.forgot.submit}
        </button>
      </WalletForm>
    </SignedOutFrame>
  );
}
