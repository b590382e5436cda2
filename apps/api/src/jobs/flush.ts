import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";
import { flushLastUsed, LAST_USED_FLUSH_MS } from "../identity/credentials/last-used.js";
import { writeRequests } from "../platform/write-requests.js";

/** Writes the last-used times of credentials once a minute and on close. */
export function startLastUsedFlush(context: Context): { close(): Promise<void> } {
  const loop = startLoop({
    name: "last-used flush",
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
        context.log.error(
          { err: error },
          "could not write last-used times at shutdown; the pending ones are lost",
        );
      }
    },
  };
}

/** Interval between writes of the request log, in milliseconds. */
const WRITE_REQUESTS_EVERY_MS = 1_000;

/** Writes the request log once a second and on close. */
export function startRequestFlush({ database, memory, log }: Context): { close(): Promise<void> } {
  const write = () => writeRequests(database.pool, memory.requestLog);
  const loop = startLoop({
    name: "request log flush",
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
        log.error(
          { err: error },
          "could not write the request log at shutdown; the buffered entries are lost",
        );
      }
    },
  };
}

/** Interval between roll-ups of the list counters, in milliseconds. */
const ROLL_UP_EVERY_MS = 1_000;
const ROLL_UP_BATCH = 10_000;

/** Rolls up all pending changes into the list counters, in batches. Does nothing if another process is rolling them up. */
export async function rollUpCounters(pool: pg.Pool, batch = ROLL_UP_BATCH): Promise<void> {
  while ((await callOne(pool, ledger.rollUpCounters, { limit: batch })) === batch);
}

/** Rolls up the list counters once a second, in every API process, so that lists stay fast without a worker. */
export const startCounterRollUp = ({ database: { pool }, log }: Context): { close(): Promise<void> } =>
  startLoop({
    name: "counter roll-up",
    intervalMs: ROLL_UP_EVERY_MS,
    log,
    run: async () => {
      await rollUpCounters(pool);
      return undefined;
    },
  });
