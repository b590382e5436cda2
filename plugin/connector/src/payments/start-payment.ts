import { randomUUID } from "node:crypto";
import type { Order } from "@tillgate/contract";
import { ConnectorError } from "../connector-error.js";
import type { Payment, PlacedPayment } from "../records/records.js";
import { fillNote, ruleStatus, statusName } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { readStoreTotal, StoreAmountError } from "../store/store-amount.js";
import { applyOrder } from "./apply-order.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { type Claim, withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { hasClient, isCurrentCredential, tillgateClient } from "./credentials.js";
import { scheduleDelay } from "./drain-due.js";
import { paymentRequest } from "./payment-request.js";
import { finalStatus, type PaymentView, paymentView, readOrderWithKey } from "./read-payment.js";
import { isSameAmount } from "./situation.js";

/** Finding, completing and replacing a payment takes three rounds; more means that the order keeps changing. */
const MAX_ROUNDS = 5;

export type PaymentInput = {
  storeOrderId: number;
  orderKey: string;
  /** Language of the payment page (BCP 47). */
  locale?: string | undefined;
};

/**
 * Returns the current payment if it is final, or open and still matches the order; otherwise starts a new one. Amount and currency come
 * from the store. A failed call can be retried.
 * @throws ConnectorError `order_not_found`, `not_payable`, `payment_refused`, `busy`, `site_moved`, `credential_gone`,
 * `store_did_not_follow`; StoreError and the client's errors if the store or Tillgate is unavailable
 */
export async function startPayment(
  context: ConnectorContext,
  { storeOrderId, orderKey, locale }: PaymentInput,
): Promise<PaymentView> {
  // Checked before the claim, so that only callers with the order key can claim the order.
  await readOrderWithKey(context, storeOrderId, orderKey);
  return withOrderClaim(context, storeOrderId, async (claim) => {
    for (let round = 1; round <= MAX_ROUNDS; round += 1) {
      const order = await readOrderWithKey(context, storeOrderId, orderKey);
      const view = await startOrReuse(context, claim, { order, locale });
      if (view !== null) return view;
    }
    throw new ConnectorError("busy", `Order ${storeOrderId} keeps changing. Please try again in a moment.`);
  });
}

/** @returns null if the order must be read again, because a payment was completed or cancelled */
async function startOrReuse(
  context: ConnectorContext,
  claim: Claim,
  { order, locale }: { order: StoreOrder; locale: string | undefined },
): Promise<PaymentView | null> {
  const { payments } = context;
  const current = await payments.current(order.id);
  const isOpen = current !== null && (current.state === "creating" || current.state === "pending");
  // Without its credential, a payment can be neither checked nor cancelled.
  if (isOpen && hasClient(context, current)) {
    return reuseOrEnd(context, claim, order, current);
  }
  if (current !== null && !isOpen && isFinal(current, order))
    return paymentView(context, current, finalStatus(current));
  const started = await payments.start(newPayment(context, order, locale));
  if (started.order !== null) throw new Error(`New payment ${started.id} already has a Tillgate order.`);
  await claim.extend();
  const { payment, remote } = await createTillgateOrder(context, started);
  return remote.status === "PENDING" ? paymentView(context, payment, "pending") : null;
}

/** Returns an open payment that still matches the store order; otherwise, completes or cancels the payment and returns null. */
async function reuseOrEnd(
  context: ConnectorContext,
  claim: Claim,
  order: StoreOrder,
  current: Payment,
): Promise<PaymentView | null> {
  const { payment, remote } = await fetchOrder(context, claim, current);
  let latest = remote;
  if (remote.status === "PENDING") {
    const reason = staleReason(context, payment, order);
    if (reason === null) return paymentView(context, payment, "pending");
    latest = await cancelTillgateOrder(context, claim, payment, reason);
  }
  // The connector's own cancellation does not change the store.
  if (latest === remote || latest.trx_id !== null) await applyOrder(context, claim, latest);
  return null;
}

async function fetchOrder(
  context: ConnectorContext,
  claim: Claim,
  current: Payment,
): Promise<{ payment: PlacedPayment; remote: Order }> {
  if (current.order === null) {
    await claim.extend();
    return createTillgateOrder(context, current);
  }
  const tillgate = tillgateClient(context, current.credential);
  return { payment: current, remote: await tillgate.orders.get(current.order.tillgateOrderId) };
}

/** Returns why the payment no longer matches the order, by the rules for a change in the store; null if it still matches. */
function staleReason(context: ConnectorContext, payment: PlacedPayment, order: StoreOrder): string | null {
  // A payment of another mode or account must not pay this order.
  if (!isCurrentCredential(context, payment)) return context.rules.reason("account_changed");
  const decision = context.rules.decide({
    event: "store.changed",
    status: ruleStatus(order),
    attempt: "current",
    method: order.paymentMethod === context.settings.paymentMethod ? "tillgate" : "other",
    payment: order.transactionId === "" ? "none" : "other",
    amount: isSameAmount(payment, order) ? "same" : "different",
    cancelled_by: "other",
    origin: "tillgate",
    delivery: "first",
  });
  if (decision.reason === null) return null;
  return fillNote(decision.reason, {
    status: statusName(order.status),
    store_total: `${order.total} ${order.currency}`,
  });
}

/** A payment is final if it is paid, or was refunded and the order cannot be paid again. */
function isFinal(current: Payment, order: StoreOrder): current is PlacedPayment {
  if (current.state === "paid") return true;
  return current.state === "refunded" && !order.isPayable;
}

function newPayment({ settings }: ConnectorContext, order: StoreOrder, locale: string | undefined) {
  if (order.paymentMethod !== settings.paymentMethod) {
    throw new ConnectorError("not_payable", "This order has another payment method.");
  }
  if (!order.isPayable) {
    throw new ConnectorError("not_payable", `This order is ${order.status} and cannot be paid.`);
  }
  const amountMinor = parseTotal(order);
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

function parseTotal(order: StoreOrder): bigint {
  try {
    return readStoreTotal(order.total, order.currency);
  } catch (error) {
    if (error instanceof StoreAmountError)
      throw new ConnectorError("not_payable", error.message, { cause: error });
    throw error;
  }
}
