import type { CheckoutDelivery, CheckoutView } from "@tillgate/contract";
import type { ReactNode } from "react";
import { RETURN_SECONDS } from "#limits.ts";
import { LocalTime, NoWrapAmounts, Phrase, useLocalization } from "./localization";
import { LostResponse, NoticeBox } from "./notice-box";
import { type OrderHead, OrderMain } from "./order-main";
import { PasskeyOffer } from "./passkeys";
import type { OrderScreen } from "./screen";
import { StatusIcon } from "./status-icon";
import { StepButton, StepForm } from "./step-form";
import { Amount, MerchantName, Purpose } from "./summary";
import type { Shopper } from "./wallet-list";

/** Renders a sandbox order's webhook deliveries for developers. The script refreshes the deliveries while one is pending. */
function WebhookDeliveries({ landings }: { landings: readonly CheckoutDelivery[] }): ReactNode {
  const { texts, fill } = useLocalization();
  const deliveryText = ({ state, http_status }: CheckoutDelivery) =>
    state === "waiting" && http_status !== null ? texts.deliveries.rejected : texts.deliveries[state];
  const names = new Map(Object.entries(texts.deliveries.orderIs));
  const getStatusLabel = (status: string) => names.get(status) ?? status;
  const isPending = landings.some(({ state }) => state === "waiting");
  return (
    <section
      className="landings no-print"
      aria-label={texts.deliveries.title}
      data-testid="pay-landings"
      data-deliveries={isPending ? "waiting" : "over"}
    >
      {landings.length === 0 ? <p>{texts.deliveries.none}</p> : null}
      {landings.map((landing) => (
        <p key={landing.id} data-state={landing.state}>
          {fill(deliveryText(landing), { host: landing.host, status: landing.http_status ?? "–" })}
          {landing.order_status === null ? null : (
            <>
              {" "}
              <strong data-testid="pay-shop-order" data-order={landing.order_status}>
                {fill(texts.deliveries.order, { status: getStatusLabel(landing.order_status) })}
              </strong>
            </>
          )}
        </p>
      ))}
    </section>
  );
}

export function Settled({ token, view, notice }: OrderScreen): ReactNode {
  const { texts } = useLocalization();
  const { order } = view;
  return (
    <OrderMain token={token} view={view} className="settled">
      <div className="card receipt">
        <div id="receipt" className="slip">
          <Outcome
            view={view}
            back={view.return_to === null ? null : <ReturnLink view={view} to={view.return_to} />}
          />
          {order.mode === "sandbox" ? (
            // The page frame shows this on screen; a printed or copied receipt needs its own line.
            <p className="test-note" data-line="">
              {texts.testMode.receipt}
            </p>
          ) : null}
          <NoticeBox notice={notice} />
          <Facts view={view} />
        </div>
        <LostResponse ended />
        {view.landings === null ? null : <WebhookDeliveries landings={view.landings} />}
        {order.status === "PAID" && view.shopper?.passkey_offered ? (
          <PasskeyOffer token={token} view={view} />
        ) : null}
        {view.shopper === null ? null : <LeaveScreen token={token} view={view} shopper={view.shopper} />}
        {order.paid_at === null ? null : (
          <div className="pair with-script no-print">
            <button
              type="button"
              className="button plain"
              data-testid="pay-copy-receipt"
              data-copy="receipt"
              data-copied={texts.receipt.copied}
              data-failed={texts.receipt.copyFailed}
            >
              {texts.receipt.copy}
            </button>
            <button type="button" className="button plain" data-testid="pay-print">
              {texts.receipt.print}
            </button>
          </div>
        )}
      </div>
    </OrderMain>
  );
}

export type OutcomeProps = {
  view: OrderHead;
  /** Return link, or null. Omitted in a frame, which has no payment details, so that the outcome shows the reference instead. */
  back?: ReactNode;
};

/** Renders the outcome with the amount, merchant and purpose, and what happens next; nothing for a pending order. */
export function Outcome({ view, back }: OutcomeProps): ReactNode {
  const { texts, fill, sum } = useLocalization();
  const { order, merchant } = view;
  if (order.status === "PENDING") return null;
  const heading = texts.heading[order.status];
  const names = { merchant: merchant.name };
  const refund = order.refund_pending_amount === null ? "" : sum(order.refund_pending_amount);
  const next =
    order.status !== "PAID"
      ? fill(texts.ended[order.status], { ...names, refund })
      : order.refunded_amount === null
        ? fill(texts.receipt.next, names)
        : fill(texts.receipt.refundedInPart, {
            refunded: sum(order.refunded_amount),
            amount: sum(order.amount),
          });
  return (
    <header className="summary outcome">
      <StatusIcon status={order.status} />
      <h1 data-testid="pay-status" data-status={order.status} data-line="" tabIndex={-1}>
        <Phrase text={heading} placeholder="amount">
          {heading.includes("{amount}") ? <Amount amount={order.amount} /> : null}
        </Phrase>
      </h1>
      {heading.includes("{amount}") ? null : (
        <p className="line" data-line="">
          <Amount amount={order.amount} />
        </p>
      )}
      {back}
      <MerchantName merchant={merchant} />
      <Purpose view={view} numbered={back === undefined} />
      <p className="next-step">
        <NoWrapAmounts>{next}</NoWrapAmounts>
      </p>
    </header>
  );
}

/** Renders the payment details. Only the payer sees the debited amount and its rate. */
function Facts({ view: { order, payment } }: Pick<OrderScreen, "view">): ReactNode {
  const { texts, fill, sum, rate: sidesOf } = useLocalization();
  const [, from = ""] = payment?.paid_amount?.split(" ") ?? [];
  const rate = payment?.rate ?? null;
  const facts = [
    { name: texts.account.receipt.reference, value: order.reference, testId: "pay-reference" },
    { name: texts.receipt.transaction, value: order.trx_id, testId: "pay-receipt-trx" },
    { name: texts.order.orderId, value: order.order_id, testId: "pay-order-id" },
    {
      name: texts.receipt.time,
      value: order.paid_at === null ? null : <LocalTime time={order.paid_at} testId="pay-receipt-time" />,
    },
    {
      name: texts.receipt.paidFrom,
      value: payment?.paid_amount == null ? null : sum(payment.paid_amount),
      amount: payment?.paid_amount,
      testId: "pay-receipt-paid",
    },
    {
      name: texts.receipt.rate,
      value: rate === null ? null : fill(texts.quote.rateValue, sidesOf(rate, from, order.currency)),
      testId: "pay-receipt-rate",
    },
    {
      name: texts.receipt.refunded,
      value: order.refunded_amount === null ? null : sum(order.refunded_amount),
      amount: order.refunded_amount,
      testId: "pay-refunded",
    },
    {
      name: texts.receipt.receivedBack,
      value: payment?.received_back == null ? null : sum(payment.received_back),
      amount: payment?.received_back,
      testId: "pay-received-back",
    },
  ];
  return (
    <dl>
      {facts.map(({ name, value, testId, amount }) =>
        value === null ? null : (
          <div key={name} data-line="">
            <dt>{name}</dt>
            <dd data-testid={testId} data-amount={amount}>
              {typeof value === "string" ? <NoWrapAmounts>{value}</NoWrapAmounts> : value}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** Renders the sign-out button for a signed-in shopper, because the device may be shared. */
function LeaveScreen({
  token,
  view,
  shopper,
}: Pick<OrderScreen, "token" | "view"> & { shopper: Shopper }): ReactNode {
  const { texts } = useLocalization();
  return (
    <section className="leave-screen no-print" aria-labelledby="leave-screen-title">
      <p id="leave-screen-title" data-testid="pay-shopper">
        <Phrase text={texts.leaveScreen.signedIn} placeholder="name">
          <strong>{shopper.name}</strong>
        </Phrase>
      </p>
      <p className="hint">{texts.leaveScreen.advice}</p>
      <StepForm token={token} step="sign-out" formToken={view.form_token}>
        <StepButton
          testId="pay-sign-out"
          kind="quiet"
          label={texts.leaveScreen.signOut}
          busy={texts.wallet.signOutBusy}
        />
      </StepForm>
    </section>
  );
}

function ReturnLink({ view, to }: { view: CheckoutView; to: string }): ReactNode {
  const { texts, fill } = useLocalization();
  const names = { merchant: view.merchant.name };
  return (
    <div className="way-back no-print">
      <a
        className="button main"
        href={to}
        rel="noreferrer"
        data-testid="pay-return"
        data-return-seconds={view.leads_back ? RETURN_SECONDS : undefined}
      >
        {fill(texts.returnToShop.link, names)}
      </a>
      {view.leads_back ? (
        <p className="returning with-script" data-testid="pay-returning">
          <span data-counting={fill(texts.returnToShop.counting, { ...names, seconds: "{seconds}" })}>
            {fill(texts.returnToShop.counting, { ...names, seconds: RETURN_SECONDS })}
          </span>{" "}
          <button type="button" className="button plain" data-testid="pay-stay">
            {texts.returnToShop.stop}
          </button>
        </p>
      ) : null}
    </div>
  );
}
