import { ConnectorError } from "../connector-error.js";
import { errorText } from "../health/reporter.js";
import { fill } from "../health/texts.js";
import type { ComparisonRun, PlacedPayment } from "../records/records.js";
import { withClaim } from "./claim.js";
import { collectOrder } from "./collect-order.js";
import {
  addTotals,
  type ComparedPayment,
  comparePayments,
  sendProgress,
  updateDifferences,
} from "./compare-orders.js";
import type { ConnectorContext } from "./context.js";
import { tillgateClient } from "./credentials.js";

/**
 * Starts the nightly comparison if it is due, and continues a run in progress. Changes neither the shop nor the payments.
 * @returns whether a run is still in progress, in which case this must be called again
 * @throws StoreError, the client's errors, ConnectorError `busy`, `site_moved`; the caller retries
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

/** @returns whether the run continues */
async function compareBatch(
  context: ConnectorContext,
  run: ComparisonRun,
  extendClaim: () => Promise<void>,
): Promise<boolean> {
  const { comparisons, payments, settings } = context;
  if (run.afterId === 0) await sendProgress(context, run, run, false);
  const batch = await payments.placedAfter(run.afterId, settings.compareBackMs, settings.compareBatch);
  const { collected, failure } = await collectBatch(context, batch, run.failures, extendClaim);
  const compared = await comparePayments(context, run, collected);
  for (const one of compared) await saveResult(context, run, one);
  const totals = addTotals(run, compared);
  const last = collected.at(-1)?.payment.id;
  if (last !== undefined && !(await comparisons.advance(run.run, last, totals))) return false;
  if (failure !== null) {
    await comparisons.countFailure(run.run);
    throw failure.error;
  }
  if (batch.length === settings.compareBatch) return true;
  await sendProgress(context, run, totals, true);
  await comparisons.finish(run.run);
  await reportDifferences(context);
  return false;
}

/** Reads the orders of a batch until the first failure. @returns the payments before it, and the failure, if any */
async function collectBatch(
  context: ConnectorContext,
  batch: readonly PlacedPayment[],
  failures: number,
  extendClaim: () => Promise<void>,
): Promise<{ collected: ComparedPayment[]; failure: { error: unknown } | null }> {
  const collected: ComparedPayment[] = [];
  for (const payment of batch) {
    await extendClaim();
    try {
      collected.push(await collectOrSkip(context, payment, collected.length === 0 ? failures : 0));
    } catch (error) {
      return { collected, failure: { error } };
    }
  }
  await extendClaim();
  return { collected, failure: null };
}

/** Reads a payment's order. Skips the payment if its key was removed or, so that it does not block the run, after repeated failures. */
async function collectOrSkip(
  context: ConnectorContext,
  payment: PlacedPayment,
  failed: number,
): Promise<ComparedPayment> {
  let client = context.tillgate;
  const known = await context.comparisons.ofPayment(payment.id);
  try {
    client = tillgateClient(context, payment.credential);
    const order = await collectOrder(context, payment, known);
    return { payment, client, known, order, error: null, differences: [] };
  } catch (error) {
    const isHopeless = error instanceof ConnectorError && error.code === "credential_gone";
    if (!isHopeless && failed + 1 < context.settings.compareMaxFailures) throw error;
    return { payment, client, known, order: null, error, differences: [] };
  }
}

/**
 * Stores the differences of a payment; a skipped payment keeps its earlier differences. If the stored differences have changed since the
 * order was read, for example by a repair, the payment is compared again.
 */
async function saveResult(
  context: ConnectorContext,
  { run }: ComparisonRun,
  { payment, known, order, error, differences }: ComparedPayment,
): Promise<void> {
  const { comparisons, log, reporter } = context;
  if (order !== null) {
    if (!(await comparisons.replace(run, payment, differences, known.version)))
      await updateDifferences(context, payment);
    return;
  }
  await reporter.error("comparing an order with Tillgate", error, payment.storeOrderId);
  log.warn(
    { order: payment.storeOrderId, error: errorText(error) },
    "Could not compare an order with Tillgate; skipped",
  );
  await comparisons.carryOverDifferences(run, payment.id);
}

export async function reportDifferences({ comparisons, log, reporter }: ConnectorContext): Promise<void> {
  const { open: found } = await comparisons.countDifferences();
  if (found === 0) return reporter.resolveProblem("books", "books");
  const text = fill("Differences found by the last comparison: {count}.", { count: found });
  log.warn({ differences: found }, text);
  await reporter.reportProblem({ kind: "books", subject: "books", text });
}
