import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import type { OpenRecords } from "../records.js";
import { asUnavailable } from "../records-unavailable.js";
import type { SqlDatabase } from "../sql/sql-database.js";
import { sqlRecords } from "../sql/sql-records.js";

const migrations = fileURLToPath(new URL("../../../migrations/postgres", import.meta.url));

/** Connections of one process; an operation holds one only for the length of a statement or a short transaction. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

/**
 * Brings the connector's PostgreSQL database up to date and opens it.
 *
 * @param connectionString the address of the connector's own database, as its owner
 * @param onConnectionError told when an idle connection breaks; the next query opens another
 */
export async function openPostgres(
  connectionString: string,
  onConnectionError: (error: Error) => void,
): Promise<OpenRecords> {
  await migrate(connectionString, migrations);
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: "tillgate-connector",
  });
  pool.on("error", onConnectionError);
  // The pool listens to idle connections only. One that breaks between two statements of a transaction (the server was
  // killed) tells so by an event that would end the process if nobody listened; its next statement fails, and that is handled.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    ...sqlRecords(postgresDatabase(pool)),
    async ready() {
      await pool.query("SELECT 1");
    },
    close: () => pool.end(),
  };
}

const postgresDatabase = (pool: pg.Pool): SqlDatabase => ({
  async query(sql, values = []) {
    try {
      return (await pool.query(sql, values)).rows;
    } catch (error) {
      throw asUnavailable(error);
    }
  },
  async transaction(statements) {
    const client = await pool.connect().catch((error: unknown) => {
      throw asUnavailable(error);
    });
    let broken = false;
    try {
      await client.query("BEGIN");
      let rows: unknown[] = [];
      for (const { sql, values } of statements) rows = (await client.query(sql, values)).rows;
      await client.query("COMMIT");
      return rows;
    } catch (error) {
      // When the connection itself broke, PostgreSQL rolls back and the first error is the one to report.
      await client.query("ROLLBACK").catch(() => {
        broken = true;
      });
      throw asUnavailable(error);
    } finally {
      client.release(broken);
    }
  },
  no: "false",
  now: "clock_timestamp()",
  span: (parameter) => `${parameter}::double precision * interval '1 millisecond'`,
  time: (parameter) => `to_timestamp(${parameter}::double precision / 1000)`,
  milliseconds: (difference) => `(extract(epoch FROM ${difference}) * 1000)::double precision`,
  greater: (one, other) => `greatest(${one}, ${other})`,
  lesser: (one, other) => `least(${one}, ${other})`,
  skipLocked: "FOR UPDATE SKIP LOCKED",
  among: (parameter, type) =>
    `IN (SELECT value::${type} FROM jsonb_array_elements_text(${parameter}::jsonb) AS list (value))`,
});
