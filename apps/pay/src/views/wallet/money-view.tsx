import type { ReactNode } from "react";
import { WALLET_CONVERT, WALLET_TOP_UP, withQuery } from "#http/addresses.ts";
import { LocalTime, NoWrapAmounts, useLocalization } from "#views/localization.tsx";
import { CurrencyField, MAX_AMOUNT_LENGTH, TextField, useFieldStates } from "./fields";
import { WalletForm, WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export function TopUpView(screen: ScreenOf<"top_up">): ReactNode {
  const { texts, formatInput } = useLocalization();
  const stateOf = useFieldStates(screen);
  const { view, order, currencies, topUpKey, wanted, typed } = screen;
  return (
    <WalletFrame {...screen} title={texts.account.topUp.title} here={WALLET_TOP_UP}>
      <section className="card" aria-label={texts.account.topUp.title}>
        <p className="hint">{texts.account.topUp.hint}</p>
        <WalletForm
          to={withQuery(WALLET_TOP_UP, { order: order?.token ?? null })}
          view={view}
          className="fields"
        >
          <input type="hidden" name="key" value={topUpKey} />
          <CurrencyField
            name="currency"
            {...stateOf("currency")}
            label={texts.account.money.currency}
            value={typed.currency ?? wanted.currency}
            currencies={currencies}
          />
          <TextField
            name="amount"
            {...stateOf("amount")}
            label={texts.account.money.amount}
            value={typed.amount ?? formatInput(wanted.amount)}
            maxLength={MAX_AMOUNT_LENGTH}
            decimal
          />
          <button type="submit" className="button main" data-testid="wallet-top-up">
            {texts.account.topUp.submit}
          </button>
        </WalletForm>
      </section>
    </WalletFrame>
  );
}

export function ConvertView(screen: ScreenOf<"convert">): ReactNode {
  const { texts } = useLocalization();
  const stateOf = useFieldStates(screen);
  const { view, currencies, typed } = screen;
  const heldCurrencies = view.wallets.map(({ currency }) => currency);
  const to =
    typed.to ?? heldCurrencies[1] ?? currencies.find((currency) => currency !== heldCurrencies[0]) ?? "";
  return (
    <WalletFrame {...screen} title={texts.account.convert.title} here={WALLET_CONVERT}>
      <section className="card" aria-label={texts.account.convert.title}>
        {heldCurrencies.length === 0 ? (
          <p>{texts.account.balances.none}</p>
        ) : (
          <WalletForm to={WALLET_CONVERT} view={view} className="fields">
            <CurrencyField
              name="from"
              {...stateOf("from")}
              label={texts.account.convert.from}
              value={typed.from ?? heldCurrencies[0] ?? ""}
              currencies={heldCurrencies}
            />
            <TextField
              name="amount"
              {...stateOf("amount")}
              label={texts.account.money.amount}
              value={typed.amount ?? ""}
              maxLength={MAX_AMOUNT_LENGTH}
              decimal
            />
            <CurrencyField
              name="to"
              label={texts.account.convert.to}
              value={to}
              currencies={currencies}
              {...stateOf("to")}
            />
            <button type="submit" className="button main" data-testid="wallet-quote">
              {texts.account.convert.quote}
            </button>
          </WalletForm>
        )}
      </section>
    </WalletFrame>
  );
}

export function ConversionView(screen: ScreenOf<"conversion">): ReactNode {
  const { texts, fill, sum, rate: sidesOf, rateLabel } = useLocalization();
  const { view, conversion } = screen;
  const { gives, gets, rate, from_currency, to_currency, expires_at, expires_in_ms } = conversion;
  const facts = [
    { name: texts.account.convert.gives, value: sum(gives), testId: "wallet-gives", amount: gives },
    { name: texts.account.convert.gets, value: sum(gets), testId: "wallet-gets", amount: gets },
    {
      name: rateLabel(conversion.margin_percent),
      value: fill(texts.quote.rateValue, sidesOf(rate, from_currency, to_currency)),
      testId: "wallet-rate",
    },
  ];
  return (
    <WalletFrame {...screen} title={texts.account.convert.title} here={WALLET_CONVERT}>
      <section className="card" aria-label={texts.account.convert.title} data-testid="wallet-conversion">
        <dl>
          {facts.map(({ name, value, testId, amount }) => (
            <div key={testId}>
              <dt>{name}</dt>
              <dd data-testid={testId} data-amount={amount}>
                <NoWrapAmounts>{value}</NoWrapAmounts>
              </dd>
            </div>
          ))}
          <div>
            <dt>{texts.quote.heldUntil}</dt>
            <dd>
              <LocalTime time={expires_at} />
            </dd>
          </div>
        </dl>
        {expires_in_ms === 0 ? (
          <p data-testid="wallet-over">{texts.quote.over}</p>
        ) : (
          <WalletForm
            to={withQuery(WALLET_CONVERT, { id: conversion.id })}
            view={view}
            step="confirm"
            id={conversion.id}
          >
            <button type="submit" className="button main" data-testid="wallet-convert">
              {texts.account.convert.submit}
            </button>
          </WalletForm>
        )}
        <a className="button plain" href={WALLET_CONVERT}>
          {texts.account.convert.again}
        </a>
      </section>
    </WalletFrame>
  );
}
