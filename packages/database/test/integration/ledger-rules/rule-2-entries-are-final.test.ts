import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, NOT_ALLOWED, paidOrder } from "../../ledger-calls.js";
import { openSandboxDatabase, type SandboxDatabase } from "../../sandbox-database.js";

/** Digest of all entries, transfers, accounts and events. */
const BOOKS = `SELECT md5(string_agg(line, ',' ORDER BY line)) AS books FROM (
  SELECT e::text AS line FROM entries e UNION ALL SELECT t::text FROM transfers t
  UNION ALL SELECT a::text FROM accounts a UNION ALL SELECT v::text FROM events v) AS lines`;

describe("rule 2 (entries are never updated or deleted)", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    await paidOrder(database, { callbackUrl: "https://shop.example.com/hook" });
  });
  afterAll(() => database.drop());

  it.each([
    "UPDATE entries SET amount = amount + 1",
    "UPDATE entries SET amount = amount WHERE false",
    "UPDATE entries SET account_id = account_id",
    "DELETE FROM entries",
    "DELETE FROM entries WHERE false",
    "TRUNCATE entries",
    "TRUNCATE entries RESTART IDENTITY CASCADE",
    "UPDATE transfers SET kind = 'refund'",
    "UPDATE transfers SET corrects = NULL",
    "DELETE FROM transfers",
    "TRUNCATE transfers CASCADE",
    "DELETE FROM accounts",
    "DELETE FROM accounts WHERE balance = 0",
    "TRUNCATE accounts CASCADE",
    "TRUNCATE merchants CASCADE",
    "TRUNCATE wallet_users CASCADE",
    "UPDATE events SET body = '{}'",
    "DELETE FROM events",
    "TRUNCATE events CASCADE",
    "TRUNCATE conversions",
    "TRUNCATE event_retention",
    "TRUNCATE event_floor",
    `INSERT INTO entries SELECT * FROM entries ON CONFLICT (id) DO UPDATE SET amount = 1`,
    `MERGE INTO entries e USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE`,
  ])("rejects %s", async (statement) => {
    const before = await database.pool.query(BOOKS);
    // Triggers reject every statement of the tables' owner. The API's role lacks the privilege for TRUNCATE, and for INSERT with explicit IDs.
    expect(await codeOf(database.ownerPool.query(statement))).toBe("TG090");
    expect(await codeOf(database.pool.query(statement))).toBe(
      /^(TRUNCATE|INSERT)/.test(statement) ? NOT_ALLOWED : "TG090",
    );
    expect((await database.pool.query(BOOKS)).rows).toEqual(before.rows);
  });

  it("rejects deleting a merchant, shopper or currency that the ledger references", async () => {
    for (const table of ["merchants", "wallet_users", "currencies"])
      expect(await codeOf(database.pool.query(`DELETE FROM ${table}`))).toMatch(/^23(001|503)$/);
  });
});
