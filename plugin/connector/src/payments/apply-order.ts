import type { Order } from "@tillgate/contract";
import { type ApplyOptions, applyFact } from "./apply-fact.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { factsOfOrder } from "./facts.js";
import { followRefundsOf } from "./follow-refunds.js";

/** Brings the API's state of an order into the store: its end, and the refunds that the end does not show. */
export async function applyOrder(
  context: ConnectorContext,
  held: HeldClaim,
  remote: Order,
  options: ApplyOptions = {},
): Promise<void> {
  const known = await context.payments.byTillgateOrder(remote.order_id);
  for (const fact of factsOfOrder(remote)) await applyFact(context, held, fact, options);
  const isPartlyRefunded = remote.status !== "REFUNDED" && remote.refunded_amount > 0;
  if (remote.trx_id !== null && (isPartlyRefunded || remote.status === "REFUND_PENDING")) {
    await followRefundsOf(context, known?.credential ?? null, remote.trx_id);
  }
}
