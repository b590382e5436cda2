import { fillNote } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { applyOrder } from "./apply-order.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { type Claim, withOrderClaim } from "./claim.js";
import { compareRefunds } from "./compare-refunds.js";
import type { ConnectorContext } from "./context.js";
import { hasClient } from "./credentials.js";
import type { OrderFact } from "./facts.js";
import { sendOutgoingRefunds } from "./send-outgoing-refunds.js";
import { noteFields, toSituation } from "./situation.js";

/**
 * Processes a store order that changed in the shop: cancels a payment that is no longer needed, sends refunds made in the shop, and
 * compares the refunds.
 * @throws StoreError, ConnectorError, the client's errors; the caller retries
 */
export async function checkOrder(context: ConnectorContext, storeOrderId: number): Promise<void> {
  const { store } = context;
  await withOrderClaim(context, storeOrderId, async (claim) => {
    const order = await store.order(storeOrderId);
    await cancelUnneededPayment(context, claim, storeOrderId, order);
    if (order === null) return;
    await resolveMismatch(context, order);
    if (await sendOutgoingRefunds(context, claim, order)) await compareRefunds(context, order);
  });
}

async function cancelUnneededPayment(
  context: ConnectorContext,
  claim: Claim,
  storeOrderId: number,
  order: StoreOrder | null,
): Promise<void> {
  const { payments, rules, settings } = context;
  const payment = await payments.current(storeOrderId);
  // A payment whose creation was interrupted is completed by the check of the payment, which then calls checkOrder.
  if (payment === null || payment.order === null || payment.state !== "pending") return;
  if (!hasClient(context, payment)) return;
  const occurrence = { event: "store.changed" } as const;
  const decision = rules.decide(toSituation(occurrence, payment, order, settings.paymentMethod));
  if (decision.action !== "cancel_attempt" || decision.reason === null) return;
  await cancelOrApply(
    context,
    claim,
    payment,
    fillNote(decision.reason, noteFields(rules, occurrence, payment, order)),
  );
}

/**
 * Resolves the order's mismatch if none of its paid payments would need attention when applied now.
 * @param order as read before {@link cancelUnneededPayment}; if that call changed the order, another check follows
 */
async function resolveMismatch(
  { payments, reporter, rules, settings }: ConnectorContext,
  order: StoreOrder,
): Promise<void> {
  const needsPerson = (await payments.ofOrder(order.id)).some((payment) => {
    if (payment.state !== "paid") return false;
    const { amountMinor, currency, trxId, request } = payment;
    const fact: OrderFact = {
      event: "pos.order.paid",
      tillgateOrderId: payment.order.tillgateOrderId,
      amountMinor,
      currency,
      reference: request.reference,
      trxId,
    };
    const decision = rules.decide(toSituation(fact, payment, order, settings.paymentMethod));
    return decision.attention || decision.action === "refund_payment";
  });
  if (!needsPerson) await reporter.resolveProblem("mismatch", `order ${order.id}`);
}

async function cancelOrApply(
  context: ConnectorContext,
  claim: Claim,
  payment: Parameters<typeof cancelTillgateOrder>[2],
  reason: string,
): Promise<void> {
  const remote = await cancelTillgateOrder(context, claim, payment, reason);
  if (remote.status === "CANCELLED" || remote.status === "EXPIRED") return;
  await applyOrder(context, claim, remote);
}
