import type { PlacedPayment } from "../records/records.js";
import { decimalText } from "../store/store-amount.js";
import type { ConnectorContext } from "./context.js";

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
