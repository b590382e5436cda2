import { inTransaction, surviveBrokenConnections } from "@tillgate/service";
import pg from "pg";

export type Queryable = {
  query(query: string | pg.QueryConfig, values?: unknown[]): Promise<pg.QueryResult<Record<string, unknown>>>;
};

/** A transaction's connection. The pool does not satisfy this type. */
export type Transaction = Queryable & {
  readonly isTransaction: true;
};

// bigint columns hold IDs and minor units, which may exceed JavaScript's safe integers.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text));

export class Database implements Queryable {
  readonly #pool: pg.Pool;

  constructor(connectionString: string, connections: number, onIdleError: (error: Error) => void) {
    this.#pool = new pg.Pool({ connectionString, max: connections, types, connectionTimeoutMillis: 10_000 });
    surviveBrokenConnections(this.#pool, onIdleError);
  }

  query(query: string | pg.QueryConfig, values?: unknown[]) {
    return this.#pool.query<Record<string, unknown>>(query, values);
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return inTransaction(this.#pool, (client) =>
      work({ isTransaction: true, query: (query, values) => client.query(query, values) }),
    );
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
