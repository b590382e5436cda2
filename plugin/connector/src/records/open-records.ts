import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import { surviveBrokenConnections } from "@tillgate/service";
import { PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { OpenRecords } from "./records.js";
import { openSql } from "./sql/sql-records.js";

const folder = fileURLToPath(new URL("../../migrations/postgres", import.meta.url));

/** Connections per process. A few suffice, because operations are single statements or short transactions. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/** Parses 64-bit integers as numbers, because all stored values are far below the safe integer limit. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);

/** @param connectionString the connector's own database, as its owner */
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
  /** Called when an idle connection is lost; the next query opens another. */
  onConnectionError: (error: Error) => void;
};

/** In-memory SQLite is not supported, because its data would be lost. */
export const isRecordsUrl = (url: string): boolean =>
  /^postgres(ql)?:\/\//.test(url) ||
  (url.startsWith("file:/") && !url.endsWith("/") && !/[?#%\r\n]|:memory:/.test(url));

/** Migrates and opens the database. @throws RangeError for an unsupported URL; MigrationError, RecordsUnavailable or another database error */
export async function openRecords({ url, onConnectionError }: OpenRecordsOptions): Promise<OpenRecords> {
  if (!isRecordsUrl(url))
    throw new RangeError("The database URL must be postgresql://… or file:/absolute/path.");
  if (!url.startsWith("file:")) return openPostgres(url, onConnectionError);
  // Imported on demand, because its native binary is not available on every machine.
  const { openSqlite } = await import("./sqlite/open-sqlite.js");
  return openSqlite(url);
}
