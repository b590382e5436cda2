import { afterAll, beforeAll, expect, it } from "vitest";
import { GUARDING_TRIGGERS } from "../../src/guarding-triggers.js";
import { proveLedger } from "../../src/prove-ledger.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";

/** Tables that the books do not rest on: what their triggers do is no rule of the ledger. */
const OUTSIDE_THE_BOOKS = ["timeline_entries", "receivers", "deliveries"];

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(() => database.drop());

async function violations(): Promise<string[]> {
  const { rules } = await proveLedger(database.url);
  return rules.flatMap((rule) => rule.violations);
}

it("every trigger on a table of the books is one that the proof asks for", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%s.%s', tgrelid::regclass, tgname) AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1) ORDER BY name`,
    [OUTSIDE_THE_BOOKS],
  );
  expect(rows.map(({ name }) => name)).toEqual([...GUARDING_TRIGGERS].sort());
});

it.each(GUARDING_TRIGGERS)("without %s the proof fails, and says so", async (name) => {
  const { ownerPool } = database;
  const [table, trigger] = name.split(".");
  const { rows } = await ownerPool.query<{ made: string }>(
    "SELECT pg_get_triggerdef(oid) AS made FROM pg_trigger WHERE tgrelid = $1::regclass AND tgname = $2",
    [table, trigger],
  );
  const [{ made } = { made: "" }] = rows;
  await ownerPool.query(`DROP TRIGGER ${trigger} ON ${table}`);
  expect(await violations()).toEqual([`trigger ${name} is missing or switched off`]);
  await ownerPool.query(made);
  expect(await violations()).toEqual([]);
});
