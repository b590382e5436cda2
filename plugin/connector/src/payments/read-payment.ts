import { TillgateError } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { StoreError } from "../store/store-access.js";
import { applyOrder } from "./apply-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { isReachable, tillgateOf } from "./credentials.js";
import { readOrderWithKey } from "./order-key.js";
import { type PaymentStatus, type PaymentView, paymentView, settledStatus } from "./payment-view.js";

/** How long the shopper's screen waits for Tillgate's answer, in milliseconds; after that it says "checking". */
const ASK_TIMEOUT_MS = 5_000;

export type ReadPaymentView = PaymentView & {
  /** The store order's own status. */
  shop_status: string;
};

/**
 * The state of a store order's payment, for the page the shopper returns to. If the store does not know an end yet, it asks
 * the API, and brings its state into the store first: "paid" is never shown before the store has it.
 * @throws ConnectorError `order_not_found`, `payment_not_found`; StoreError where the order cannot be read
 */
export async function readPayment(
  context: ConnectorContext,
  storeOrderId: number,
  orderKey: string,
): Promise<ReadPaymentView> {
  const { payments, store } = context;
  const order = await readOrderWithKey(context, storeOrderId, orderKey);
  const current = await payments.current(storeOrderId);
  if (current === null || current.order === null) {
    throw new ConnectorError("payment_not_found", "No payment was started for this order");
  }
  if (current.state !== "pending") {
    const status =
      order.status === "refunded" && current.state === "paid" ? "refunded" : settledStatus(current);
    return { ...paymentView(context, current, status), shop_status: order.status };
  }
  const status = await askAndApply(context, current);
  // What was applied has changed the order.
  const after = status === "pending" ? order : ((await store.order(storeOrderId)) ?? order);
  return { ...paymentView(context, current, status), shop_status: after.status };
}

async function askAndApply(context: ConnectorContext, payment: PlacedPayment): Promise<PaymentStatus> {
  const { payments, log, reporter } = context;
  // It can be paid again.
  if (!isReachable(context, payment)) return "expired";
  try {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
    const remote = await tillgateOf(context, payment.credential).orders.get(payment.order.tillgateOrderId, {
      signal,
    });
    if (remote.status === "PENDING") return "pending";
    await withOrderClaim(context, payment.storeOrderId, (held) => applyOrder(context, held, remote));
    const after = await payments.byId(payment.id);
    return after === null || after.order === null ? "checking" : settledStatus(after);
  } catch (error) {
    // The webhook and the sweep go on; the screen asks again.
    if (!(error instanceof TillgateError || error instanceof StoreError || error instanceof ConnectorError))
      throw error;
    await reporter.error("asking where a payment stands", error, payment.storeOrderId);
    log.warn({ order: payment.storeOrderId, error: error.message }, "The payment's status is not known yet");
    return "checking";
  }
}
