import { setTimeout as delay } from "node:timers/promises";
import { findExcessRights } from "@tillgate/database";
import { isUnavailable } from "@tillgate/service/unavailable";
import type pg from "pg";
import type { Logger } from "pino";

const RETRY_MS = 1_000;

/**
 * Checks the privileges of the database role. A role that owns the tables could disable the triggers that protect the ledger.
 * @returns the reason why the API must not run with this role; undefined if it may run with this role. Outside production, the reason is only logged.
 */
export async function checkDatabaseRole(options: {
  pool: Pick<pg.Pool, "query">;
  production: boolean;
  log: Pick<Logger, "warn">;
}): Promise<string | undefined> {
  const excess = await retryUntilReachable(() => findExcessRights(options.pool));
  if (excess.length === 0) return undefined;
  const message =
    `The role in DATABASE_URL ${excess.join("; ")}. Give the API a role that is not a superuser, owns no tables, ` +
    "and may create neither tables nor functions, nor temporary tables. " +
    "Only migrations use the owner's URL, DATABASE_OWNER_URL.";
  if (options.production) return message;
  options.log.warn({ event: "database.excess_privileges" }, message);
  return undefined;
}

export async function retryUntilReachable<Result>(read: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
