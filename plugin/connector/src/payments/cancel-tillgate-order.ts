import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import type { PlacedPayment } from "../records/records.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

/**
 * Cancels the Tillgate order of a payment, for a reason of the connector's own. The reason is stored before the call,
 * so that the event that follows is not taken for the shopper's wish.
 *
 * @param reason completes "was cancelled because …"
 * @returns the order as it is now: CANCELLED, or what it already was; a PAID one is for the caller to act on
 */
export async function cancelTillgateOrder(
  context: ConnectorContext,
  held: HeldClaim,
  payment: PlacedPayment,
  reason: string,
): Promise<Order> {
  const { payments, log } = context;
  const tillgate = tillgateOf(context, payment.credential);
  const { tillgateOrderId } = payment.order;
  await held.keep();
  await payments.cancelling(payment.id, reason);
  let remote: Order;
  try {
    remote = await tillgate.orders.cancel(tillgateOrderId);
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    remote = await tillgate.orders.get(tillgateOrderId);
  }
  if (remote.status === "CANCELLED") await payments.settled(payment.id, "cancelled", null);
  if (remote.status === "EXPIRED") await payments.settled(payment.id, "expired", null);
  log.info(
    { order: payment.storeOrderId, tillgateOrder: tillgateOrderId, status: remote.status },
    `Asked Tillgate to cancel because ${reason}`,
  );
  return remote;
}
