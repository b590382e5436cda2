import { ConnectorError } from "../connector-error.js";
import type { PlacedPayment } from "../records/records.js";
import { type Action, fillNote } from "../rules.js";
import { cancelTillgateOrder } from "./cancel-tillgate-order.js";
import type { Claim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { tillgateClient } from "./credentials.js";
import { executeDecision, type Outcome, type Task } from "./execute-decision.js";
import { isRefundFact, type PaymentFact, toOrderFacts } from "./facts.js";
import { findOutgoingRefund } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";
import { scheduleChecks } from "./schedule-checks.js";
import { noteFields, toSituation } from "./situation.js";

/** The rules are evaluated again if the store does not make the change, for example because the order changed between read and write. */
const MAX_ROUNDS = 3;
/** Delay of the refund comparison, so that refunds in quick succession are compared only once. */
const COMPARE_AFTER_MS = 5_000;

export type ApplyOptions = {
  /** Set by repairs. Repeats recorded changes that the store does not show, including deleted refund records. */
  reapply?: boolean;
  /** Set for replayed events. Evaluates the rules again, which preserve what the store still shows. */
  replayed?: boolean;
};

/** `orderStatus` is the store order's status, if it is known without another request. */
export type Applied = { action: Action | "known"; orderStatus?: string };

/**
 * Applies a state change of a payment to the payment's store order, which must be claimed.
 * @returns `known` if the change was already applied and `options` don't request reapplying it
 * @throws ConnectorError `order_not_found`, `store_did_not_follow`, `busy`, `credential_gone`; StoreError; the client's errors; the caller retries
 */
export async function applyFact(
  context: ConnectorContext,
  claim: Claim,
  fact: PaymentFact,
  options: ApplyOptions = {},
): Promise<Applied> {
  const { payments, settings, store, rules } = context;
  const payment = await payments.byTillgateOrder(fact.tillgateOrderId);
  if (payment === null)
    throw new ConnectorError(
      "order_not_found",
      `No order in this store belongs to Tillgate order ${fact.tillgateOrderId}.`,
    );
  const { replayed = false } = options;
  const reapply = options.reapply === true || replayed;
  if (!reapply && isApplied(payment, fact)) return { action: "known" };
  if (fact.event === "pos.order.paid" && fact.trxId === null) {
    throw new Error(`Order ${fact.tillgateOrderId} is paid but has no transaction ID.`);
  }

  // Scheduled before the change, so that the refunds are compared even if this process crashes.
  if (isRefundFact(fact) || fact.event === "pos.order.refunded")
    await scheduleChecks(context, [payment.storeOrderId], COMPARE_AFTER_MS);
  const outgoing = isRefundFact(fact)
    ? await findOutgoingRefund(context, payment.storeOrderId, fact.refund, reapply)
    : null;
  if (!reapply && outgoing?.state === "completed" && fact.event === "refund.completed")
    return { action: "known" };

  const delivery = replayed && isApplied(payment, fact) ? "repeated" : "first";
  let paidApplied = false;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const order = await store.order(payment.storeOrderId);
    const origin = outgoing === null ? "tillgate" : "store";
    const decision = rules.decide(
      toSituation(fact, payment, order, settings.paymentMethod, { origin, delivery }),
    );
    if (decision.action === "apply_paid_first" && !paidApplied) {
      await applyPaidFirst(context, claim, payment, { replayed });
      paidApplied = true;
      continue;
    }
    const task: Task = { fact, payment, order, decision, outgoing, reapply };
    const outcome = await executeOrReport(context, claim, task);
    if (!outcome.done) continue;
    if (decision.cancelCurrent) await cancelNewerPayment(context, claim, payment);
    if (outcome.result !== "nothing") await sendNote(context, task, outcome.result ?? "done");
    await saveOutcome(context, payment, fact);
    await context.reporter.resolveProblem("given_up", `payment of order ${payment.storeOrderId}`);
    context.log.info(
      { order: payment.storeOrderId, tillgateOrder: fact.tillgateOrderId, event: fact.event },
      `Applied ${fact.event} with the action ${decision.action}`,
    );
    const { orderStatus } = outcome;
    return { action: decision.action, ...(orderStatus === undefined ? {} : { orderStatus }) };
  }
  const fields = { tillgate_order: fact.tillgateOrderId };
  await addNoteOnce(context, payment.storeOrderId, rules.note("not_applied", fields));
  const text = `Order ${payment.storeOrderId} kept its status after ${fact.event}.`;
  throw new ConnectorError("store_did_not_follow", text);
}

/** Always false for refund events, because refunds are matched one by one. */
function isApplied(payment: PlacedPayment, fact: PaymentFact): boolean {
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

/** Executes the decision. On failure, if the shop owner has to act, reports the unknown outcome immediately instead of after all retries. */
async function executeOrReport(context: ConnectorContext, claim: Claim, task: Task): Promise<Outcome> {
  try {
    return await executeDecision(context, claim, task);
  } catch (error) {
    if (task.decision.attention) {
      await reportMismatch(
        context,
        task,
        createNote(context, task, context.rules.phrase("outcome_not_known")),
      );
    }
    throw error;
  }
}

/** Adds the decision's note to the order and, if the decision needs attention, to the health page. */
async function sendNote(context: ConnectorContext, task: Task, result: string): Promise<void> {
  const note = createNote(context, task, result);
  if (note === null) return;
  if (task.order !== null) await addNoteOnce(context, task.order.id, note);
  if (task.decision.attention) await reportMismatch(context, task, note);
}

const createNote = ({ rules }: ConnectorContext, { fact, payment, order, decision }: Task, result: string) =>
  decision.note === null
    ? null
    : fillNote(decision.note, { ...noteFields(rules, fact, payment, order), result });

async function reportMismatch(
  { reporter }: ConnectorContext,
  { payment }: Task,
  text: string | null,
): Promise<void> {
  if (text === null) return;
  const { storeOrderId } = payment;
  await reporter.reportProblem({ kind: "mismatch", subject: `order ${storeOrderId}`, storeOrderId, text });
}

/** Reads the payment from the API and applies its state, because a refund's event arrived before the payment's own event. */
async function applyPaidFirst(
  context: ConnectorContext,
  claim: Claim,
  payment: PlacedPayment,
  options: ApplyOptions,
): Promise<void> {
  const remote = await tillgateClient(context, payment.credential).orders.get(payment.order.tillgateOrderId);
  const paid = toOrderFacts(remote).find(({ event }) => event === "pos.order.paid");
  if (paid === undefined)
    throw new Error(`${remote.order_id} was refunded, but its status in the API is ${remote.status}.`);
  await applyFact(context, claim, paid, options);
}

async function cancelNewerPayment(
  context: ConnectorContext,
  claim: Claim,
  paidBy: PlacedPayment,
): Promise<void> {
  const current = await context.payments.current(paidBy.storeOrderId);
  if (current === null || current.id === paidBy.id) return;
  if (current.state !== "creating" && current.state !== "pending") return;
  const open = current.order === null ? (await createTillgateOrder(context, current)).payment : current;
  // If the newer payment was paid at the same time, its event or the next sweep finds the paid order and refunds the payment.
  await cancelTillgateOrder(context, claim, open, context.rules.reason("paid_by_earlier"));
}

async function saveOutcome(
  { payments, followedRefunds, outgoingRefunds }: ConnectorContext,
  payment: PlacedPayment,
  fact: PaymentFact,
): Promise<void> {
  if (isRefundFact(fact)) {
    const { refund_id: refundId } = fact.refund;
    if (fact.event === "refund.failed") return followedRefunds.markFailed(refundId);
    // The refund counts as recorded even if the order's status allows no refund record.
    await followedRefunds.markRecorded(refundId, null);
    // A refund that was deleted in the shop while pending approval was recorded like any other.
    const waited = await outgoingRefunds.find(payment.storeOrderId, {
      refundId,
      reference: fact.refund.reference,
    });
    if (waited !== null) await outgoingRefunds.setState(waited.recordId, "completed", refundId);
    return;
  }
  switch (fact.event) {
    case "pos.order.paid":
      // A replay may send the paid event after the refund.
      if (payment.state === "refunded") return;
      return payments.complete(payment.id, "paid", fact.trxId);
    case "pos.order.refunded":
      return payments.complete(payment.id, "refunded", fact.trxId);
    case "pos.order.expired":
    case "pos.order.cancelled":
      // The first outcome is final, so a late event of another outcome only adds a note.
      if (payment.state !== "pending") return;
      return payments.complete(
        payment.id,
        fact.event === "pos.order.expired" ? "expired" : "cancelled",
        null,
      );
  }
}
