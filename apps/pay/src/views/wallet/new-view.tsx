import { MAX_IDENTIFIER_LENGTH, MAX_SHOPPER_NAME_LENGTH } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_FORGOT_PIN, WALLET_NEW, WALLET_SIGN_IN, withQuery } from "../../http/wallet-address";
import { useWords } from "../use-words";
import { WholeSums } from "../whole-sums";
import { useFaults } from "./faults";
import { CurrencyField, MAX_AMOUNT_LENGTH, TextField } from "./fields";
import { NewPinFields } from "./new-pin-fields";
import { OutsideFrame } from "./outside-frame";
import { WalletForm } from "./wallet-form";
import { Said } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** Making a wallet in the sandbox; in live mode, who opens one. */
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

/** A forgotten PIN: another one is set in the sandbox; in live mode, whom to ask. */
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
