import { ConnectorError } from "../connector-error.js";
import { textOf } from "../health/reporter.js";
import type { Payment } from "../records/records.js";
import { applyFact } from "./apply-fact.js";
import { applyOrder } from "./apply-order.js";
import { checkOrder } from "./check-order.js";
import { withOrderClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { createTillgateOrder } from "./create-tillgate-order.js";
import { tillgateOf } from "./credentials.js";
import type { ScheduledCheck } from "./drain-due.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { addNoteOnce } from "./order-note.js";

/**
 * Asks the API about a payment under way and brings its state into the store, as a lost webhook would have done. A payment
 * whose call was interrupted is finished first.
 */
async function checkPayment(context: ConnectorContext, payment: Payment): Promise<void> {
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
  if (isOpen) await checkOrder(context, storeOrderId);
}

/** The longest wait between two looks at a refund that waits for approval, in milliseconds. */
const MAX_WAIT_MS = 30 * 60_000;
/** The older it is, the later it is asked about again: after this part of its age. */
const PART_OF_AGE = 1 / 16;

/**
 * Asks Tillgate about a refund that is followed, and brings its end into the store.
 *
 * @returns in how many milliseconds it is to be asked about again
 */
async function checkRefund(
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

/** Asking Tillgate about payments that are under way. */
export const checkPayments: ScheduledCheck = {
  kind: "payment",
  doing: "asking about a payment under way",
  failed: "The sweep could not settle a payment; it is tried again",
  async run(context, { subject }) {
    const payment = await context.payments.byId(Number(subject));
    if (payment === null) return null;
    await checkPayment(context, payment);
    return context.settings.sweepIntervalMs;
  },
  isPermanent: (error) => error instanceof ConnectorError && error.failure === "credential_gone",
  async abandon(context, { subject, storeOrderId, failures }, error) {
    const { log, payments, rules } = context;
    const placed = (await payments.byId(Number(subject)))?.order ?? null;
    await payments.givenUp(Number(subject));
    const payment =
      placed === null
        ? rules.phrase("payment_not_made")
        : rules.phrase("payment", { tillgate_order: placed.tillgateOrderId });
    log.error(
      { order: storeOrderId, error: textOf(error) },
      `Gave up on ${payment} after ${failures} failed checks`,
    );
    const note =
      this.isPermanent?.(error) === true
        ? rules.note("payment_unreachable", { payment, reason: textOf(error) })
        : rules.note("payment_given_up", { payment, times: String(failures) });
    await reportAbandoned(context, storeOrderId, `payment of order ${storeOrderId}`, [note]);
  },
};

/** Looking at store orders that changed in the store, or that were refunded. */
export const checkOrders: ScheduledCheck = {
  kind: "order",
  doing: "following a change in the store",
  failed: "A change in the store could not be followed; it is looked at again",
  async run(context, { storeOrderId }) {
    await checkOrder(context, storeOrderId);
    await context.reporter.settled("given_up", `order ${storeOrderId}`);
    return null;
  },
  async abandon(context, { storeOrderId, failures }, error) {
    const { log, outgoingRefunds, rules } = context;
    log.error(
      { order: storeOrderId, error: textOf(error) },
      `Gave up on a change in the store after ${failures} failed looks`,
    );
    const notes: [string, ...string[]] = [rules.note("change_given_up", { times: String(failures) })];
    for (const refund of await outgoingRefunds.ofOrder(storeOrderId)) {
      if (refund.state !== "calling") continue;
      await outgoingRefunds.answered(refund.recordId, "given_up", null);
      notes.push(rules.note("store_refund_given_up", outgoingRefundFields(rules, refund)));
    }
    await reportAbandoned(context, storeOrderId, `order ${storeOrderId}`, notes);
  },
};

/** Asking Tillgate about refunds that have no end in the store yet. */
export const checkRefunds: ScheduledCheck = {
  kind: "refund",
  doing: "checking a refund",
  failed: "A refund could not be brought into the store; it is tried again",
  run: (context, { subject, storeOrderId }) => checkRefund(context, subject, storeOrderId),
};

/** The last word on something that cannot be done: for a person, on the order and, the first note, in the panel. */
async function reportAbandoned(
  context: ConnectorContext,
  storeOrderId: number,
  subject: string,
  notes: readonly [string, ...string[]],
): Promise<void> {
  const text = notes[0].replace(/^Tillgate: /, "");
  await context.reporter.problem({ kind: "given_up", subject, storeOrderId, text });
  try {
    for (const note of notes) await addNoteOnce(context, storeOrderId, note);
  } catch (error) {
    context.log.error({ order: storeOrderId, error: textOf(error) }, "Nor could that be noted");
  }
}
