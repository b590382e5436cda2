import { ConnectorError } from "../connector-error.js";
import { textOf } from "../health/reporter.js";
import type { ComparisonRun, PlacedPayment } from "../records/records.js";
import { withClaim } from "./claim.js";
import { comparePayment } from "./compare-payment.js";
import type { ConnectorContext } from "./context.js";

/**
 * Compares the shop's books with Tillgate's: every payment that was begun lately, with its store order and refunds. A run
 * is a row with how far it came, so that one that was interrupted goes on after the last payment that it compared. One
 * process at a time works on it, in bounded batches. Only what differs is kept; nothing in shop or Tillgate is changed.
 *
 * @returns whether a run is still under way: then this is called again later
 * @throws StoreError, the client's errors where store or Tillgate cannot be asked: to be repeated
 */
export async function compareBooks(context: ConnectorContext): Promise<boolean> {
  const { comparisons, settings } = context;
  await comparisons.beginNightly();
  const answer = await withClaim(context, `comparison:${settings.storeId}`, 0, async (held) => {
    for (let batch = 1; batch <= settings.compareMaxBatches; batch += 1) {
      const run = await comparisons.last();
      if (run === null || run.endedAt !== null) return false;
      if (!(await compareBatch(context, run, () => held.keep()))) return false;
    }
    return true;
  });
  // Another process is at it.
  return answer === "taken" || answer.result;
}

/** @returns whether the run goes on */
async function compareBatch(
  context: ConnectorContext,
  { run, afterId, failures }: ComparisonRun,
  keep: () => Promise<void>,
): Promise<boolean> {
  const { comparisons, payments, settings } = context;
  const batch = await payments.placedAfter(afterId, settings.compareBackMs, settings.compareBatch);
  let failed = failures;
  for (const payment of batch) {
    await keep();
    const outcome = await compareOne(context, run, payment, failed);
    if (!(await comparisons.passed(run, payment.id, outcome))) return false;
    failed = 0;
  }
  if (batch.length === settings.compareBatch) return true;
  await comparisons.end(run);
  await reportDifferences(context);
  return false;
}

/** One payment is passed over after some failed tries, so that the run does not stay at it for ever. */
async function compareOne(
  context: ConnectorContext,
  run: number,
  payment: PlacedPayment,
  failed: number,
): Promise<"compared" | "skipped"> {
  const { comparisons, log, reporter, settings } = context;
  try {
    await comparisons.replace(run, payment, await comparePayment(context, payment));
    return "compared";
  } catch (error) {
    const isHopeless = error instanceof ConnectorError && error.failure === "credential_gone";
    if (!isHopeless && failed + 1 < settings.compareMaxFailures) {
      await comparisons.failed(run);
      throw error;
    }
    await reporter.error("comparing an order with Tillgate", error, payment.storeOrderId);
    log.warn(
      { order: payment.storeOrderId, error: textOf(error) },
      "An order could not be compared with Tillgate; the comparison goes on without it",
    );
    await comparisons.keep(run, payment.id);
    return "skipped";
  }
}

/** Shows in the health panel whether there are any, until there are none. */
export async function reportDifferences({ comparisons, log, reporter }: ConnectorContext): Promise<void> {
  const { open: found } = await comparisons.countDifferences();
  if (found === 0) return reporter.settled("books", "books");
  const text =
    found === 1
      ? "The last comparison found 1 difference between the shop and Tillgate."
      : `The last comparison found ${found} differences between the shop and Tillgate.`;
  log.warn({ differences: found }, text);
  await reporter.problem({ kind: "books", subject: "books", text });
}
