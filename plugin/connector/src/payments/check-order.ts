import { fillNote } from "../rules.js";
import type { StoreOrder } from "../store/store-access.js";
import { applyOrder } from "./apply-order.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { type HeldClaim, withOrderClaim } from "./claim.js";
import { compareRefunds } from "./compare-refunds.js";
import type { ConnectorContext } from "./context.js";
import { isReachable } from "./credentials.js";
import type { OrderFact } from "./facts.js";
import { sendOutgoingRefunds } from "./send-outgoing-refunds.js";
import { noteFieldsOf, situationOf } from "./situation.js";

/**
 * Looks at a store order that changed in the shop. If it no longer waits for its payment (cancelled, edited, another
 * method, paid otherwise, deleted), its Tillgate order is cancelled. If that comes too late, the payment wins. Refunds that
 * were made there are sent to Tillgate.
 * @throws StoreError, the client's errors, ConnectorError `busy`: to be repeated
 */
export async function checkOrder(context: ConnectorContext, storeOrderId: number): Promise<void> {
  const { store } = context;
  await withOrderClaim(context, storeOrderId, async (held) => {
    const order = await store.order(storeOrderId);
    await followPayment(context, held, storeOrderId, order);
    if (order === null) return;
    await settleMismatch(context, order);
    if (await sendOutgoingRefunds(context, held, order)) await compareRefunds(context, order);
  });
}

async function followPayment(
  context: ConnectorContext,
  held: HeldClaim,
  storeOrderId: number,
  order: StoreOrder | null,
): Promise<void> {
  const { payments, rules, settings } = context;
  const payment = await payments.current(storeOrderId);
  // A payment whose call was interrupted is finished by its own check, and looked at then.
  if (payment === null || payment.order === null || payment.state !== "pending") return;
  if (!isReachable(context, payment)) return;
  const occurrence = { event: "store.changed" } as const;
  const decision = rules.decide(situationOf(occurrence, payment, order, settings.paymentMethod));
  if (decision.action !== "cancel_attempt" || decision.reason === null) return;
  await cancelOrApply(
    context,
    held,
    payment,
    fillNote(decision.reason, noteFieldsOf(rules, occurrence, payment, order)),
  );
}

/**
 * Removes the order's problem from the health panel once its owner has dealt with it: once no payment of the order would
 * still need a person, were it reported now.
 * @param order as it was read before the payment was followed; an order that this has changed is checked again later
 */
async function settleMismatch(
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
    const decision = rules.decide(situationOf(fact, payment, order, settings.paymentMethod));
    return decision.attention || decision.action === "refund_payment";
  });
  if (!needsPerson) await reporter.settled("mismatch", `order ${order.id}`);
}

async function cancelOrApply(
  context: ConnectorContext,
  held: HeldClaim,
  payment: Parameters<typeof cancelTillgateOrder>[2],
  reason: string,
): Promise<void> {
  const remote = await cancelTillgateOrder(context, held, payment, reason);
  if (remote.status === "CANCELLED" || remote.status === "EXPIRED") return;
  await applyOrder(context, held, remote);
}
