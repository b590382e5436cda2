import type { Repair } from "../comparison-rules.js";
import type { DifferenceName, PlacedPayment } from "../records/records.js";
import { applyFact } from "./apply-fact.js";
import { applyOrder } from "./apply-order.js";
import { checkOrder } from "./check-order.js";
import { withOrderClaim } from "./claim.js";
import { reportDifferences } from "./compare-books.js";
import { comparePayment } from "./compare-payment.js";
import { refundsSubject } from "./compare-refunds.js";
import type { Difference } from "./compared-sides.js";
import type { ConnectorContext } from "./context.js";
import { tillgateOf } from "./credentials.js";

export type AcceptOutcome =
  /** It is listed no more, until it is another. */
  | "accepted"
  /** It is there no more. */
  | "gone";

/**
 * The owner says that a difference is right as it is: of a refund that was paid in cash, for example. Nothing in shop or Tillgate is
 * changed, and a comparison that finds other amounts lists them again.
 */
export async function acceptDifference(
  context: ConnectorContext,
  name: DifferenceName,
): Promise<AcceptOutcome> {
  const { comparisons, log, payments, reporter } = context;
  if (!(await comparisons.accept(name))) return "gone";
  const order = (await payments.byId(name.paymentId))?.storeOrderId ?? null;
  log.info({ order, ...name }, "The owner accepted a difference");
  if (order !== null && (await comparisons.areRefundsAccepted(order)))
    await reporter.settled("mismatch", refundsSubject(order));
  await reportDifferences(context);
  return "accepted";
}

export type RepairOutcome =
  /** It was there, and now it is not. */
  | "repaired"
  /** It is there no more: somebody else repaired it. */
  | "gone"
  /** It is for a person, or the repair did not help. */
  | "left";

/**
 * Repairs a difference that the rules call safe. Shop and Tillgate are compared again first, so that nothing is repaired
 * that an old comparison says; the work is done by the function that changes an order, and then both are compared once more.
 * @throws StoreError, the client's errors, ConnectorError `busy`: to be repeated
 */
export async function repairDifference(
  context: ConnectorContext,
  name: DifferenceName,
): Promise<RepairOutcome> {
  const payment = await context.payments.byId(name.paymentId);
  if (payment === null || payment.order === null) return "gone";
  const isMeant = ({ subject, subjectId, field }: Difference) =>
    subject === name.subject && subjectId === name.subjectId && field === name.field;
  const before = (await comparePayment(context, payment)).find(isMeant);
  if (before !== undefined && before.repair !== null) {
    await carryOut(context, payment, before.repair, before.subjectId);
    context.log.info({ order: payment.storeOrderId, difference: before.kind }, `Repaired: ${before.repair}`);
  }
  const after = await comparePayment(context, payment);
  const run = (await context.comparisons.last())?.run ?? 0;
  await context.comparisons.replace(run, payment, after);
  await reportDifferences(context);
  if (after.some(isMeant)) return "left";
  return before === undefined ? "gone" : "repaired";
}

async function carryOut(
  context: ConnectorContext,
  payment: PlacedPayment,
  repair: Repair,
  subjectId: string,
): Promise<void> {
  const { storeOrderId, credential, order } = payment;
  const tillgate = tillgateOf(context, credential);
  const again = { again: true };
  switch (repair) {
    case "apply_order": {
      const remote = await tillgate.orders.get(order.tillgateOrderId);
      return withOrderClaim(context, storeOrderId, (held) => applyOrder(context, held, remote, again));
    }
    case "cancel_open":
      return checkOrder(context, storeOrderId);
    case "record_refund": {
      const refund = await tillgate.refunds.get(subjectId);
      const { transaction_id: trxId } = refund;
      const fact = {
        event: "refund.completed",
        tillgateOrderId: order.tillgateOrderId,
        trxId,
        refund,
      } as const;
      await withOrderClaim(context, storeOrderId, (held) => applyFact(context, held, fact, again));
    }
  }
}
