import { applyFact } from "./apply-fact.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

/** The longest wait between two looks at a refund that waits for approval, in milliseconds. */
const MAX_WAIT_MS = 30 * 60_000;
/** The older it is, the later it is asked about again: after this part of its age. */
const PART_OF_AGE = 1 / 16;

/**
 * Asks Tillgate about a refund that is followed, and brings its end into the store.
 *
 * @returns in how many milliseconds it is to be asked about again
 */
export async function checkRefund(
  context: ConnectorContext,
  refundId: string,
  storeOrderId: number,
): Promise<number> {
  const { clocks, payments, settings } = context;
  const of = await payments.current(storeOrderId);
  const refund = await tillgateOf(context, of?.credential ?? null).refunds.get(refundId);
  if (refund.status === "pending") {
    const ageMs = clocks.nowMs("tillgate") - Date.parse(refund.created_at);
    return Math.min(Math.max(ageMs * PART_OF_AGE, settings.sweepIntervalMs), MAX_WAIT_MS);
  }
  const [payment] = await payments.byTransactions([refund.transaction_id]);
  if (payment === undefined) throw new Error(`No payment of this store is ${refund.transaction_id}.`);
  await withOrderClaim(context, payment.storeOrderId, (held) =>
    applyFact(context, held, {
      event: refund.status === "completed" ? "refund.completed" : "refund.failed",
      tillgateOrderId: payment.order.tillgateOrderId,
      trxId: refund.transaction_id,
      refund,
    }),
  );
  return settings.sweepIntervalMs;
}
