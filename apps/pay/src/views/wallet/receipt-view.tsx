import type { WalletReceipt } from "@tillgate/contract";
import type { ReactNode } from "react";
import { WALLET_ACTIVITY } from "#http/addresses.ts";
import type { Localization } from "#texts/localization.ts";
import { LocalTime, NoWrapAmounts, Phrase, useLocalization } from "#views/localization.tsx";
import { activityTitle } from "./activity";
import { WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export function ReceiptView(screen: ScreenOf<"receipt">): ReactNode {
  const localization = useLocalization();
  const { texts, signed } = localization;
  const { receipt, view } = screen;
  return (
    <WalletFrame {...screen} title={activityTitle(localization, receipt)} here={WALLET_ACTIVITY}>
      <article className="card slip-card" data-testid="wallet-receipt" data-kind={receipt.kind}>
        <p className="line">
          <strong
            className={`amount ${receipt.direction}`}
            data-testid="wallet-receipt-amount"
            data-amount={receipt.amount}
            data-direction={receipt.direction}
          >
            <NoWrapAmounts>{signed(receipt.amount, receipt.direction)}</NoWrapAmounts>
          </strong>
        </p>
        {receipt.description === null ? null : (
          <p className="description">
            <bdi>{receipt.description}</bdi>
          </p>
        )}
        {view.shopper?.mode === "sandbox" ? <p className="test-note">{texts.testMode.receipt}</p> : null}
        <Facts receipt={receipt} />
        {receipt.payment === null ? null : <Refunds refunds={receipt.payment.refunds} />}
        <div className="pair no-print">
          {receipt.payment === null ? null : (
            <a className="button quiet" href={receipt.payment.payment_url} data-testid="wallet-payment-page">
              {texts.account.receipt.page}
            </a>
          )}
          {receipt.refund === null ? null : (
            <a
              className="button quiet"
              href={`${WALLET_ACTIVITY}/${receipt.refund.payment_id}`}
              data-testid="wallet-payment"
            >
              {texts.account.receipt.payment}
            </a>
          )}
          <button type="button" className="button quiet with-script" data-testid="pay-print">
            {texts.receipt.print}
          </button>
        </div>
      </article>
      <p className="no-print">
        <a href={WALLET_ACTIVITY}>{texts.account.receipt.back}</a>
      </p>
    </WalletFrame>
  );
}

function Facts({ receipt }: { receipt: WalletReceipt }): ReactNode {
  const { texts, fill, sum, rate: sidesOf } = useLocalization();
  const { payment, refund, payout, conversion } = receipt;
  const [, walletCurrency = ""] = receipt.amount.split(" ");
  const [, merchantCurrency = ""] = payment?.price.split(" ") ?? [];
  const rate = payment?.rate ?? conversion?.rate ?? null;
  const [given, received] =
    conversion === null
      ? [walletCurrency, merchantCurrency]
      : [conversion.from_currency, conversion.to_currency];
  const facts: { name: string; value: ReactNode }[] = [
    { name: texts.account.receipt.reference, value: payment?.reference },
    { name: texts.receipt.time, value: <LocalTime time={receipt.created_at} testId="wallet-receipt-time" /> },
    { name: texts.receipt.transaction, value: payment?.trx_id ?? payout?.trx_id },
    { name: texts.order.orderId, value: payment?.order_id ?? refund?.order_id },
    { name: texts.account.receipt.refund, value: refund?.refund_id },
    { name: texts.account.receipt.payout, value: payout?.payout_id },
    {
      name: fill(texts.quote.receives, { merchant: receipt.merchant_name ?? "" }),
      value: payment?.rate == null ? null : <NoWrapAmounts>{sum(payment.price)}</NoWrapAmounts>,
    },
    {
      name: fill(texts.account.receipt.refundedBy, { merchant: receipt.merchant_name ?? "" }),
      value:
        refund === null || receipt.merchant_amount === null ? null : (
          <NoWrapAmounts>{sum(receipt.merchant_amount)}</NoWrapAmounts>
        ),
    },
    {
      name: receipt.direction === "out" ? texts.account.convert.gets : texts.account.convert.gives,
      value:
        receipt.counter_amount === null ? null : <NoWrapAmounts>{sum(receipt.counter_amount)}</NoWrapAmounts>,
    },
    {
      name: texts.quote.rateMarginIncluded,
      value:
        rate === null ? null : (
          <NoWrapAmounts>{fill(texts.quote.rateValue, sidesOf(rate, given, received))}</NoWrapAmounts>
        ),
    },
  ];
  return (
    <dl>
      {facts.map(({ name, value }) =>
        value == null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function Refunds({ refunds }: Pick<NonNullable<WalletReceipt["payment"]>, "refunds">): ReactNode {
  const localization = useLocalization();
  const { texts, fill } = localization;
  if (refunds.length === 0) return null;
  return (
    <section className="refunds" aria-labelledby="refunds-title">
      <h2 id="refunds-title">{texts.account.receipt.refunds}</h2>
      <ul>
        {refunds.map((refund) => (
          <li key={refund.refund_id} data-testid="wallet-refund" data-status={refund.status}>
            <Phrase
              text={fill(texts.account.receipt[refund.status], {
                amount: refundText(localization, refund),
                time: "{time}",
              })}
              placeholder="time"
            >
              <LocalTime time={refund.created_at} />
            </Phrase>{" "}
            {refund.activity_id === null ? null : (
              <a href={`${WALLET_ACTIVITY}/${refund.activity_id}`}>{refund.refund_id}</a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Returns the refunded amount in the wallet's currency, with the merchant's amount if it differs. */
const refundText = (
  { sum }: Localization,
  { amount, received }: NonNullable<WalletReceipt["payment"]>["refunds"][number],
): string => (received === null || received === amount ? sum(amount) : `${sum(received)} (${sum(amount)})`);
