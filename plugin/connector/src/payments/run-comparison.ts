import { ConnectorError } from "../connector-error.js";
import { errorText } from "../health/reporter.js";
import { fill } from "../health/texts.js";
import type { ComparisonRun, PlacedPayment } from "../records/records.js";
import { withClaim } from "./claim.js";
import { comparePayment } from "./compare-payment.js";
import type { ConnectorContext } from "./context.js";

/**
 * Starts the nightly comparison if it is due, and continues the run in progress: compares recent payments, with their store
 * orders and refunds, with Tillgate. The progress of a run is stored, so that an interrupted one continues after the last
 * compared payment. One process at a time works on it, in bounded batches. Only differences are stored; neither the shop nor
 * Tillgate is changed.
 *
 * @returns whether a run is still in progress, so that this has to be called again
 * @throws StoreError, the client's errors if store or Tillgate is unavailable, ConnectorError `busy`; the caller retries
 */
export async function runComparison(context: ConnectorContext): Promise<boolean> {
  const { comparisons, settings } = context;
  await comparisons.startNightly();
  const result = await withClaim(context, `comparison:${settings.storeId}`, 0, async (claim) => {
    for (let batch = 1; batch <= settings.compareMaxBatches; batch += 1) {
      const run = await comparisons.last();
      if (run === null || run.endedAt !== null) return false;
      if (!(await compareBatch(context, run, () => claim.extend()))) return false;
    }
    return true;
  });
  return result === "taken" || result.result;
}

/** Compares one batch. @returns whether the run continues. */
async function compareBatch(
  context: ConnectorContext,
  { run, afterId, failures }: ComparisonRun,
  extendClaim: () => Promise<void>,
): Promise<boolean> {
  const { comparisons, payments, settings } = context;
  const batch = await payments.placedAfter(afterId, settings.compareBackMs, settings.compareBatch);
  let failed = failures;
  for (const payment of batch) {
    await extendClaim();
    const outcome = await compareOrSkip(context, run, payment, failed);
    if (!(await comparisons.advance(run, payment.id, outcome))) return false;
    failed = 0;
  }
  if (batch.length === settings.compareBatch) return true;
  await comparisons.finish(run);
  await reportDifferences(context);
  return false;
}

/** Skips a payment after repeated failures, so that it does not block the run. */
async function compareOrSkip(
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
    const isHopeless = error instanceof ConnectorError && error.code === "credential_gone";
    if (!isHopeless && failed + 1 < settings.compareMaxFailures) {
      await comparisons.countFailure(run);
      throw error;
    }
    await reporter.error("comparing an order with Tillgate", error, payment.storeOrderId);
    log.warn(
      { order: payment.storeOrderId, error: errorText(error) },
      "Could not compare an order with Tillgate; skipped",
    );
    await comparisons.carryOverDifferences(run, payment.id);
    return "skipped";
  }
}

/** Reports differences on the health page, or removes the report if there are none. */
export async function reportDifferences({ comparisons, log, reporter }: ConnectorContext): Promise<void> {
  const { open: found } = await comparisons.countDifferences();
  if (found === 0) return reporter.resolveProblem("books", "books");
  const text = fill("Differences found by the last comparison: {count}.", { count: found });
  log.warn({ differences: found }, text);
  await reporter.reportProblem({ kind: "books", subject: "books", text });
}
