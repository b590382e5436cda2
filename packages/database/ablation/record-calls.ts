import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";
import { databaseUrl, recordOfCalls, testServer } from "../../../scripts/testing/databases.js";
import { withConnection } from "../../migrate/src/index.js";
import type { CallsOfFile } from "./trial.js";

/** Returns the names of the functions called in a database. First ends its sessions, because a session reports its calls only when it ends. */
const readCalls = (database: string): Promise<string[]> =>
  withConnection({ connectionString: databaseUrl(database).href }, async (client) => {
    await client.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    const { rows } = await client.query<{ name: string }>(
      "SELECT DISTINCT funcname AS name FROM pg_stat_user_functions WHERE schemaname = 'public' AND calls > 0",
    );
    return rows.map(({ name }) => name);
  });

/** Appends the functions that the test file called. A hook of a setup file runs after the hooks of the test file. */
async function recordCalls(to: string): Promise<void> {
  await withConnection({ connectionString: testServer() }, async (client) => {
    const { rows } = await client.query<{ name: string; open: boolean }>(
      `SELECT datname AS name, datallowconn AS open FROM pg_database WHERE datname !~ '^template|^tillgate_|^ablated_|^postgres$'`,
    );
    const functions = new Set<string>();
    for (const { name, open } of rows) {
      for (const called of open ? await readCalls(name) : []) functions.add(called);
      await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
    const { testPath = "" } = expect.getState();
    const called: CallsOfFile = { file: testPath, functions: [...functions].toSorted() };
    appendFileSync(to, `${JSON.stringify(called)}\n`);
  });
}

const record = recordOfCalls();
if (record !== undefined) afterAll(() => recordCalls(record));
