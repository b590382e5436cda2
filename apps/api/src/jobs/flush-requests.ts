import { startLoop } from "@tillgate/service";
import type { Context } from "../context.js";
import { writeRequests } from "../request-log/write-requests.js";

/** How often the log of the API's calls is written, in milliseconds. */
const FLUSH_EVERY_MS = 1_000;

/** Writes the log of the API's calls once a second, and once more when it is closed. */
export function startFlushOfRequests({ database, memory, log }: Context): { close(): Promise<void> } {
  const write = () => writeRequests(database.pool, memory.requestLog);
  const loop = startLoop({
    name: "flush of the log of requests",
    intervalMs: FLUSH_EVERY_MS,
    log,
    async run() {
      await write();
      return undefined;
    },
  });
  return {
    async close() {
      await loop.close();
      try {
        await write();
      } catch (error) {
        log.error({ err: error }, "the calls of the last second are missing from the log of requests");
      }
    },
  };
}
