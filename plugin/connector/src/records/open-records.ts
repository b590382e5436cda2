import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import { surviveBrokenConnections } from "@tillgate/service";
import { PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OpenRecords } from "./records.js";
import { openSql } from "./sql/sql-records.js";

const folder = fileURLToPath(new URL("../../migrations/postgres", import.meta.url));

/** Connections of one process; an operation holds one only for the length of a statement or a short transaction. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Whole numbers of 64 bits come as text; all that are kept here are far below what a number holds exactly. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Brings the connector's PostgreSQL database up to date and opens it.
 *
 * @param connectionString the address of the connector's own database, as its owner
 * @param onConnectionError told when an idle connection breaks; the next query opens another
 */
async function openPostgres(
  connectionString: string,
  onConnectionError: (error: Error) => void,
): Promise<OpenRecords> {
  await migrate(connectionString, folder);
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: "tillgate-connector",
    types,
  });
  surviveBrokenConnections(pool, onConnectionError);
  return openSql({
    dialect: new PostgresDialect({ pool }),
    now: sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`,
    skipsLocked: true,
  });
}

export type OpenRecordsOptions = {
  /** `postgres(ql)://…`, the connector's own database as its owner, or `file:/absolute/path`, a SQLite file. */
  url: string;
  /** Told when an idle connection breaks; the next query opens another. */
  onConnectionError: (error: Error) => void;
};

/** Whether records can be kept there: nothing that forgets when the process ends. */
export const isRecordsUrl = (url: string): boolean =>
  /^postgres(ql)?:\/\//.test(url) ||
  (url.startsWith("file:/") && !url.endsWith("/") && !/[?#%\r\n]|:memory:/.test(url));

/**
 * Brings the connector's database up to date and opens it.
 *
 * @throws RangeError for an address of another kind; the database's own error where it cannot be opened
 */
export async function openRecords({ url, onConnectionError }: OpenRecordsOptions): Promise<OpenRecords> {
  if (!isRecordsUrl(url)) throw new RangeError("Records are kept in PostgreSQL or in a SQLite file.");
  if (!url.startsWith("file:")) return openPostgres(url, onConnectionError);
  // Only here, because its library brings a binary of its own that not every machine has.
  const { openSqlite } = await import("./sqlite/open-sqlite.js");
  return openSqlite(url);
}
