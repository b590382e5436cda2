import { setTimeout as wait } from "node:timers/promises";
import { type Dialect, HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression } from "kysely";
import { asUnavailable, isBusy } from "../records-unavailable.js";
import { sqlClaims } from "./claims.js";
import { sqlComparisons } from "./comparisons.js";
import { sqlCursors } from "./cursors.js";
import type { Database, Tables } from "./database.js";
import { sqlDue } from "./due.js";
import { sqlEvents } from "./events.js";
import { sqlFollowedRefunds } from "./followed-refunds.js";
import { sqlHealth } from "./health.js";
import { sqlOutgoingRefunds } from "./outgoing-refunds.js";
import { sqlPayments } from "./payments.js";
import { sqlRequests } from "./requests.js";

/** How long is waited for another process that writes to the same SQLite file, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 20;

/** Opens the records of a database that is up to date. */
export async function openSql({ dialect, ...database }: Omit<Database, "db"> & { dialect: Dialect }) {
  const db = new Kysely<Tables>({
    dialect,
    // Nothing is in a list of none.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  /** @throws RecordsUnavailable */
  const ready = (): Promise<void> =>
    whenFree(async () => {
      await db.selectFrom("claims").select("name").limit(1).execute();
    });
  await ready();
  return {
    of: (storeId: string) => recordsOf({ db, ...database }, storeId),
    requests: patient(sqlRequests({ db, ...database })),
    ready,
    close: (): Promise<void> => db.destroy(),
  };
}

/** What is remembered of one store. */
const recordsOf = (database: Database, storeId: string) => ({
  claims: patient(sqlClaims(database)),
  payments: patient(sqlPayments(database, storeId)),
  due: patient(sqlDue(database, storeId)),
  events: patient(sqlEvents(database, storeId)),
  followedRefunds: patient(sqlFollowedRefunds(database, storeId)),
  outgoingRefunds: patient(sqlOutgoingRefunds(database, storeId)),
  cursors: patient(sqlCursors(database, storeId)),
  comparisons: patient(sqlComparisons(database, storeId)),
  health: patient(sqlHealth(database, storeId)),
  requests: patient(sqlRequests(database)),
});

/**
 * Does something again while another process writes to the SQLite file. SQLite itself would hold up this whole process
 * meanwhile. Every operation of the records is one statement or one transaction, so that nothing is done twice.
 *
 * @throws RecordsUnavailable where the database cannot be asked; its own error where it refuses
 */
export async function whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
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

/** The same operations, each through {@link whenFree}. */
const patient = <Port extends object>(port: Port): Port =>
  new Proxy(port, {
    get(target, name) {
      const operation: unknown = Reflect.get(target, name);
      if (typeof operation !== "function") return operation;
      return (...values: unknown[]) =>
        whenFree(async (): Promise<unknown> => Reflect.apply(operation, undefined, values));
    },
  });
