import pg from "pg";
import { expect, it } from "vitest";
import { Database } from "../../src/database/database.js";

const url = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";

it("a connection lost inside a transaction fails the next query and does not crash the process", async () => {
  const database = new Database(url, 2, () => undefined);
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const pids = () => database.query("SELECT pg_backend_pid() AS pid");
  await expect(
    database.transaction(async (transaction) => {
      const { rows } = await transaction.query("SELECT pg_backend_pid() AS pid");
      await other.query("SELECT pg_terminate_backend($1, 10000)", [rows[0]?.pid]);
      // A query on another connection lets the event loop deliver the broken connection's error.
      await pids();
      await transaction.query("SELECT 1");
    }),
  ).rejects.toThrow(/terminat|connection/i);
  expect((await pids()).rows).toHaveLength(1);
  await other.end();
  await database.close();
});
