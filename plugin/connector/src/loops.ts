import { type Loop, startLoop } from "@tillgate/service";
import type { Connector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { errorText } from "./health/reporter.js";

export type SweptStore = Pick<Connector, "sweep"> & {
  settings: Pick<Connector["settings"], "storeId" | "sweepIntervalMs">;
};

/** Delay after the first failed sweep. It doubles with each further failure, up to the regular interval. */
const FIRST_RETRY_MS = 5_000;

/** Sweeps immediately and then at the store's interval, or earlier after a failed sweep or step. */
export function startSweepLoop(store: SweptStore, log: ConnectorLog): Loop {
  const { storeId, sweepIntervalMs } = store.settings;
  let retryMs = FIRST_RETRY_MS;

  const sweep = async (): Promise<boolean> => {
    try {
      const outcome = await store.sweep();
      if (outcome.checked > 0) log.info({ store: storeId, ...outcome }, "Sweep completed");
      return outcome.stepsFailed === 0;
    } catch (error) {
      log.error(
        { store: storeId, error: error instanceof Error ? error.message : String(error) },
        "Sweep failed",
      );
      return false;
    }
  };

  return startLoop({
    name: `sweep of ${storeId}`,
    intervalMs: sweepIntervalMs,
    log,
    async run() {
      // A monotonic clock, because setting the system clock back must not delay the next sweep.
      const startedMs = performance.now();
      const isComplete = await sweep();
      const delayMs = isComplete ? sweepIntervalMs : retryMs;
      retryMs = isComplete ? FIRST_RETRY_MS : Math.min(sweepIntervalMs, retryMs * 2);
      return startedMs + delayMs - performance.now();
    },
  });
}

/** Pause between two parts of a comparison, because the shop's customers take precedence. */
const COMPARE_INTERVAL_MS = 60_000;

/** Starts the nightly comparison, and continues requested or interrupted comparisons. */
export function startComparisonLoop(
  { settings: { storeId }, runComparison }: Pick<Connector, "settings" | "runComparison">,
  log: ConnectorLog,
): Loop {
  return startLoop({
    name: `comparison of ${storeId}`,
    intervalMs: COMPARE_INTERVAL_MS,
    log,
    async run() {
      try {
        await runComparison();
      } catch (error) {
        // The health page shows the error. The next run continues where this run stopped.
        log.warn(
          { store: storeId, error: errorText(error) },
          "Comparison with Tillgate failed; will be retried",
        );
      }
      return undefined;
    },
  });
}
