import { type Loop, startLoop } from "@tillgate/service";
import type { Connector } from "./connector.js";
import type { ConnectorLog } from "./connector-log.js";
import { textOf } from "./health/reporter.js";

/** Between two parts of a comparison: Tillgate's limit of calls is the shop's first. In milliseconds. */
const RHYTHM_MS = 60_000;

/** Compares a store's books in the night, and goes on with a comparison that was interrupted, by this process or another. */
export function startComparing(
  { settings: { storeId }, compareBooks }: Pick<Connector, "settings" | "compareBooks">,
  log: ConnectorLog,
): Loop {
  return startLoop({
    name: `comparison of ${storeId}`,
    intervalMs: RHYTHM_MS,
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
