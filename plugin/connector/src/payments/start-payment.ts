import { randomUUID } from "node:crypto";
import type { Order } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import type { Payment, PlacedPayment } from "../records/records.js";
import { fillNote, ruleStatus } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { readStoreTotal, StoreAmountError } from "../store/store-amount.js";
import { applyOrder } from "./apply-order.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { type HeldClaim, withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { isInUse, isReachable, tillgateOf } from "./credentials.js";
import { scheduleDelay } from "./drain-due.js";
import { paymentRequest } from "./payment-request.js";
import { type PaymentView, paymentView, readOrderWithKey, settledStatus } from "./read-payment.js";
import { isPaymentOf } from "./situation.js";

/** A payment found, settled and replaced takes three rounds; more means that somebody keeps changing the order. */
const MAX_ROUNDS = 5;

/** WooCommerce's own list of statuses in which an order can be paid on its pay page. */

export type PaymentInput = {
  storeOrderId: number;
  orderKey: string;
  /** The shop's language (BCP 47): the payment page's, where it has it. */
  locale?: string | undefined;
};

/**
 * Starts the payment of a store order, or finds the one that is under way: the same order with the same total has the
 * same Tillgate order for as long as that is payable. Amount and currency are always the store's.
 *
 * @throws ConnectorError `not_found`, `not_payable`, `payment_refused`, `busy`; StoreError and the client's errors where
 *   store or Tillgate cannot be asked: to be repeated, nothing is made twice
 */
export async function startPayment(
  context: ConnectorContext,
  { storeOrderId, orderKey, locale }: PaymentInput,
): Promise<PaymentView> {
  // Before the claim, so that only a caller with the key can hold it.
  await readOrderWithKey(context, storeOrderId, orderKey);
  return withOrderClaim(context, storeOrderId, async (held) => {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const order = await readOrderWithKey(context, storeOrderId, orderKey);
      const view = await startOrFind(context, held, { order, locale });
      if (view !== null) return view;
    }
    throw new ConnectorError("busy", `Order ${storeOrderId} keeps changing; try again in a moment.`);
  });
}

/** @returns null where something was settled first and the order must be read again */
async function startOrFind(
  context: ConnectorContext,
  held: HeldClaim,
  { order, locale }: { order: StoreOrder; locale: string | undefined },
): Promise<PaymentView | null> {
  const { payments } = context;
  const current = await payments.current(order.id);
  const isOpen = current !== null && (current.state === "creating" || current.state === "pending");
  // A payment with a credential that is gone can be neither asked about nor ended.
  if (isOpen && isReachable(context, current)) {
    return settleOrReuse(context, held, order, current);
  }
  if (current !== null && !isOpen && isEnd(current, order))
    return paymentView(context, current, settledStatus(current));
  const started = await payments.start(newPayment(context, order, locale));
  if (started.order !== null) throw new Error(`Payment ${started.id} has an order before it was made.`);
  await held.keep();
  const { payment, remote } = await createTillgateOrder(context, started);
  return remote.status === "PENDING" ? paymentView(context, payment, "pending") : null;
}

/** A payment that is under way: kept while it asks for what the store asks for, else ended first. */
async function settleOrReuse(
  context: ConnectorContext,
  held: HeldClaim,
  order: StoreOrder,
  current: Payment,
): Promise<PaymentView | null> {
  const { payment, remote } = await ask(context, held, current);
  let now = remote;
  if (remote.status === "PENDING") {
    const reason = whyStale(context, payment, order);
    if (reason === null) return paymentView(context, payment, "pending");
    now = await cancelTillgateOrder(context, held, payment, reason);
  }
  // What the connector cancelled itself changes nothing in the store.
  if (now === remote || now.trx_id !== null) await applyOrder(context, held, now);
  return null;
}

async function ask(
  context: ConnectorContext,
  held: HeldClaim,
  current: Payment,
): Promise<{ payment: PlacedPayment; remote: Order }> {
  if (current.order === null) {
    await held.keep();
    return createTillgateOrder(context, current);
  }
  const tillgate = tillgateOf(context, current.credential);
  return { payment: current, remote: await tillgate.orders.get(current.order.tillgateOrderId) };
}

/** Why a payment under way no longer fits the store order, by the same rules as a change in the store. */
function whyStale(context: ConnectorContext, payment: PlacedPayment, order: StoreOrder): string | null {
  // In another mode no real money, or none of this shop's account, would pay the order.
  if (!isInUse(context, payment)) return context.rules.reason("account_switched");
  const decision = context.rules.decide({
    event: "store.changed",
    status: ruleStatus(order),
    attempt: "current",
    method: order.paymentMethod === context.settings.paymentMethod ? "tillgate" : "other",
    payment: order.transactionId === "" ? "none" : "other",
    amount: isPaymentOf(payment, order) ? "same" : "different",
    asked_by: "other",
    origin: "tillgate",
    told: "first",
  });
  if (decision.reason === null) return null;
  return fillNote(decision.reason, { status: order.status, store_total: `${order.total} ${order.currency}` });
}

/** Whether this payment is the last word on the order: it paid it, and the store does not ask to be paid again. */
function isEnd(current: Payment, order: StoreOrder): current is PlacedPayment {
  if (current.state === "paid") return true;
  return current.state === "refunded" && !order.isPayable;
}

function newPayment({ settings }: ConnectorContext, order: StoreOrder, locale: string | undefined) {
  if (order.paymentMethod !== settings.paymentMethod) {
    throw new ConnectorError("not_payable", "Another payment method was chosen for this order.");
  }
  if (!order.isPayable) {
    throw new ConnectorError("not_payable", `This order is ${order.status} and cannot be paid.`);
  }
  const amountMinor = totalOf(order);
  const { currency } = order;
  return {
    storeOrderId: order.id,
    amountMinor,
    currency,
    credential: settings.credentials[0],
    checkInMs: scheduleDelay(settings.sweepIntervalMs),
    request: {
      ...paymentRequest(settings, order, { amountMinor, currency }),
      ...(locale === undefined ? {} : { locale }),
      idempotency_key: randomUUID(),
    },
  };
}

function totalOf(order: StoreOrder): bigint {
  try {
    return readStoreTotal(order.total, order.currency);
  } catch (error) {
    if (error instanceof StoreAmountError)
      throw new ConnectorError("not_payable", error.message, { cause: error });
    throw error;
  }
}
