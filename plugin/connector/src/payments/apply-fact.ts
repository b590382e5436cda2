import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { type Action, fillNote } from "../rules.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import { carryOut, type Outcome, type Task } from "./carry-out.js";
import type { HeldClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { tillgateOf } from "./credentials.js";
import { factsOfOrder, isRefundFact, type PaymentFact } from "./facts.js";
import { findOutgoingRefund } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";
import { noteFieldsOf, situationOf } from "./situation.js";

/** Somebody else may change the store order between reading and writing: then the decision is made again. */
const MAX_ROUNDS = 3;
/** Refunds that are reported shortly after each other are compared once, in milliseconds. */
const COMPARE_AFTER_MS = 5_000;

export type ApplyOptions = {
  /**
   * A repair: what the records say was done is decided and done again, because the store does not show it. A record of a
   * refund that was deleted in the store is made again.
   */
  again?: boolean;
  /** An event of a replay: decided again too, by rules that leave alone what the store still shows. */
  replayed?: boolean;
};

/** What was done, in one word for the record of the event, and how the store's order stands, where that was read after it. */
export type Applied = { action: Action | "known"; orderStatus?: string };

/**
 * The one function that changes a store order. Webhook, sweep, status check and the shop's own page all come here, under
 * the order's claim. It reads the store's order, decides by the rules, carries out, reads back, and notes.
 * @throws ConnectorError `order_not_found`, `store_did_not_follow`; StoreError and the client's errors where the outcome is
 * not known: to be repeated
 */
export async function applyFact(
  context: ConnectorContext,
  held: HeldClaim,
  fact: PaymentFact,
  options: ApplyOptions = {},
): Promise<Applied> {
  const { payments, settings, store, rules } = context;
  const payment = await payments.byTillgateOrder(fact.tillgateOrderId);
  if (payment === null)
    throw new ConnectorError("order_not_found", `No order of this store has ${fact.tillgateOrderId}.`);
  const { replayed = false } = options;
  const again = options.again === true || replayed;
  if (!again && isKnown(payment, fact)) return { action: "known" };
  if (fact.event === "pos.order.paid" && fact.trxId === null) {
    throw new Error(`${fact.tillgateOrderId} is paid without a transaction.`);
  }

  // Its records are compared with Tillgate's refunds, also if this process ends in between.
  if (isRefundFact(fact) || fact.event === "pos.order.refunded")
    await scheduleChecks(context, [payment.storeOrderId], COMPARE_AFTER_MS);
  const outgoing = isRefundFact(fact)
    ? await findOutgoingRefund(context, payment.storeOrderId, fact.refund, again)
    : null;
  if (!again && outgoing?.state === "completed" && fact.event === "refund.completed")
    return { action: "known" };

  const told = replayed && isKnown(payment, fact) ? "again" : "first";
  let paidApplied = false;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const order = await store.order(payment.storeOrderId);
    const origin = outgoing === null ? "tillgate" : "store";
    const decision = rules.decide(
      situationOf(fact, payment, order, settings.paymentMethod, { origin, told }),
    );
    if (decision.action === "apply_paid_first" && !paidApplied) {
      await applyPaidFirst(context, held, payment, { replayed });
      paidApplied = true;
      continue;
    }
    const task: Task = { fact, payment, order, decision, outgoing, again };
    const outcome = await carryOutOrReport(context, held, task);
    if (!outcome.done) continue;
    if (decision.cancelCurrent) await cancelNewerPayment(context, held, payment);
    if (outcome.result !== "nothing") await sendNote(context, task, outcome.result ?? "done");
    await remember(context, payment, fact);
    await context.reporter.settled("given_up", `payment of order ${payment.storeOrderId}`);
    context.log.info(
      { order: payment.storeOrderId, tillgateOrder: fact.tillgateOrderId, event: fact.event },
      `${fact.event}: ${decision.action}`,
    );
    const { orderStatus } = outcome;
    return { action: decision.action, ...(orderStatus === undefined ? {} : { orderStatus }) };
  }
  const fields = { event: fact.event, tillgate_order: fact.tillgateOrderId };
  await addNoteOnce(context, payment.storeOrderId, rules.note("not_applied", fields));
  const text = `Order ${payment.storeOrderId} did not take ${fact.event}.`;
  throw new ConnectorError("store_did_not_follow", text);
}

/** Whether this end of the payment is in the shop already. Refunds are matched one by one instead. */
function isKnown(payment: PlacedPayment, fact: PaymentFact): boolean {
  switch (fact.event) {
    case "pos.order.paid":
      return payment.state === "paid" || payment.state === "refunded";
    case "pos.order.expired":
      return payment.state === "expired";
    case "pos.order.cancelled":
      return payment.state === "cancelled" && payment.cancelReason === null;
    default:
      return false;
  }
}

/** If the outcome is unknown, the person who has to look gets a report at once, not only when it is given up. */
async function carryOutOrReport(context: ConnectorContext, held: HeldClaim, task: Task): Promise<Outcome> {
  try {
    return await carryOut(context, held, task);
  } catch (error) {
    if (task.decision.attention) {
      await raise(context, task, noteOf(context, task, context.rules.phrase("outcome_not_known")));
    }
    throw error;
  }
}

/** Writes the decision's note on the order, and to the health panel where a person should look. */
async function sendNote(context: ConnectorContext, task: Task, result: string): Promise<void> {
  const note = noteOf(context, task, result);
  if (note === null) return;
  if (task.order !== null) await addNoteOnce(context, task.order.id, note);
  if (task.decision.attention) await raise(context, task, note);
}

const noteOf = ({ rules }: ConnectorContext, { fact, payment, order, decision }: Task, result: string) =>
  decision.note === null
    ? null
    : fillNote(decision.note, { ...noteFieldsOf(rules, fact, payment, order), result });

async function raise({ reporter }: ConnectorContext, { payment }: Task, text: string | null): Promise<void> {
  if (text === null) return;
  const { storeOrderId } = payment;
  await reporter.problem({ kind: "mismatch", subject: `order ${storeOrderId}`, storeOrderId, text });
}

/** A refund may arrive before its payment: the API knows the payment, and then both are in the shop. */
async function applyPaidFirst(
  context: ConnectorContext,
  held: HeldClaim,
  payment: PlacedPayment,
  options: ApplyOptions,
): Promise<void> {
  const remote = await tillgateOf(context, payment.credential).orders.get(payment.order.tillgateOrderId);
  const paid = factsOfOrder(remote).find(({ event }) => event === "pos.order.paid");
  if (paid === undefined)
    throw new Error(`${remote.order_id} was refunded, but the API says ${remote.status}.`);
  await applyFact(context, held, paid, options);
}

/** An older payment has paid the order, so its current one must not be paid as well. */
async function cancelNewerPayment(
  context: ConnectorContext,
  held: HeldClaim,
  paidBy: PlacedPayment,
): Promise<void> {
  const current = await context.payments.current(paidBy.storeOrderId);
  if (current === null || current.id === paidBy.id) return;
  if (current.state !== "creating" && current.state !== "pending") return;
  const open = current.order === null ? (await createTillgateOrder(context, current)).payment : current;
  // If it was paid at the same moment, its own event or the sweep finds a paid order and pays it back.
  await cancelTillgateOrder(context, held, open, context.rules.reason("paid_by_older"));
}

async function remember(
  { payments, followedRefunds, outgoingRefunds }: ConnectorContext,
  payment: PlacedPayment,
  fact: PaymentFact,
): Promise<void> {
  if (isRefundFact(fact)) {
    const { refund_id: refundId } = fact.refund;
    if (fact.event === "refund.failed") return followedRefunds.failed(refundId);
    // If the order's status allows no record, its end is still known.
    await followedRefunds.recorded(refundId, null);
    // A refund that the shop deleted while it waited for approval was recorded like any other.
    const waited = await outgoingRefunds.find(payment.storeOrderId, {
      refundId,
      reference: fact.refund.reference,
    });
    if (waited !== null) await outgoingRefunds.answered(waited.recordId, "completed", refundId);
    return;
  }
  switch (fact.event) {
    case "pos.order.paid":
      // A replay tells of it after its refund.
      if (payment.state === "refunded") return;
      return payments.settled(payment.id, "paid", fact.trxId);
    case "pos.order.refunded":
      return payments.settled(payment.id, "refunded", fact.trxId);
    case "pos.order.expired":
    case "pos.order.cancelled":
      // An end stays: a late event of another end is only a note.
      if (payment.state !== "pending") return;
      return payments.settled(payment.id, fact.event === "pos.order.expired" ? "expired" : "cancelled", null);
  }
}
