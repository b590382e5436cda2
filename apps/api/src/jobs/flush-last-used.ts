import { startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { FLUSH_EVERY_MS, flushLastUsed } from "../credentials/last-used.js";

/** Writes the last-used times of credentials once a minute, and once more when it is closed. */
export function startFlushOfLastUsed(context: Context): { close(): Promise<void> } {
  const loop = startLoop({
    name: "flush of last-used times",
    intervalMs: FLUSH_EVERY_MS,
    log: context.log,
    async run() {
      await flushLastUsed(context);
      return undefined;
    },
  });
  return {
    async close() {
      await loop.close();
      try {
        await flushLastUsed(context);
      } catch (error) {
        context.log.error({ err: error }, "the last-used times of the last minute are lost");
      }
    },
  };
}
