import { MAX_IDENTIFIER_LENGTH, MAX_SHOPPER_NAME_LENGTH } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, WALLET_SIGN_IN, withQuery } from "../../http/wallet-address";
import { isAboutFields } from "../notice-box";
import { PinField } from "../pin-field";
import { useWords } from "../use-words";
import { WholeSums } from "../whole-sums";
import { CurrencyField, MAX_AMOUNT_LENGTH, TextField } from "./fields";
import { OutsideFrame } from "./outside-frame";
import { WalletForm } from "./wallet-form";
import { Said } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** Making a wallet in the sandbox; in live mode, who opens one. */
export function NewView(screen: ScreenOf<"new">): ReactNode {
  const { texts, fill, sum } = useWords();
  const { view, notice, done, mode, order, currencies, typed } = screen;
  if (mode === "live")
    return (
      <OutsideFrame title={texts.account.make.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.make.live}</p>
      </OutsideFrame>
    );
  const wrong = isAboutFields(notice);
  const amount = order?.amount.split(" ")[0] ?? "100";
  return (
    <OutsideFrame title={texts.account.make.title} mode={mode}>
      <Said notice={notice} done={done} />
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
          label={texts.account.make.name}
          value={typed.name ?? ""}
          maxLength={MAX_SHOPPER_NAME_LENGTH}
          autoComplete="name"
        />
        <TextField
          name="email"
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
          label={texts.account.make.phone}
          hint={texts.account.make.phoneHint}
          value={typed.phone ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          type="tel"
          autoComplete="tel"
          required={false}
        />
        <PinField label={texts.account.make.pin} testId="wallet-pin" wrong={wrong} isNew />
        <PinField
          label={texts.account.make.repeat}
          testId="wallet-repeated-pin"
          wrong={wrong}
          focus={false}
          name="repeated_pin"
        />
        <CurrencyField
          name="currency"
          label={texts.account.money.currency}
          value={typed.currency ?? order?.currency ?? "EUR"}
          currencies={currencies}
        />
        <TextField
          name="amount"
          label={texts.account.make.amount}
          value={typed.amount ?? amount}
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

/** A forgotten PIN: another one is set in the sandbox; in live mode, whom to ask. */
export function ForgotPinView({ view, notice, done, mode, order }: ScreenOf<"forgot_pin">): ReactNode {
  const { texts } = useWords();
  if (mode === "live")
    return (
      <OutsideFrame title={texts.account.forgot.title} mode={mode}>
        <p data-testid="wallet-ask-operator">{texts.account.forgot.live}</p>
      </OutsideFrame>
    );
  const wrong = isAboutFields(notice);
  return (
    <OutsideFrame title={texts.account.forgot.title} mode={mode}>
      <Said notice={notice} done={done} />
      <p className="hint">{texts.account.forgot.hint}</p>
      <WalletForm
        to={withQuery(WALLET_FORGOT_PIN, { mode, order: order?.token ?? null })}
        view={view}
        className="fields"
      >
        <TextField
          name="identifier"
          label={texts.signIn.identifier}
          value={notice?.identifier ?? ""}
          maxLength={MAX_IDENTIFIER_LENGTH}
          autoComplete="username"
        />
        <PinField label={texts.account.pin.new} testId="wallet-new-pin" wrong={wrong} name="new_pin" />
        <PinField
          label={texts.account.pin.repeat}
          testId="wallet-repeated-pin"
          wrong={wrong}
          focus={false}
          name="repeated_pin"
        />
        <button type="submit" className="button main" data-testid="wallet-reset-pin">
          {texts.account.forgot.submit}
        </button>
      </WalletForm>
    </OutsideFrame>
  );
}
