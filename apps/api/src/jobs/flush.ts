import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";
import { flushLastUsed, LAST_USED_FLUSH_MS } from "../identity/credentials/last-used.js";
import { writeRequests } from "../platform/write-requests.js";

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
          "could not write last-used times at shutdown; pending times are lost",
        );
      }
    },
  };
}

const WRITE_REQUESTS_EVERY_MS = 1_000;

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

const ROLL_UP_EVERY_MS = 1_000;
const ROLL_UP_BATCH = 10_000;

/** Rolls up the counters, unless another process is doing so. */
export async function rollUpCounters(pool: pg.Pool, batch = ROLL_UP_BATCH): Promise<void> {
  while ((await callOne(pool, ledger.rollUpCounters, { limit: batch })) === batch);
}

/** Starts the roll-up of counters. It runs in every API process, so that lists stay fast without a worker. */
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
