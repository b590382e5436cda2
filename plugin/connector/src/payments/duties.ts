import { ConnectorError } from "../connector-error.js";
import { textOf } from "../health/reporter.js";
import { fillNote } from "../rules.js";
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
  async giveUp(context, { subject, failures }, error) {
    const { log, payments, settings } = context;
    const payment = await payments.byId(Number(subject));
    if (payment === null) return;
    await payments.givenUp(payment.id);
    const { storeOrderId } = payment;
    const what =
      payment.order === null ? "this order's payment" : `the payment ${payment.order.tillgateOrderId}`;
    log.error(
      { store: settings.storeId, order: storeOrderId, error: textOf(error) },
      `Gave up on ${what} after ${failures} failed checks`,
    );
    const why =
      this.isHopeless?.(error) === true
        ? `${what} is not known. ${textOf(error)}`
        : `${what} could not be checked ${settings.maxFailedChecks} times in a row.`;
    const text = `${why} It is not checked any more. Please look it up at Tillgate.`;
    await tellGivenUp(context, storeOrderId, `payment of order ${storeOrderId}`, text);
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
    const { log, outgoingRefunds, rules, settings } = context;
    log.error(
      { store: settings.storeId, order: storeOrderId, error: textOf(error) },
      `Gave up on a change in the store after ${failures} failed looks`,
    );
    const text = `A change of this order in the store could not be followed ${failures} times in a row. Please compare the order with Tillgate.`;
    const notes: string[] = [];
    for (const refund of await outgoingRefunds.ofOrder(settings.storeId, storeOrderId)) {
      if (refund.state !== "calling") continue;
      await outgoingRefunds.answered(settings.storeId, refund.recordId, "given_up", null);
      notes.push(fillNote(rules.note("store_refund_given_up"), outgoingRefundFields(refund)));
    }
    await tellGivenUp(context, storeOrderId, `order ${storeOrderId}`, text, notes);
  },
};

/** Asking Tillgate about refunds that have no end in the store yet. */
export const checkRefunds: Duty = {
  kind: "refund",
  doing: "checking a refund",
  failed: "A refund could not be brought into the store; it is tried again",
  work: (context, { subject, storeOrderId }) => checkRefund(context, subject, storeOrderId),
};

/** The last word on something that can not be done: for a person, in the panel and on the order. */
async function tellGivenUp(
  context: ConnectorContext,
  storeOrderId: number,
  subject: string,
  text: string,
  notes: readonly string[] = [],
): Promise<void> {
  await context.reporter.problem({ kind: "given_up", subject, storeOrderId, text });
  try {
    for (const note of [`Tillgate: ${text}`, ...notes]) await noteOnce(context, storeOrderId, note);
  } catch (error) {
    context.log.error(
      { store: context.settings.storeId, order: storeOrderId, error: textOf(error) },
      "Nor could that be noted",
    );
  }
}
