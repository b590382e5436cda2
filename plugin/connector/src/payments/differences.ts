import type { DifferenceRepair } from "@tillgate/contract";
import { errorText } from "../health/reporter.js";
import type { DifferenceName, PlacedPayment } from "../records/records.js";
import { applyFact } from "./apply-fact.js";
import { applyOrder } from "./apply-order.js";
import { checkOrder } from "./check-order.js";
import { withOrderClaim } from "./claim.js";
import { comparePayment, type Difference, updateDifferences } from "./compare-orders.js";
import { toRefundsSubject } from "./compare-refunds.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";
import { reportDifferences } from "./run-comparison.js";

export type AcceptOutcome =
  /** No longer listed, unless it changes. */
  | "accepted"
  /** Already resolved, or unknown. */
  | "gone";

/** Marks a difference as correct, such as a refund paid in cash. It is listed again if its text changes. */
export async function acceptDifference(
  context: ConnectorContext,
  name: DifferenceName,
): Promise<AcceptOutcome> {
  const { comparisons, log, payments, reporter } = context;
  if (!(await comparisons.accept(name))) return "gone";
  const payment = await payments.byId(name.paymentId);
  const order = payment?.storeOrderId ?? null;
  log.info({ order, ...name }, "Difference marked as correct");
  if (order !== null && (await comparisons.areRefundsAccepted(order)))
    await reporter.resolveProblem("mismatch", toRefundsSubject(order));
  if (payment !== null && payment.order !== null) await reportAcceptance(context, payment);
  await reportDifferences(context);
  return "accepted";
}

/** Reports the acceptance to Tillgate. Does not throw, because the next comparison reports it too. */
async function reportAcceptance(context: ConnectorContext, payment: PlacedPayment): Promise<void> {
  try {
    await updateDifferences(context, payment);
  } catch (error) {
    context.log.warn(
      { order: payment.storeOrderId, error: errorText(error) },
      "Could not report to Tillgate that a difference was marked as correct; the next comparison will report it",
    );
  }
}

export type RepairOutcome =
  /** Resolved by this repair. */
  | "repaired"
  /** Already resolved, or the payment is unknown. */
  | "gone"
  /** Not repairable, or the repair did not resolve it. */
  | "left";

/**
 * Compares the payment before the repair, in case the difference is already resolved, and afterwards, to verify the repair.
 * @throws StoreError, ConnectorError, the client's errors; the caller retries
 */
export async function repairDifference(
  context: ConnectorContext,
  name: DifferenceName,
): Promise<RepairOutcome> {
  const payment = await context.payments.byId(name.paymentId);
  if (payment === null || payment.order === null) return "gone";
  const isTarget = ({ subject, subjectId, field }: Difference) =>
    subject === name.subject && subjectId === name.subjectId && field === name.field;
  const before = (await comparePayment(context, payment)).find(isTarget);
  if (before !== undefined && before.repair !== null) {
    await executeRepair(context, payment, before.repair, before.subjectId);
    context.log.info(
      { order: payment.storeOrderId, difference: before.kind },
      `Ran the repair ${before.repair}`,
    );
  }
  const after = await updateDifferences(context, payment);
  await reportDifferences(context);
  if (after.some(isTarget)) return "left";
  return before === undefined ? "gone" : "repaired";
}

async function executeRepair(
  context: ConnectorContext,
  payment: PlacedPayment,
  repair: DifferenceRepair,
  subjectId: string,
): Promise<void> {
  const { storeOrderId, credential, order } = payment;
  const tillgate = tillgateClient(context, credential);
  const options = { reapply: true };
  switch (repair) {
    case "apply_order": {
      const remote = await tillgate.orders.get(order.tillgateOrderId);
      return withOrderClaim(context, storeOrderId, (claim) => applyOrder(context, claim, remote, options));
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
      await withOrderClaim(context, storeOrderId, (claim) => applyFact(context, claim, fact, options));
    }
  }
}
