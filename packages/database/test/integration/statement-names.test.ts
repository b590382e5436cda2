import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../src/database.js";
import { callOne } from "../../src/functions/ledger-function.js";
import * as ledger from "../../src/ledger.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

let sandbox: SandboxDatabase;
beforeAll(async () => {
  sandbox = await openSandboxDatabase();
});
afterAll(() => sandbox.drop());

/** Returns the names of the statements prepared on a connection after two ledger calls and a named read. */
async function preparedAfterCalls(namedStatements: boolean): Promise<string[]> {
  const { pool, close } = openDatabase({
    url: sandbox.url,
    maxConnections: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs: 10_000,
    namedStatements,
    onIdleError: () => undefined,
  });
  try {
    for (let call = 0; call < 2; call += 1)
      expect(await callOne(pool, ledger.rollUpCounters, { limit: 1 })).toBe(0);
    expect((await pool.query({ name: "a read", text: "SELECT $1::int AS one", values: [1] })).rows).toEqual([
      { one: 1 },
    ]);
    const { rows } = await pool.query(
      "SELECT name FROM pg_prepared_statements WHERE name <> '' ORDER BY name",
    );
    return rows.map(({ name }) => name);
  } finally {
    await close();
  }
}

it("ledger calls and named reads are prepared by name", async () => {
  expect(await preparedAfterCalls(true)).toEqual(["a read", "roll_up_counters"]);
});

it("ledger calls and named reads are not prepared if statement names are off", async () => {
  expect(await preparedAfterCalls(false)).toEqual([]);
});
