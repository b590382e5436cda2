import type { Order } from "@tillgate/contract";
import { type ApplyOptions, applyFact } from "./apply-fact.js";
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { toOrderFacts } from "./facts.js";
import { followPaymentRefunds } from "./follow-refunds.js";

/** Applies the outcome read from the API, and schedules checks of partial or pending refunds. */
export async function applyOrder(
  context: ConnectorContext,
  claim: Claim,
  remote: Order,
  options: ApplyOptions = {},
): Promise<void> {
  const payment = await context.payments.byTillgateOrder(remote.order_id);
  for (const fact of toOrderFacts(remote)) await applyFact(context, claim, fact, options);
  const isPartlyRefunded = remote.status !== "REFUNDED" && remote.refunded_amount > 0;
  if (remote.trx_id !== null && (isPartlyRefunded || remote.status === "REFUND_PENDING")) {
    await followPaymentRefunds(context, payment?.credential ?? null, remote.trx_id);
  }
}
