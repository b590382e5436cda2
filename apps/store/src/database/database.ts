import { inTransaction, surviveBrokenConnections } from "@tillgate/service";
import pg from "pg";

/** What a query can be sent through: the pool, or the one connection of a transaction. */
export type Queryable = {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
};

/** A transaction's connection; a function that takes one must not be called with the pool. */
export type Transaction = Queryable & {
  readonly isTransaction: true;
};

// bigint columns hold ids and minor units: JavaScript's bigint keeps all of them.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text));

/** The shop's database. */
export class Database implements Queryable {
  readonly #pool: pg.Pool;

  constructor(connectionString: string, connections: number, onIdleError: (error: Error) => void) {
    this.#pool = new pg.Pool({ connectionString, max: connections, types, connectionTimeoutMillis: 10_000 });
    surviveBrokenConnections(this.#pool, onIdleError);
  }

  query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<pg.QueryResult<Row>> {
    return this.#pool.query<Row>(text, values);
  }

  /** Runs the work in one transaction: committed when it returns, rolled back when it throws. */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return inTransaction(this.#pool, (client) =>
      work({ isTransaction: true, query: (text, values = []) => client.query(text, values) }),
    );
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** The first row, or undefined. */
export async function firstRow<Row extends pg.QueryResultRow>(
  queryable: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<Row | undefined> {
  const { rows } = await queryable.query<Row>(text, values);
  return rows[0];
}

/**
 * The one row that a statement must return.
 *
 * @throws Error when it returns none.
 */
export async function oneRow<Row extends pg.QueryResultRow>(
  queryable: Queryable,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const row = await firstRow<Row>(queryable, text, values);
  if (!row) throw new Error("A statement that always returns a row returned none.");
  return row;
}
