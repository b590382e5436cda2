import { clockWarning } from "../health/clocks.js";
import { textOf } from "../health/reporter.js";
import { checkStoreWebhook } from "./check-store-webhook.js";
import type { ConnectorContext } from "./context.js";
import { checkPayments, checkRefunds, lookAtOrders } from "./duties.js";
import { readNewRefunds } from "./read-new-refunds.js";
import { readStoreChanges } from "./read-store-changes.js";
import { type WorkedOff, workOff } from "./work-off.js";

/** The outcome of the due payments. */
export type SweepOutcome = WorkedOff & {
  /** Steps that failed as a whole: the store or Tillgate could not be asked. */
  stepsFailed: number;
};

/**
 * One sweep of one store: asks the API about payments under way, reads changes in the store and new refunds, and removes
 * old rows. Each step and each order is independent: a failed one is tried again later, and no other waits for it.
 */
export async function sweep(context: ConnectorContext): Promise<SweepOutcome> {
  const { events, health, log, reporter, requests, settings } = context;
  const outcome: SweepOutcome = { checked: 0, failed: 0, givenUp: 0, stepsFailed: 0 };
  const steps: [doing: string, step: () => Promise<unknown>][] = [
    [
      "asking about payments under way",
      async () => Object.assign(outcome, await workOff(context, checkPayments)),
    ],
    ["reading the store's changes", () => readStoreChanges(context)],
    ["following changes in the store", () => workOff(context, lookAtOrders)],
    ["reading Tillgate's refunds", () => readNewRefunds(context)],
    ["bringing refunds into the store", () => workOff(context, checkRefunds)],
    ["reading the state of the store's webhook", () => checkStoreWebhook(context)],
    ["comparing the clocks", () => compareClocks(context)],
    ["removing counted requests", () => requests.prune()],
    ["removing old events", () => events.prune(settings.keepEventsMs)],
    ["removing old problems", () => health.prune(settings.keepProblemsMs)],
  ];
  const startedMs = performance.now();
  const failed: string[] = [];
  for (const [doing, step] of steps) {
    try {
      await step();
    } catch (error) {
      failed.push(doing);
      await reporter.error(doing, error);
      log.warn({ error: textOf(error) }, `The sweep failed ${doing}; it is tried again`);
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
  else await reporter.problem({ kind: "clock", subject: "clock", text });
}
