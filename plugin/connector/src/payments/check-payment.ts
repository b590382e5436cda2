import type { Payment } from "../records/records.js";
import { applyOrder } from "./apply-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { tillgateOf } from "./credentials.js";
import { lookAtOrder } from "./look-at-order.js";

/**
 * Asks the API about a payment under way and brings its state into the store, as a lost webhook would have done. A payment
 * whose call was interrupted is finished first.
 */
export async function checkPayment(context: ConnectorContext, payment: Payment): Promise<void> {
  const { storeOrderId } = payment;
  if (payment.order !== null) {
    const remote = await tillgateOf(context, payment.credential).orders.get(payment.order.tillgateOrderId);
    if (remote.status === "PENDING") return;
    await withOrderClaim(context, storeOrderId, (held) => applyOrder(context, held, remote));
    return;
  }
  const isOpen = await withOrderClaim(context, storeOrderId, async (held) => {
    const now = await context.payments.byId(payment.id);
    if (now === null || now.state === "refused") return false;
    if (now.order !== null) return now.state === "pending";
    await held.keep();
    const { remote } = await createTillgateOrder(context, now);
    await applyOrder(context, held, remote);
    return remote.status === "PENDING";
  });
  // A change in the store was skipped while there was no order yet to cancel.
  if (isOpen) await lookAtOrder(context, storeOrderId);
}
