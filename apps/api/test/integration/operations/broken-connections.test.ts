import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/test-database.js";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it("the next query fails if the database connection breaks inside a transaction, and the pool then serves queries on another connection", async () => {
  const { pool } = test.open();
  const client = await pool.connect();
  await client.query("BEGIN");
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
  await test.executeAsSuperuser(`SELECT pg_terminate_backend(${rows[0]?.pid})`);
  await ended;
  await expect(client.query("SELECT 1")).rejects.toThrow();
  client.release(true);
  expect((await pool.query("SELECT 1 AS alive")).rows).toEqual([{ alive: 1 }]);
});
