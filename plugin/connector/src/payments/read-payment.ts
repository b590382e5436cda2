import { createHash, timingSafeEqual } from "node:crypto";
import { TillgateError } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { StoreError, type StoreOrder } from "../store/store-access.js";
import { decimalText } from "../store/store-amount.js";
import { applyOrder } from "./apply-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { hasClient, tillgateClient } from "./credentials.js";

const digest = (text: string): Buffer => createHash("sha256").update(text, "utf8").digest();

/** Reads the order. A wrong key and an unknown order give the same error. @throws ConnectorError `order_not_found`, StoreError */
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

/** `checking` means that the status is not known yet, because Tillgate or the store is unavailable or the order is being updated; poll again. */
export type PaymentStatus = "paid" | "pending" | "expired" | "cancelled" | "checking" | "refunded";

export type PaymentView = {
  payment_url: string;
  qr_data: string | null;
  /** Decimal text with exactly the currency's decimal places: `41.50`. */
  amount: string;
  currency: string;
  /** ISO 8601, whole seconds, `+00:00`. */
  expires_at: string;
  /** Seconds until `expires_at` by Tillgate's clock, for a countdown that does not depend on the clock of the shopper's device. */
  expires_in: number;
  status: PaymentStatus;
  /** The shop should mark sandbox payments as test payments. Null for old payments without a stored mode. */
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

/** Returns `checking` while the outcome is not stored, and `expired` if the connector cancelled the payment. */
export function finalStatus(payment: PlacedPayment): PaymentStatus {
  if (payment.state === "pending") return "checking";
  // An order whose payment the connector cancelled (because the order was edited) can be paid again.
  return payment.state === "cancelled" && payment.cancelReason !== null ? "expired" : payment.state;
}

/** Timeout of the request to Tillgate while the shopper waits. After a timeout, the status is `checking`. */
const FETCH_TIMEOUT_MS = 5_000;

export type ReadPaymentView = PaymentView & {
  shop_status: string;
};

/**
 * Returns `paid` only once the store order is updated. Returns `checking` if reading or applying the payment's state fails, and `expired`
 * if the credential of an open payment is no longer configured.
 * @throws ConnectorError `order_not_found`, `payment_not_found`; StoreError if the order cannot be read
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
    throw new ConnectorError("payment_not_found", "No payment has been started for this order.");
  }
  if (current.state !== "pending") {
    const status =
      order.status === "refunded" && current.state === "paid" ? "refunded" : finalStatus(current);
    return { ...paymentView(context, current, status), shop_status: order.status };
  }
  const status = await fetchAndApply(context, current);
  // Applying the payment's state may have changed the order.
  const after = status === "pending" ? order : ((await store.order(storeOrderId)) ?? order);
  return { ...paymentView(context, current, status), shop_status: after.status };
}

async function fetchAndApply(context: ConnectorContext, payment: PlacedPayment): Promise<PaymentStatus> {
  const { payments, log, reporter } = context;
  // The order can be paid again with the current credential.
  if (!hasClient(context, payment)) return "expired";
  try {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    const remote = await tillgateClient(context, payment.credential).orders.get(
      payment.order.tillgateOrderId,
      {
        signal,
      },
    );
    if (remote.status === "PENDING") return "pending";
    await withOrderClaim(context, payment.storeOrderId, (claim) => applyOrder(context, claim, remote));
    const after = await payments.byId(payment.id);
    return after === null || after.order === null ? "checking" : finalStatus(after);
  } catch (error) {
    // The webhook or the next sweep will apply the payment's state, and the page polls again.
    if (!(error instanceof TillgateError || error instanceof StoreError || error instanceof ConnectorError))
      throw error;
    await reporter.error("checking a payment’s status", error, payment.storeOrderId);
    log.warn({ order: payment.storeOrderId, error: error.message }, "Could not check the payment's status");
    return "checking";
  }
}
