import { callOne, ledger } from "@tillgate/database";
import { startLoop } from "@tillgate/service";
import type pg from "pg";
import type { Context } from "../context.js";

/** How often the changes of the lists' totals are folded into the counters, in milliseconds. */
const FOLD_EVERY_MS = 1_000;
/** How many changes one transaction folds. */
const FOLD_BATCH = 10_000;

/** Folds all changes of the lists' totals into the counters, in batches. Leaves them to another process that does it now. */
export async function foldCounts(pool: pg.Pool, batch = FOLD_BATCH): Promise<void> {
  while ((await callOne(pool, ledger.foldCounts, { limit: batch })) === batch);
}

/**
 * Folds once a second. Every process of the api does so: whatever serves lists keeps them cheap itself, even if no worker
 * runs for a day.
 */
export const startFoldOfCounts = ({ database: { pool }, log }: Context): { close(): Promise<void> } =>
  startLoop({
    name: "folding of the lists' totals",
    intervalMs: FOLD_EVERY_MS,
    log,
    run: async () => {
      await foldCounts(pool);
      return undefined;
    },
  });
