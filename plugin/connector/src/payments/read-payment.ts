import { createHash, timingSafeEqual } from "node:crypto";
import { TillgateError } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { StoreError, type StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";
import { applyOrder } from "./apply-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { isReachable, tillgateOf } from "./credentials.js";

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/**
 * Reads a store order for somebody who must know its key. A wrong key and an unknown order are one answer, and the
 * comparison takes the same time wherever the key differs.
 *
 * @throws ConnectorError `not_found`, StoreError
 */
export async function readOrderWithKey(
  context: ConnectorContext,
  storeOrderId: number,
  orderKey: string,
): Promise<StoreOrder> {
  const order = await context.store.order(storeOrderId);
  if (order === null || !timingSafeEqual(digest(order.orderKey), digest(orderKey))) {
    throw new ConnectorError("order_not_found", "Order not found");
  }
  return order;
}

/**
 * Where a payment stands, for the shopper's screen. `checking`: Tillgate or the store cannot be asked, or is just being
 * told; ask again.
 */
export type PaymentStatus = "paid" | "pending" | "expired" | "cancelled" | "checking" | "refunded";

/** The answer of the shop-facing edge. */
export type PaymentView = {
  /** Where the shopper pays. */
  payment_url: string;
  /** What the QR encodes. */
  qr_data: string | null;
  /** Decimal text in exactly the currency's digits: `41.50`. */
  amount: string;
  currency: string;
  /** ISO 8601, whole seconds, `+00:00`. */
  expires_at: string;
  /** Seconds until then by Tillgate's clock, for a countdown that does not depend on the clock of the shopper's device. */
  expires_in: number;
  status: PaymentStatus;
  /** sandbox: no real money moves, which a shop says. Null for one from before that was kept. */
  mode: "sandbox" | "live" | null;
};

export function paymentView(
  { clocks }: Pick<ConnectorContext, "clocks">,
  payment: PlacedPayment,
  status: PaymentStatus,
): PaymentView {
  const leftMs = payment.order.expiresAt.getTime() - clocks.nowMs("tillgate");
  return {
    payment_url: payment.order.paymentUrl,
    qr_data: payment.order.qrData,
    amount: decimalText(payment.amountMinor, payment.currency),
    currency: payment.currency,
    expires_at: payment.order.expiresAt.toISOString().replace(/\.\d+Z$/, "+00:00"),
    expires_in: Math.max(0, Math.floor(leftMs / 1000)),
    status,
    mode: payment.credential?.mode ?? null,
  };
}

/** The shopper's view of a settled payment; `checking` while it is not settled. */
export function settledStatus(payment: PlacedPayment): PaymentStatus {
  if (payment.state === "pending") return "checking";
  // An order that the connector cancelled itself, because it was edited, can be paid again.
  return payment.state === "cancelled" && payment.cancelReason !== null ? "expired" : payment.state;
}

/** How long the shopper's screen waits for Tillgate's answer, in milliseconds; after that it says "checking". */
const FETCH_TIMEOUT_MS = 5_000;

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
  const status = await fetchAndApply(context, current);
  // What was applied has changed the order.
  const after = status === "pending" ? order : ((await store.order(storeOrderId)) ?? order);
  return { ...paymentView(context, current, status), shop_status: after.status };
}

async function fetchAndApply(context: ConnectorContext, payment: PlacedPayment): Promise<PaymentStatus> {
  const { payments, log, reporter } = context;
  // It can be paid again.
  if (!isReachable(context, payment)) return "expired";
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
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
