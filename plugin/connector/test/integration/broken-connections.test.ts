import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  runAsSuperuser,
} from "../../../../scripts/testing/databases.js";
import { openRecords } from "../../src/records/open-records.js";
import type { OpenRecords } from "../../src/records/records.js";
import { RecordsUnavailable } from "../../src/records/records-unavailable.js";
import { newPayment } from "./fakes/new-payment.js";

const name = await createDatabase("connector");
const url = databaseUrl(name);
const run = (sql: string) => runAsSuperuser(sql, url.href);
let records: OpenRecords;

beforeAll(async () => {
  records = await openRecords({ url: url.href, onConnectionError: () => undefined });
});
afterAll(async () => {
  await records.close();
  await dropDatabase(name);
});

/** An unhandled error of a broken connection would end the Node process, and fail the run in Vitest. */
it("if a database connection is killed during a transaction, only that call fails, nothing is stored, and the next call succeeds", async () => {
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  process.on("uncaughtExceptionMonitor", report);
  await run(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER due_die BEFORE INSERT ON due FOR EACH ROW EXECUTE FUNCTION die();`);
  const store = randomUUID();
  const payment = newPayment(1);
  // The server fails after the payment is stored, while its check is scheduled.
  for (let repeated = 0; repeated < 3; repeated += 1)
    await expect(records.of(store).payments.start(payment)).rejects.toBeInstanceOf(RecordsUnavailable);
  await run("DROP TRIGGER due_die ON due");
  await records.of(store).payments.start(payment);
  expect(await records.of(store).due.count("payment")).toBe(0);
  expect(await records.of(store).payments.count()).toEqual({ underWay: 1, givenUp: 0 });
  process.off("uncaughtExceptionMonitor", report);
  expect(reported).toEqual([]);
});
