import { afterAll, beforeAll, expect, it } from "vitest";
import { GUARDING_TRIGGERS } from "../../src/guarding-triggers.js";
import { openSandboxDatabase, type SandboxDatabase } from "../sandbox-database.js";
import { brokenRules, proofAfter } from "./broken-books.js";

/** Tables that the ledger does not depend on: their triggers do not enforce ledger rules. */
const OUTSIDE_THE_BOOKS = ["timeline_entries", "receivers", "deliveries"];

let database: SandboxDatabase;
beforeAll(async () => {
  database = await openSandboxDatabase();
});
afterAll(() => database.drop());

it("GUARDING_TRIGGERS lists exactly the triggers on the ledger's tables", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%s.%s', tgrelid::regclass, tgname) AS name FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
     WHERE NOT tgisinternal AND c.relnamespace = 'public'::regnamespace AND c.relname <> ALL($1) ORDER BY name`,
    [OUTSIDE_THE_BOOKS],
  );
  expect(rows.map(({ name }) => name)).toEqual([...GUARDING_TRIGGERS].sort());
});

it("the ledger proof passes with all triggers in place", async () => {
  expect(await brokenRules(database)).toEqual([]);
});

/** Maximum number of violations that a proof lists per rule. */
const AT_ONCE = 20;
const some = Array.from({ length: Math.ceil(GUARDING_TRIGGERS.length / AT_ONCE) }, (_, part) =>
  GUARDING_TRIGGERS.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
);

it.each(some)("the ledger proof reports exactly the missing triggers: %s and others", async (...names) => {
  const { rules } = await proofAfter(database, async (client) => {
    for (const name of names) {
      const [table, trigger] = name.split(".");
      await client.query(`DROP TRIGGER ${trigger} ON ${table}`);
    }
  });
  const violations = rules.flatMap((rule) => rule.violations);
  expect(violations.sort()).toEqual(names.map((name) => `trigger ${name} is missing or disabled`).sort());
});
