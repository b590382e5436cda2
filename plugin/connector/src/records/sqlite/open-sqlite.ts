import { chmod, open, stat } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Client, createClient, LibsqlError } from "@libsql/client";
import type { OpenRecords } from "../records.js";
import { asUnavailable } from "../records-unavailable.js";
import type { SqlDatabase } from "../sql/sql-database.js";
import { sqlRecords } from "../sql/sql-records.js";
import { migrateSqlite } from "./migrate-sqlite.js";

/** How long a statement waits for another process that writes, in milliseconds. */
const BUSY_TIMEOUT_MS = 10_000;
const BUSY_RETRY_MS = 50;
const OWNER_ONLY = 0o600;

/**
 * Brings the connector's SQLite file up to date and opens it. Several processes may use one file; what was written
 * survives the end of any of them.
 *
 * @param url `file:/absolute/path`
 */
export async function openSqlite(url: string): Promise<OpenRecords> {
  await keepToOwner(fileURLToPath(url));
  // One connection: statements of one process wait for each other, never for a lock.
  const client = createClient({ url, concurrency: 1, timeout: BUSY_TIMEOUT_MS });
  try {
    await keepLogAhead(client);
    await migrateSqlite(client);
  } catch (error) {
    client.close();
    throw error;
  }
  return {
    ...sqlRecords(sqliteDatabase(client)),
    async ready() {
      await client.execute("SELECT count(*) FROM claims");
    },
    async close() {
      client.close();
    },
  };
}

/**
 * Orders' keys, requests and events are nobody's but the connector's. SQLite makes the files beside it with the rights that
 * this one has; those that are there already are mended.
 */
async function keepToOwner(file: string): Promise<void> {
  await (await open(file, "a", OWNER_ONLY)).close();
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    try {
      const { mode } = await stat(one);
      if ((mode & 0o777 & ~OWNER_ONLY) !== 0) await chmod(one, OWNER_ONLY);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}

/** Readers do not wait for the writer then. The file remembers it; SQLite does not wait for others that change it. */
async function keepLogAhead(client: Client): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.execute("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      const busy = error instanceof LibsqlError && error.code.startsWith("SQLITE_BUSY");
      if (!busy || tries * BUSY_RETRY_MS >= BUSY_TIMEOUT_MS) throw error;
      await wait(BUSY_RETRY_MS);
    }
  }
}

/** By name: SQLite counts `$1`, `$2` in the order in which they appear. */
const named = (values: (string | number | bigint | null)[]) =>
  Object.fromEntries(values.map((value, index) => [String(index + 1), value]));

const sqliteDatabase = (client: Client): SqlDatabase => ({
  async query(sql, values = []) {
    try {
      return (await client.execute({ sql, args: named(values) })).rows;
    } catch (error) {
      throw asUnavailable(error);
    }
  },
  async transaction(statements) {
    if (statements.length === 0) return [];
    try {
      const batch = statements.map(({ sql, values }) => ({ sql, args: named(values) }));
      return (await client.batch(batch, "write")).at(-1)?.rows ?? [];
    } catch (error) {
      throw asUnavailable(error);
    }
  },
  no: "0",
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  span: (parameter) => `CAST(${parameter} AS INTEGER)`,
  time: (parameter) => `CAST(${parameter} AS INTEGER)`,
  milliseconds: (difference) => `(${difference})`,
  greater: (one, other) => `max(${one}, ${other})`,
  lesser: (one, other) => `min(${one}, ${other})`,
  // One writer at a time anyway.
  skipLocked: "",
  among: (parameter) => `IN (SELECT value FROM json_each(${parameter}))`,
});
