import pg from "pg";
import { MigrationError } from "./migration-error.js";

/**
 * Runs a script of several statements in the transaction that is open.
 * @param what the script, as the first words of a sentence about its failure.
 * @throws MigrationError `failed`, with the line of the script where PostgreSQL points at one.
 */
export async function runScript(client: pg.Client, what: string, sql: string, name: string): Promise<void> {
  try {
    // Without parameters this is the simple protocol, which takes several statements. Deferred checks run now: a table with
    // waiting ones cannot be altered by the next script.
    await client.query(sql);
    await client.query("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED");
  } catch (cause) {
    throw new MigrationError("failed", `${what} failed: ${explain(cause, sql)} Nothing was changed.`, name, {
      cause,
    });
  }
}

/** PostgreSQL's message, with the line of the script where it points at one. */
function explain(error: unknown, sql: string): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message.replace(/\.?$/, ".");
  const position = error instanceof pg.DatabaseError ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position)) return text;
  // PostgreSQL counts characters, not UTF-16 units.
  const line = [...sql].slice(0, position - 1).filter((character) => character === "\n").length + 1;
  return `line ${line}: ${text}`;
}

/**
 * Opens one connection, does `work` on it and closes it. A connection that breaks between two queries is reported by the
 * next query: pg emits an event as well, which would end the process if nothing listened.
 * @throws what connecting or `work` throws.
 */
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
