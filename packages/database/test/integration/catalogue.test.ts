import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createFromTemplate,
  databaseUrl,
  dropDatabase,
  runAsSuperuser,
  testTemplate,
} from "../../../../scripts/testing/databases.js";
import { compareCatalogues, readCatalogue } from "../../src/catalogue.js";

/** Manual changes by someone with the database's password, and the report that reveals each. */
const FORGERIES: [what: string, sql: string, shows: RegExp][] = [
  [
    "a function's body",
    "CREATE OR REPLACE FUNCTION payer_share(o orders, p_amount bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT p_amount'",
    /^function payer_share\(orders,bigint\) differs: /,
  ],
  [
    "an added function",
    "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    /^function mine\(\) is not defined in any file/,
  ],
  [
    "an overload",
    "CREATE FUNCTION cancel_order(p text) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    /^function cancel_order\(text\) is not defined in any file/,
  ],
  ["a SECURITY DEFINER function", "ALTER FUNCTION span_of SECURITY DEFINER", /^function span_of/],
  [
    "a trigger disabled",
    "ALTER TABLE entries DISABLE TRIGGER entries_are_booked",
    /^trigger entries.entries_are_booked differs: .*disabled/,
  ],
  [
    "all triggers of a table disabled",
    "ALTER TABLE orders DISABLE TRIGGER ALL",
    /^key triggers of orders is not defined in any file: disabled/,
  ],
  [
    "a dropped trigger",
    "DROP TRIGGER events_are_kept ON events",
    /^trigger events.events_are_kept is missing/,
  ],
  [
    "a trigger added",
    "CREATE TRIGGER extra AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION reject_change()",
    /^trigger orders.extra is not defined in any file/,
  ],
  [
    "a dropped check",
    "ALTER TABLE accounts DROP CONSTRAINT accounts_never_below_zero",
    /^constraint accounts.accounts_never_below_zero is missing/,
  ],
  [
    "a weakened check",
    "ALTER TABLE refunds DROP CONSTRAINT refunds_amount, ADD CONSTRAINT refunds_amount CHECK (amount > -1000)",
    /^constraint refunds.refunds_amount differs/,
  ],
  [
    "a dropped partial index",
    "DROP INDEX refunds_one_per_transfer",
    /^index refunds_one_per_transfer is missing/,
  ],
  [
    "a dropped foreign key",
    "ALTER TABLE orders DROP CONSTRAINT orders_quote_id_mode_fkey",
    /^constraint orders.orders_quote_id_mode_fkey is missing/,
  ],
  [
    "a changed default",
    "ALTER TABLE orders ALTER COLUMN refunded SET DEFAULT 5",
    /^column orders.refunded differs/,
  ],
  [
    "a table privilege",
    "GRANT UPDATE ON accounts TO PUBLIC",
    /^grant on table accounts to everybody is not defined in any file: UPDATE/,
  ],
];

describe("compareCatalogues", () => {
  let name: string;
  let untouched: string[];
  let forged: string[];
  beforeAll(async () => {
    name = await createFromTemplate("catalogue", testTemplate());
    const expected = await readCatalogue(databaseUrl(testTemplate()).href);
    const { href } = databaseUrl(name);
    untouched = compareCatalogues(expected, await readCatalogue(href));
    await runAsSuperuser(FORGERIES.map(([, sql]) => sql).join(";\n"), href);
    forged = compareCatalogues(expected, await readCatalogue(href));
  });
  afterAll(() => dropDatabase(name));

  it("reports no difference for an unchanged database", () => {
    expect(untouched).toEqual([]);
  });

  it.each(FORGERIES)("reports a manual change: %s", (_what, _sql, shows) => {
    expect(forged).toContainEqual(expect.stringMatching(shows));
  });
});

it("migrations are numbered from 0001 without gaps", () => {
  const folder = path.join(import.meta.dirname, "../../sql/migrations");
  const names = readdirSync(folder).filter((entry) => entry !== "migration_lock.toml");
  expect(names.map((entry) => entry.replace(/_[a-z0-9_]+$/, ""))).toEqual(
    names.map((_, index) => String(index + 1).padStart(4, "0")),
  );
});
