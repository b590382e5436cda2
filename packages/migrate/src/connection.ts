import pg from "pg";
import { MigrationError } from "./migration-error.js";

/**
 * Runs several statements in the open transaction, then checks the deferred constraints.
 * @param subject starts the error message, such as "Migration 0001_baseline".
 * @throws MigrationError `failed` that names `name`, with the line of the script if PostgreSQL reports a position.
 */
export async function runScript(
  client: pg.Client,
  subject: string,
  sql: string,
  name: string,
): Promise<void> {
  try {
    // Without parameters, pg allows several statements. Deferred constraints are checked now, because the next script could not alter
    // a table whose checks are pending.
    await client.query(sql);
    await client.query("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED");
  } catch (cause) {
    throw new MigrationError(
      "failed",
      `${subject} failed: ${explain(cause, sql)} Nothing was changed.`,
      name,
      {
        cause,
      },
    );
  }
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message.replace(/\.?$/, ".");
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position)) return text;
  // PostgreSQL counts characters, not UTF-16 units.
  const line = [...sql].slice(0, position - 1).filter((character) => character === "\n").length + 1;
  return `line ${line}: ${text}`;
}

/** Runs `work` on a new connection. If the connection breaks between two queries, the next query reports it. */
export async function withConnection<Result>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(config);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
