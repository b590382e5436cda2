import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf, outcomeOf } from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, type SandboxDatabase } from "../../sandbox-database.js";
import { createQuote, executePayout } from "./payout-calls.js";

let database: SandboxDatabase;

beforeAll(async () => {
  database = await openSandboxDatabase(20);
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

const run = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);

describe("rule 8 (a quote is used at most once)", () => {
  it("rejects a second payout with the same quote and writes nothing", async () => {
    const quoteId = await createQuote(database);
    await executePayout(database, { quoteId });
    const payouts = await countOf(database, "payouts");
    expect(["TG040", "23505"]).toContain(await codeOf(executePayout(database, { quoteId })));
    expect(await countOf(database, "payouts")).toBe(payouts);
  });

  it("lets exactly one of 20 concurrent payouts use the quote", async () => {
    const quoteId = await createQuote(database);
    const codes = await Promise.all(
      Array.from({ length: 20 }, () => codeOf(executePayout(database, { quoteId }))),
    );
    expect(codes.filter((code) => code === "done")).toHaveLength(1);
  });

  it("rejects a quote that has expired by the database's clock", async () => {
    const quoteId = await createQuote(database);
    await run("UPDATE quotes SET expires_at = clock_timestamp() WHERE id = $1", quoteId);
    expect(await codeOf(executePayout(database, { quoteId }))).toBe("TG040");
  });

  it("leaves the quote unused when the payout is rejected", async () => {
    const quoteId = await createQuote(database);
    await executePayout(database, { reference: "taken" });
    expect(await codeOf(executePayout(database, { quoteId, reference: "taken" }))).toBe("TG041");
    await executePayout(database, { quoteId });
  });

  it("rejects changing or deleting a used quote, and changing the terms of an unused quote", async () => {
    const quoteId = await createQuote(database);
    const change = (set: string) => codeOf(run(`UPDATE quotes SET ${set} WHERE id = $1`, quoteId));
    for (const set of [
      "amount = 999",
      "fee = 0",
      "rate = 2",
      "receiver_amount = 1",
      "receiver_currency = 'USD'",
      "wallet_user_id = (SELECT id FROM wallet_users WHERE name LIKE 'Dana%')",
    ])
      expect(await change(set)).toBe("TG094");
    await executePayout(database, { quoteId });
    for (const set of [
      "used_at = NULL",
      "used_at = clock_timestamp()",
      "expires_at = expires_at + interval '1 day'",
    ])
      expect(await change(set)).toBe("TG094");
    expect(await outcomeOf(run("DELETE FROM quotes WHERE id = $1", quoteId))).toMatchObject({
      constraint: "payouts_quote_id_mode_fkey",
    });
  });
});
