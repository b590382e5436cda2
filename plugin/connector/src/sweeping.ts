import type { Connector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";

export interface Sweeping {
  /** Starts no further sweep and waits for those under way. */
  stop(): Promise<void>;
}

/** Sweeps every store at once and then in its rhythm. A store's sweep that takes longer delays only its own next one. */
export function startSweeping(connectors: readonly Connector[], log: ConnectorLog): Sweeping {
  let stopped = false;
  const timers = new Map<Connector, NodeJS.Timeout>();
  const running = new Map<Connector, Promise<void>>();

  const round = async (connector: Connector): Promise<void> => {
    const { storeId, sweepIntervalMs } = connector.settings;
    const startedMs = Date.now();
    try {
      const outcome = await connector.sweep();
      if (outcome.checked > 0) log.info({ store: storeId, ...outcome }, "Swept");
    } catch (error) {
      log.error(
        { store: storeId, error: error instanceof Error ? error.message : String(error) },
        "A sweep failed",
      );
    }
    if (!stopped) plan(connector, Math.max(0, startedMs + sweepIntervalMs - Date.now()));
  };
  const plan = (connector: Connector, delayMs: number): void => {
    const timer = setTimeout(() => running.set(connector, round(connector)), delayMs);
    timers.set(connector, timer);
  };
  for (const connector of connectors) plan(connector, 0);

  return {
    async stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
