import { TillgateApiError } from "@tillgate/client";
import type { Order } from "@tillgate/contract";
import type { KnownAttempt } from "../records/records.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

/**
 * Cancels the Tillgate order of an attempt, for a reason of the connector's own. The reason is stored before the call,
 * so that the event that follows is not taken for the shopper's wish.
 *
 * @param reason completes "was cancelled because …"
 * @returns the order as it is now: CANCELLED, or what it already was; a PAID one is for the caller to act on
 */
export async function cancelTillgateOrder(
  context: ConnectorContext,
  held: HeldClaim,
  attempt: KnownAttempt,
  reason: string,
): Promise<Order> {
  const { attempts, log, settings } = context;
  const tillgate = tillgateOf(context, attempt.credential);
  const { tillgateOrderId } = attempt.order;
  await held.keep();
  await attempts.cancelling(attempt.id, reason);
  let remote: Order;
  try {
    remote = await tillgate.orders.cancel(tillgateOrderId);
  } catch (error) {
    if (!(error instanceof TillgateApiError) || error.status !== 422) throw error;
    remote = await tillgate.orders.get(tillgateOrderId);
  }
  if (remote.status === "CANCELLED") await attempts.settled(attempt.id, "cancelled", null);
  if (remote.status === "EXPIRED") await attempts.settled(attempt.id, "expired", null);
  log.info(
    {
      store: settings.storeId,
      order: attempt.storeOrderId,
      tillgateOrder: tillgateOrderId,
      status: remote.status,
    },
    `Asked Tillgate to cancel because ${reason}`,
  );
  return remote;
}
