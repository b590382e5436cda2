import { fileURLToPath } from "node:url";
import { migrate } from "@tillgate/migrate";
import pg from "pg";
import type { Records } from "../records.js";
import { postgresAttempts } from "./attempts.js";
import { postgresClaims } from "./claims.js";
import { postgresCursors } from "./cursors.js";
import { postgresEvents } from "./events.js";
import { postgresRefunds } from "./refunds.js";

const migrations = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** Connections of one process; an operation holds one only for the length of a statement or a short transaction. */
const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10_000;

export interface PostgresRecords extends Records {
  /** @throws PostgreSQL's own error where it can not be asked */
  ready(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenPostgresRecordsOptions {
  /** Address of the connector's own database, as its owner. */
  connectionString: string;
  /** Told when an idle connection breaks; the next query opens another. */
  onConnectionError: (error: Error) => void;
}

/** Brings the connector's database up to date and opens it. */
export async function openPostgresRecords(options: OpenPostgresRecordsOptions): Promise<PostgresRecords> {
  const { connectionString, onConnectionError } = options;
  await migrate(connectionString, migrations);
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: "tillgate-connector",
  });
  pool.on("error", onConnectionError);
  return {
    claims: postgresClaims(pool),
    attempts: postgresAttempts(pool),
    events: postgresEvents(pool),
    refunds: postgresRefunds(pool),
    cursors: postgresCursors(pool),
    async ready() {
      await pool.query("SELECT 1");
    },
    close: () => pool.end(),
  };
}
