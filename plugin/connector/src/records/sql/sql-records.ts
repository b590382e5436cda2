import { setTimeout as wait } from "node:timers/promises";
import {
  type Dialect,
  HandleEmptyInListsPlugin,
  Kysely,
  replaceWithNoncontingentExpression,
  sql,
} from "kysely";
import { asUnavailable, isBusy } from "../records-unavailable.js";
import { sqlComparisons } from "./comparisons.js";
import { type Database, inMs, type Tables } from "./database.js";
import { sqlDue } from "./due.js";
import { sqlEvents } from "./events.js";
import { sqlFollowedRefunds } from "./followed-refunds.js";
import { sqlHealth } from "./health.js";
import { sqlOutgoingRefunds } from "./outgoing-refunds.js";
import { sqlPayments } from "./payments.js";

/** A claim has one holder, and expires unless it is extended. */
function sqlClaims(database: Database) {
  const { db, now } = database;
  return {
    /** @returns the claim's token; null if the name is taken */
    async acquire(name: string, forMs: number): Promise<string | null> {
      // The row lock lets only one of several concurrent inserts succeed; an expired claim is replaced.
      const row = await db
        .insertInto("claims")
        .values({ name, token: crypto.randomUUID(), expires_at: inMs(database, forMs) })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet(({ ref }) => ({
              token: ref("excluded.token"),
              expires_at: ref("excluded.expires_at"),
            }))
            .where("claims.expires_at", "<=", now),
        )
        .returning("token")
        .executeTakeFirst();
      return row?.token ?? null;
    },
    /** @returns false if another holder replaced the claim */
    async extend(name: string, token: string, forMs: number): Promise<boolean> {
      // An expired claim that was not replaced can still be extended.
      const { numUpdatedRows } = await db
        .updateTable("claims")
        .set({ expires_at: inMs(database, forMs) })
        .where("name", "=", name)
        .where("token", "=", token)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async release(name: string, token: string): Promise<void> {
      await db.deleteFrom("claims").where("name", "=", name).where("token", "=", token).execute();
    },
  };
}

export type CursorName = "changes" | "refunds" | "site";

function sqlCursors({ db }: Database, storeId: string) {
  return {
    async read(name: CursorName): Promise<string | null> {
      const row = await db
        .selectFrom("cursors")
        .select("value")
        .where(({ and }) => and({ store_id: storeId, name }))
        .executeTakeFirst();
      return row?.value ?? null;
    },
    async write(name: CursorName, value: string): Promise<void> {
      await db
        .insertInto("cursors")
        .values({ store_id: storeId, name, value })
        .onConflict((conflict) => conflict.columns(["store_id", "name"]).doUpdateSet({ value }))
        .execute();
    },
  };
}

function sqlRequests(database: Database) {
  const { db, now } = database;
  const isOver = sql<boolean>`requests.ends_at <= ${now}`;
  return {
    /** Counts a request; the first one starts a window. @returns the number of requests in the window, and its remaining time in milliseconds */
    async count(name: string, windowMs: number): Promise<{ count: number; leftMs: number }> {
      const ends = inMs(database, windowMs);
      return db
        .insertInto("requests")
        .values({ name, count: 1, ends_at: ends })
        .onConflict((conflict) =>
          conflict.column("name").doUpdateSet({
            count: sql`CASE WHEN ${isOver} THEN 1 ELSE requests.count + 1 END`,
            ends_at: sql`CASE WHEN ${isOver} THEN excluded.ends_at ELSE requests.ends_at END`,
          }),
        )
        .returning(["count", sql<number>`ends_at - ${now}`.as("leftMs")])
        .executeTakeFirstOrThrow();
    },
    async prune(): Promise<void> {
      await db.deleteFrom("requests").where("ends_at", "<=", now).execute();
    },
  };
}

/** How long to retry while another process is writing to the SQLite file. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 20;

/** The database must be migrated. */
export async function openSql({ dialect, ...database }: Omit<Database, "db"> & { dialect: Dialect }) {
  const db = new Kysely<Tables>({
    dialect,
    // `IN ()` with an empty list is false.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  /** @throws RecordsUnavailable if the database is unavailable; otherwise the database's error */
  const ready = (): Promise<void> =>
    runWhenNotBusy(async () => {
      await db.selectFrom("claims").select("name").limit(1).execute();
    });
  await ready();
  return {
    of: (storeId: string) => storeRecords({ db, ...database }, storeId),
    requests: retryWhileBusy(sqlRequests({ db, ...database })),
    ready,
    close: (): Promise<void> => db.destroy(),
  };
}

const storeRecords = (database: Database, storeId: string) => ({
  claims: retryWhileBusy(sqlClaims(database)),
  payments: retryWhileBusy(sqlPayments(database, storeId)),
  due: retryWhileBusy(sqlDue(database, storeId)),
  events: retryWhileBusy(sqlEvents(database, storeId)),
  followedRefunds: retryWhileBusy(sqlFollowedRefunds(database, storeId)),
  outgoingRefunds: retryWhileBusy(sqlOutgoingRefunds(database, storeId)),
  cursors: retryWhileBusy(sqlCursors(database, storeId)),
  comparisons: retryWhileBusy(sqlComparisons(database, storeId)),
  health: retryWhileBusy(sqlHealth(database, storeId)),
  requests: retryWhileBusy(sqlRequests(database)),
});

/**
 * Runs `work`, one statement or one transaction, and retries it while another process is writing to the SQLite file. SQLite's own wait
 * would block this process.
 * @throws RecordsUnavailable if the database is unavailable; otherwise the database's error
 */
export async function runWhenNotBusy<Result>(work: () => Promise<Result>): Promise<Result> {
  const until = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw asUnavailable(error);
      await wait(Math.random() * BUSY_RETRY_MS);
    }
  }
}

const retryWhileBusy = <Port extends object>(port: Port): Port =>
  new Proxy(port, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name);
      if (typeof operation !== "function") return operation;
      return (...values: unknown[]) =>
        runWhenNotBusy(async (): Promise<unknown> => Reflect.apply(operation, undefined, values));
    },
  });
