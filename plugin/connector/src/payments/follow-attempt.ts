import type { Attempt } from "../records/records.js";
import { applyOrder } from "./apply-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { tillgateOf } from "./credentials.js";
import { lookAtOrder } from "./look-at-order.js";

/**
 * Asks the API about an attempt that is under way and brings its word into the store: what a lost webhook would have
 * done. An attempt whose call was interrupted is finished first.
 *
 * @returns whether it may still be under way
 */
export async function checkAttempt(context: ConnectorContext, attempt: Attempt): Promise<boolean> {
  if (attempt.order !== null) {
    const remote = await tillgateOf(context, attempt.credential).orders.get(attempt.order.tillgateOrderId);
    if (remote.status === "PENDING") return true;
    await withOrderClaim(context, attempt.storeOrderId, (held) => applyOrder(context, held, remote));
    return false;
  }
  const underWay = await withOrderClaim(context, attempt.storeOrderId, async (held) => {
    const now = await context.attempts.byId(attempt.id);
    if (now === null || now.state === "refused") return false;
    if (now.order !== null) return now.state === "pending";
    await held.keep();
    const { remote } = await createTillgateOrder(context, now);
    await applyOrder(context, held, remote);
    return remote.status === "PENDING";
  });
  // A change in the shop while there was no order yet to cancel was read past.
  if (underWay) await lookAtOrder(context, attempt.storeOrderId);
  return underWay;
}
