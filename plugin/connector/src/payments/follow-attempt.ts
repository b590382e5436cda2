import type { Order } from "@tillgate/contract";
import type { Attempt, KnownAttempt } from "../records/records.js";
import { fillNote } from "../rules.js";
import { applyFact } from "./apply-fact.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { type HeldClaim, withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { factsOfOrder } from "./facts.js";
import { noteFieldsOf, situationOf } from "./situation.js";

/**
 * Asks the API about an attempt that is under way and brings its word into the store: what a lost webhook would have
 * done. An attempt whose call was interrupted is finished first.
 *
 * @returns whether it may still be under way
 */
export async function checkAttempt(context: ConnectorContext, attempt: Attempt): Promise<boolean> {
  if (attempt.order !== null) {
    const remote = await context.tillgate.orders.get(attempt.order.tillgateOrderId);
    if (remote.status === "PENDING") return true;
    await withOrderClaim(context, attempt.storeOrderId, (held) => applyAll(context, held, remote));
    return false;
  }
  const underWay = await withOrderClaim(context, attempt.storeOrderId, async (held) => {
    const now = await context.attempts.byId(attempt.id);
    if (now === null || now.state === "refused") return false;
    if (now.order !== null) return now.state === "pending";
    await held.keep();
    const { remote } = await createTillgateOrder(context, now);
    await applyAll(context, held, remote);
    return remote.status === "PENDING";
  });
  // A change in the shop while there was no order yet to cancel was read past.
  if (underWay) await followStoreOrder(context, attempt.id);
  return underWay;
}

/**
 * Looks at a store order that changed in the shop: where it does not wait for its payment any more (cancelled, edited,
 * another method, paid otherwise) its Tillgate order is cancelled. Where that comes too late, the payment wins.
 */
export async function followStoreOrder(context: ConnectorContext, attemptId: bigint): Promise<void> {
  const { attempts, store, rules, settings } = context;
  const open = await attempts.byId(attemptId);
  if (open === null) return;
  await withOrderClaim(context, open.storeOrderId, async (held) => {
    const attempt = await attempts.byId(attemptId);
    // An attempt whose call was interrupted is finished by its own check, and looked at then.
    if (attempt === null || attempt.state !== "pending" || !attempt.isCurrent) return;
    const order = await store.order(attempt.storeOrderId);
    if (order === null) return;
    const occurrence = { event: "store.changed" } as const;
    const decision = rules.decide(situationOf(occurrence, attempt, order, settings.paymentMethod));
    if (decision.action !== "cancel_attempt" || decision.reason === null) return;
    const reason = fillNote(decision.reason, noteFieldsOf(occurrence, attempt, order));
    await cancelOrApply(context, held, attempt, reason);
  });
}

async function cancelOrApply(
  context: ConnectorContext,
  held: HeldClaim,
  attempt: KnownAttempt,
  reason: string,
): Promise<void> {
  const remote = await cancelTillgateOrder(context, held, attempt, reason);
  if (remote.status === "CANCELLED" || remote.status === "EXPIRED") return;
  await applyAll(context, held, remote);
}

async function applyAll(context: ConnectorContext, held: HeldClaim, remote: Order): Promise<void> {
  for (const fact of factsOfOrder(remote)) await applyFact(context, held, fact);
}
