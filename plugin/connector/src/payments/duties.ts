import { ConnectorError } from "../connector-error.js";
import { textOf } from "../health/reporter.js";
import { checkPayment } from "./check-payment.js";
import { checkRefund } from "./check-refund.js";
import type { ConnectorContext } from "./context.js";
import { outgoingRefundFields } from "./link-outgoing-refund.js";
import { lookAtOrder } from "./look-at-order.js";
import { noteOnce } from "./order-note.js";
import type { Duty } from "./work-off.js";

/** Asking Tillgate about payments that are under way. */
export const checkPayments: Duty = {
  kind: "payment",
  doing: "asking about a payment under way",
  failed: "The sweep could not settle a payment; it is tried again",
  async work(context, { subject }) {
    const payment = await context.payments.byId(Number(subject));
    if (payment === null) return null;
    await checkPayment(context, payment);
    return context.settings.sweepIntervalMs;
  },
  isHopeless: (error) => error instanceof ConnectorError && error.failure === "credential_gone",
  async giveUp(context, { subject, storeOrderId, failures }, error) {
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
      this.isHopeless?.(error) === true
        ? rules.note("payment_unreachable", { payment, reason: textOf(error) })
        : rules.note("payment_given_up", { payment, times: String(failures) });
    await tellGivenUp(context, storeOrderId, `payment of order ${storeOrderId}`, [note]);
  },
};

/** Looking at store orders that changed in the store, or that were refunded. */
export const lookAtOrders: Duty = {
  kind: "order",
  doing: "following a change in the store",
  failed: "A change in the store could not be followed; it is looked at again",
  async work(context, { storeOrderId }) {
    await lookAtOrder(context, storeOrderId);
    await context.reporter.settled("given_up", `order ${storeOrderId}`);
    return null;
  },
  async giveUp(context, { storeOrderId, failures }, error) {
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
    await tellGivenUp(context, storeOrderId, `order ${storeOrderId}`, notes);
  },
};

/** Asking Tillgate about refunds that have no end in the store yet. */
export const checkRefunds: Duty = {
  kind: "refund",
  doing: "checking a refund",
  failed: "A refund could not be brought into the store; it is tried again",
  work: (context, { subject, storeOrderId }) => checkRefund(context, subject, storeOrderId),
};

/** The last word on something that cannot be done: for a person, on the order and, the first note, in the panel. */
async function tellGivenUp(
  context: ConnectorContext,
  storeOrderId: number,
  subject: string,
  notes: readonly [string, ...string[]],
): Promise<void> {
  const text = notes[0].replace(/^Tillgate: /, "");
  await context.reporter.problem({ kind: "given_up", subject, storeOrderId, text });
  try {
    for (const note of notes) await noteOnce(context, storeOrderId, note);
  } catch (error) {
    context.log.error({ order: storeOrderId, error: textOf(error) }, "Nor could that be noted");
  }
}
