import { type Loop, startLoop } from "@tillgate/service";
import type { Connector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { textOf } from "./health/reporter.js";

/** The part of a connector that is swept. */
export type SweptStore = Pick<Connector, "sweep"> & {
  settings: Pick<Connector["settings"], "storeId" | "sweepIntervalMs">;
};

/** After a sweep that could not ask the store or Tillgate; it doubles up to the store's rhythm, in milliseconds. */
const FIRST_RETRY_MS = 5_000;

/**
 * Sweeps a store at once and then in its rhythm, sooner after a sweep with a failed step. A longer sweep delays only the
 * store's own next one.
 */
export function startSweeping(store: SweptStore, log: ConnectorLog): Loop {
  const { storeId, sweepIntervalMs } = store.settings;
  let retryMs = FIRST_RETRY_MS;

  const sweep = async (): Promise<boolean> => {
    try {
      const outcome = await store.sweep();
      if (outcome.checked > 0) log.info({ store: storeId, ...outcome }, "Swept");
      return outcome.stepsFailed === 0;
    } catch (error) {
      log.error(
        { store: storeId, error: error instanceof Error ? error.message : String(error) },
        "A sweep failed",
      );
      return false;
    }
  };

  return startLoop({
    name: `sweep of ${storeId}`,
    intervalMs: sweepIntervalMs,
    log,
    async run() {
      // By a monotonic clock: one that is set back would hold up the next sweep.
      const startedMs = performance.now();
      const isWhole = await sweep();
      const rhythmMs = isWhole ? sweepIntervalMs : retryMs;
      retryMs = isWhole ? FIRST_RETRY_MS : Math.min(sweepIntervalMs, retryMs * 2);
      return startedMs + rhythmMs - performance.now();
    },
  });
}

/** Between two parts of a comparison: Tillgate's limit of calls is the shop's first. In milliseconds. */
const COMPARE_INTERVAL_MS = 60_000;

/** Compares a store's books in the night, and goes on with a comparison that was interrupted, by this process or another. */
export function startComparing(
  { settings: { storeId }, compareBooks }: Pick<Connector, "settings" | "compareBooks">,
  log: ConnectorLog,
): Loop {
  return startLoop({
    name: `comparison of ${storeId}`,
    intervalMs: COMPARE_INTERVAL_MS,
    log,
    async run() {
      try {
        await compareBooks();
      } catch (error) {
        // In the health panel too; the next run goes on where this one stopped.
        log.warn(
          { store: storeId, error: textOf(error) },
          "The books could not be compared; it is tried again",
        );
      }
      return undefined;
    },
  });
}
