import type pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { codeOf } from "./ledger-calls.js";
import { openSandboxDatabase } from "./sandbox-database.js";

export type Row = Record<string, unknown>;

/** Empty copies of the schema's tables, for tests of one constraint or index alone. */
export type TableCopies = {
  query<Result extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Result[]>;
  /**
   * Creates an empty table `copy` without constraints and indexes, for the duration of `work`.
   * @param guards query for the `statement`s that add a constraint or index to `copy`.
   * @param work gets a function that inserts a row, whose unnamed columns are null, and returns "done" or the error code.
   */
  inCopy<Result>(
    table: string,
    guards: { text: string; values: unknown[] },
    work: (insert: (row: Row) => Promise<string>) => Promise<Result>,
  ): Promise<Result>;
};

/** Opens a database for the tests of a file, as the role that owns its tables. */
export function useTableCopies(): TableCopies {
  let owner: pg.PoolClient;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await openSandboxDatabase();
    owner = await database.ownerPool.connect();
    close = database.drop;
  });
  afterAll(async () => {
    owner.release();
    await close();
  });
  return {
    query: async (text, values) => (await owner.query(text, values)).rows,
    async inCopy(table, guards, work) {
      await owner.query("BEGIN");
      try {
        const { rows } = await owner.query<{ statement: string }>(guards);
        await owner.query(`CREATE TABLE copy AS SELECT * FROM ${table} WITH NO DATA`);
        for (const { statement } of rows) await owner.query(statement);
        await owner.query("SET CONSTRAINTS ALL IMMEDIATE");
        return await work((row) =>
          codeOf(
            owner.query("INSERT INTO copy SELECT * FROM jsonb_populate_record(NULL::copy, $1)", [
              JSON.stringify(row),
            ]),
          ),
        );
      } finally {
        await owner.query("ROLLBACK");
      }
    },
  };
}
