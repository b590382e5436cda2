import type { Connector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";

/** The part of a connector that is swept. */
export type SweptStore = Pick<Connector, "sweep"> & {
  settings: Pick<Connector["settings"], "storeId" | "sweepIntervalMs">;
};

export interface Sweeping {
  /** Starts no further sweep and waits for those under way. */
  stop(): Promise<void>;
}

/** After a sweep that could not ask the store or Tillgate; it doubles up to the store's rhythm, in milliseconds. */
const FIRST_RETRY_MS = 5_000;

/**
 * Sweeps every store at once and then in its rhythm, sooner after a sweep in which something could not be asked. A store's
 * sweep that takes longer delays only its own next one.
 */
export function startSweeping(stores: readonly SweptStore[], log: ConnectorLog): Sweeping {
  let stopped = false;
  const timers = new Map<SweptStore, NodeJS.Timeout>();
  const running = new Map<SweptStore, Promise<void>>();
  const retryMs = new Map<SweptStore, number>();

  const delayAfter = (store: SweptStore, isWhole: boolean): number => {
    const { sweepIntervalMs } = store.settings;
    const delayMs = isWhole
      ? sweepIntervalMs
      : Math.min(sweepIntervalMs, retryMs.get(store) ?? FIRST_RETRY_MS);
    if (isWhole) retryMs.delete(store);
    else retryMs.set(store, delayMs * 2);
    return delayMs;
  };

  const round = async (store: SweptStore): Promise<void> => {
    const { storeId } = store.settings;
    // By a clock that nobody sets: one that is put back would hold up the next sweep.
    const startedMs = performance.now();
    let isWhole = false;
    try {
      const outcome = await store.sweep();
      isWhole = outcome.stepsFailed === 0;
      if (outcome.checked > 0) log.info({ store: storeId, ...outcome }, "Swept");
    } catch (error) {
      log.error(
        { store: storeId, error: error instanceof Error ? error.message : String(error) },
        "A sweep failed",
      );
    }
    if (!stopped) plan(store, Math.max(0, startedMs + delayAfter(store, isWhole) - performance.now()));
  };
  const plan = (store: SweptStore, delayMs: number): void => {
    const timer = setTimeout(() => running.set(store, round(store)), delayMs);
    timers.set(store, timer);
  };
  for (const store of stores) plan(store, 0);

  return {
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
