import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openRecords } from "../../src/records/open-records.js";
import type { OpenRecords } from "../../src/records/records.js";
import { RecordsUnavailable } from "../../src/records/records-unavailable.js";

const admin = process.env.TILLGATE_TEST_POSTGRES_URL ?? "";
const name = `connector_${randomBytes(6).toString("hex")}`;
const url = new URL(admin);
url.pathname = `/${name}`;
let records: OpenRecords;

async function run(sql: string, address = url.href): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  await run(`CREATE DATABASE ${name}`, admin);
  records = await openRecords({ url: url.href, onConnectionError: () => undefined });
});
afterAll(async () => {
  await records.close();
  await run(`DROP DATABASE ${name} WITH (FORCE)`, admin);
});

/** Nobody listens to what a broken connection tells by itself: Node would end the process, and vitest fails the run. */
it("a server that is killed in the middle of a transaction ends no process: the call rejects, and the next one works", async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown) => unheard.push(error);
  process.on("uncaughtExceptionMonitor", hear);
  await run(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER hints_die BEFORE INSERT ON hints FOR EACH ROW EXECUTE FUNCTION die();`);
  const store = randomUUID();
  for (let repeated = 0; repeated < 3; repeated += 1)
    await expect(records.hints.put(store, [1], 0)).rejects.toBeInstanceOf(RecordsUnavailable);
  await run("DROP TRIGGER hints_die ON hints");
  await records.hints.put(store, [1], 0);
  expect(await records.hints.count(store)).toBe(1);
  process.off("uncaughtExceptionMonitor", hear);
  expect(unheard).toEqual([]);
});
