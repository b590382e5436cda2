import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";
import { flushLastUsed, LAST_USED_FLUSH_MS } from "../identity/credentials/last-used.js";
import { writeRequests } from "../platform/write-requests.js";

/** Writes the last-used times of credentials once a minute, and once more when it is closed. */
export function startLastUsedFlush(context: Context): { close(): Promise<void> } {
  const loop = startLoop({
    name: "flush of last-used times",
    intervalMs: LAST_USED_FLUSH_MS,
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

/** How often the log of the API's calls is written, in milliseconds. */
const WRITE_REQUESTS_EVERY_MS = 1_000;

/** Writes the log of the API's calls once a second, and once more when it is closed. */
export function startRequestFlush({ database, memory, log }: Context): { close(): Promise<void> } {
  const write = () => writeRequests(database.pool, memory.requestLog);
  const loop = startLoop({
    name: "flush of the log of requests",
    intervalMs: WRITE_REQUESTS_EVERY_MS,
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

/** How often the changes of the lists' totals are folded into the counters, in milliseconds. */
const ROLL_UP_EVERY_MS = 1_000;
/** How many changes one transaction folds. */
const ROLL_UP_BATCH = 10_000;

/** Folds all changes of the lists' totals into the counters, in batches. Leaves them to another process that does it now. */
export async function rollUpCounters(pool: pg.Pool, batch = ROLL_UP_BATCH): Promise<void> {
  while ((await callOne(pool, ledger.rollUpCounters, { limit: batch })) === batch);
}

/**
 * Folds once a second. Every process of the api does so: whatever serves lists keeps them cheap itself, even if no worker
 * runs for a day.
 */
export const startCounterRollUp = ({ database: { pool }, log }: Context): { close(): Promise<void> } =>
  startLoop({
    name: "folding of the lists' totals",
    intervalMs: ROLL_UP_EVERY_MS,
    log,
    run: async () => {
      await rollUpCounters(pool);
      return undefined;
    },
  });
