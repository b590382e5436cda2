import type pg from "pg";
import { z } from "zod";
import { isTraced, withSpan } from "./tracing.js";

/**
 * Keeps the process alive when a connection breaks, even between two queries of a transaction; the connection's next query then fails.
 * @param onIdleError called for connections that break while idle; the pool replaces them.
 */
export function surviveBrokenConnections(pool: pg.Pool, onIdleError: (error: Error) => void): void {
  pool.on("error", onIdleError);
  pool.on("connect", (client) => client.on("error", () => undefined));
}

/**
 * Commits if `work` succeeds, and rolls back if it throws.
 * @throws the error of `work`, of connecting or of the commit, even if the rollback fails. A connection that cannot roll back does not return to the
 * pool.
 */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

export type Queryable = {
  query(query: string | pg.QueryConfig, values?: unknown[]): Promise<{ rows: unknown[] }>;
};

/** A zod schema or a wrapper around a schema. */
export type RowReader<Row> = { parse: (row: unknown) => Row };

const EXCERPT_LENGTH = 80;
/** Statements are parameterized, so they contain no values. */
const SQL_SPAN = { kind: "CLIENT", attributes: { "db.system.name": "postgresql" } } as const;

const nameOf = (query: string | pg.QueryConfig): string =>
  typeof query === "string" ? query : (query.name ?? query.text);
const shorten = (statement: string): string => statement.trim().replace(/\s+/g, " ").slice(0, EXCERPT_LENGTH);

/**
 * Parses the rows of a query, and drops columns that are not in the schema.
 * @param query the statement or its name, for the error.
 * @throws Error that names the columns of the first invalid row, without values, which may be secret.
 */
export function parseRows<Row>(reader: RowReader<Row>, rows: readonly unknown[], query = "A query"): Row[] {
  try {
    return rows.map((row) => reader.parse(row));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    const problems = error.issues.map(({ path, message }) => `${path.join(".") || "the row"}: ${message}`);
    throw new Error(
      `${shorten(query)} returned a row that does not match its schema. ${problems.join("; ")}`,
    );
  }
}

/** @throws the database's error, or the error of {@link parseRows}. */
export async function queryRows<Row>(
  queryable: Queryable,
  reader: RowReader<Row>,
  query: string | pg.QueryConfig,
  values?: unknown[],
): Promise<Row[]> {
  const name = nameOf(query);
  const runQuery = () => queryable.query(query, values);
  // On this hot path, the span name is built only if the call is traced.
  const { rows } = isTraced() ? await withSpan(`SQL ${shorten(name)}`, SQL_SPAN, runQuery) : await runQuery();
  return parseRows(reader, rows, name);
}

/** Returns the first row, or undefined if there is none. @throws the same errors as {@link queryRows}. */
export const queryFirstRow = async <Row>(
  ...query: Parameters<typeof queryRows<Row>>
): Promise<Row | undefined> => (await queryRows(...query))[0];

/** Returns the first row of a statement that always returns a row. @throws the same errors as {@link queryRows}, or Error if no row was returned. */
export async function queryOneRow<Row>(...query: Parameters<typeof queryRows<Row>>): Promise<Row> {
  const row = await queryFirstRow(...query);
  if (row === undefined) throw new Error(`${shorten(nameOf(query[2]))} returned no row; expected one.`);
  return row;
}
