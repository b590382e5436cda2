import { ConnectorError } from "../connector-error.js";
import { clockWarning } from "../health/clocks.js";
import { textOf } from "../health/reporter.js";
import type { Attempt } from "../records/records.js";
import { checkStoreWebhook } from "./check-store-webhook.js";
import type { ConnectorContext } from "./context.js";
import { checkAttempt } from "./follow-attempt.js";
import { checkRefunds, followRefunds } from "./follow-refunds.js";
import { followStore } from "./follow-store.js";
import { noteOnce } from "./order-note.js";
import { workOffHints } from "./work-off-hints.js";

export interface SweepOutcome {
  checked: number;
  failed: number;
  givenUp: number;
  /** Steps that failed as a whole: the store or Tillgate could not be asked. */
  stepsFailed: number;
}

/**
 * One sweep of one store: asks the API about attempts that are under way, reads what changed in the store and which
 * refunds were made, removes what is old. Each step and each order stands for itself: one that fails is tried again later,
 * and no other waits for it.
 */
export async function sweep(context: ConnectorContext): Promise<SweepOutcome> {
  const { events, health, log, reporter, requests, settings } = context;
  const outcome: SweepOutcome = { checked: 0, failed: 0, givenUp: 0, stepsFailed: 0 };
  const steps: [doing: string, step: () => Promise<unknown>][] = [
    ["asking about payments under way", () => checkDueAttempts(context, outcome)],
    ["reading the store's changes", () => followStore(context)],
    ["following changes in the store", () => workOffHints(context)],
    ["reading Tillgate's refunds", () => followRefunds(context)],
    ["bringing refunds into the store", () => checkRefunds(context)],
    ["reading the state of the store's webhook", () => checkStoreWebhook(context)],
    ["comparing the clocks", () => compareClocks(context)],
    ["removing counted requests", () => requests.prune()],
    ["removing old events", () => events.prune(settings.storeId, settings.keepEventsMs)],
    ["removing old problems", () => health.prune(settings.storeId, settings.keepProblemsMs)],
  ];
  const startedMs = performance.now();
  const failed: string[] = [];
  for (const [doing, step] of steps) {
    try {
      await step();
    } catch (error) {
      failed.push(doing);
      await reporter.error(doing, error);
      log.warn(
        { store: settings.storeId, error: textOf(error) },
        `The sweep failed ${doing}; it is tried again`,
      );
    }
  }
  outcome.stepsFailed = failed.length;
  await reporter.sweep((performance.now() - startedMs) / 1000, failed);
  return outcome;
}

async function compareClocks({ clocks, reporter }: ConnectorContext): Promise<void> {
  const differences = clocks.differences();
  await reporter.report("clocks", differences);
  const text = clockWarning(differences);
  if (text === null) await reporter.settled("clock", "clock");
  else await reporter.problem({ kind: "clock", subject: "clock", storeOrderId: null, text });
}

async function checkDueAttempts(context: ConnectorContext, outcome: SweepOutcome): Promise<void> {
  const { attempts, settings } = context;
  // Due again well before the next sweep but one, also when this process dies on the way.
  const leaseMs = settings.sweepIntervalMs * 0.75;
  for (let batch = 1; batch <= settings.sweepMaxBatches; batch += 1) {
    const due = await attempts.takeDue(settings.storeId, settings.sweepBatch, leaseMs);
    const queue = due.values();
    const worker = async () => {
      for (const attempt of queue) await checkOne(context, attempt, outcome);
    };
    await Promise.all(Array.from({ length: settings.sweepConcurrency }, worker));
    if (due.length < settings.sweepBatch) return;
  }
  context.log.warn(
    { store: settings.storeId },
    `More than ${settings.sweepBatch * settings.sweepMaxBatches} payments were due; the rest waits for the next sweep`,
  );
}

async function checkOne(context: ConnectorContext, attempt: Attempt, outcome: SweepOutcome): Promise<void> {
  const { attempts, settings, log, reporter } = context;
  outcome.checked += 1;
  try {
    if (await checkAttempt(context, attempt))
      await attempts.checked(attempt.id, settings.sweepIntervalMs * 0.75);
  } catch (error) {
    outcome.failed += 1;
    const failures = attempt.failedChecks + 1;
    const delayMs = Math.min(
      settings.maxCheckDelayMs,
      settings.sweepIntervalMs * 2 ** Math.min(failures - 1, 20),
    );
    await attempts.checkFailed(attempt.id, delayMs * 0.75);
    await reporter.error("asking about a payment under way", error, attempt.storeOrderId);
    log.warn(
      { store: settings.storeId, order: attempt.storeOrderId, failures, error: textOf(error) },
      "The sweep could not settle a payment; it is tried again",
    );
    const isGone = error instanceof ConnectorError && error.failure === "credential_gone";
    if (failures < settings.maxFailedChecks && !isGone) return;
    outcome.givenUp += 1;
    await giveUp(context, attempt, error, isGone ? `${error.message} It is not checked any more.` : null);
  }
}

/** The last word on an attempt that can not be settled: for a person, in the log and on the order. */
async function giveUp(
  context: ConnectorContext,
  attempt: Attempt,
  cause: unknown,
  why: string | null,
): Promise<void> {
  const { attempts, settings, log, reporter } = context;
  await attempts.givenUp(attempt.id);
  const what =
    attempt.order === null ? "this order's payment" : `the payment ${attempt.order.tillgateOrderId}`;
  log.error(
    { store: settings.storeId, order: attempt.storeOrderId, error: textOf(cause) },
    `Gave up on ${what} after ${attempt.failedChecks + 1} failed checks`,
  );
  const checks = `${what} could not be checked ${settings.maxFailedChecks} times in a row. It is not checked any more.`;
  const text = `${why === null ? checks : `${what} is not known. ${why}`} Please look it up at Tillgate.`;
  const { storeOrderId } = attempt;
  await reporter.problem({
    kind: "given_up",
    subject: `payment of order ${storeOrderId}`,
    storeOrderId,
    text,
  });
  try {
    await noteOnce(context, storeOrderId, `Tillgate: ${text}`);
  } catch (error) {
    log.error(
      { store: settings.storeId, order: attempt.storeOrderId, error: textOf(error) },
      "Nor could that be noted",
    );
  }
}
