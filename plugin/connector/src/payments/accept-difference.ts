import type { DifferenceName } from "../records/records.js";
import { reportDifferences } from "./compare-books.js";
import { refundsSubject } from "./compare-refunds.js";
import type { ConnectorContext } from "./context.js";

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
