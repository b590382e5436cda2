import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import type { PlacedPayment } from "../records/records.js";
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";

/**
 * Stores the reason, and cancels the Tillgate order. The reason is stored before the cancellation, so that the resulting event is not attributed
 * to the shopper. If the order is then cancelled or expired, the payment gets the same state.
 * @param reason completes "was cancelled because …"
 * @returns the order, which may have expired or been paid before; the caller must handle a paid or refunded order
 */
export async function cancelTillgateOrder(
  context: ConnectorContext,
  claim: Claim,
  payment: PlacedPayment,
  reason: string,
): Promise<Order> {
  const { payments, log } = context;
  const tillgate = tillgateClient(context, payment.credential);
  const { tillgateOrderId } = payment.order;
  await claim.extend();
  await payments.markCancelling(payment.id, reason);
  let remote: Order;
  try {
    remote = await tillgate.orders.cancel(tillgateOrderId);
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    remote = await tillgate.orders.get(tillgateOrderId);
  }
  if (remote.status === "CANCELLED") await payments.complete(payment.id, "cancelled", null);
  if (remote.status === "EXPIRED") await payments.complete(payment.id, "expired", null);
  log.info(
    { order: payment.storeOrderId, tillgateOrder: tillgateOrderId, status: remote.status },
    `Cancellation requested because ${reason}`,
  );
  return remote;
}
