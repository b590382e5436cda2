import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as ledger from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf } from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { createQuote, executeItem, executePayout, payoutItem } from "./payout-calls.js";

let database: SandboxDatabase;

const run = (sql: string, ...values: unknown[]) => database.pool.query(sql, values);

beforeAll(async () => {
  database = await openSandboxDatabase(2);
  await run(
    "INSERT INTO payout_terms (merchant_id, mode, currency, authorized) VALUES ($1, 'live', 'EUR', true) ON CONFLICT DO NOTHING",
    database.merchant.id,
  );
});
afterAll(async () => {
  const { rules } = await proveLedger(database.url);
  await database.drop();
  expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

describe("execute_payouts with a repeated idempotency key", () => {
  it("returns only the original payout, even with another reference, and writes nothing", async () => {
    await executePayout(database);
    const key = randomUUID();
    const original = await executePayout(database, { key });
    const payouts = await countOf(database, "payouts");
    const { sql, values } = ledger.executePayouts;
    const { rows } = await run(sql, ...values(await payoutItem(database, { key })));
    expect(rows).toEqual([{ ...original, replayed: true }]);
    expect(await countOf(database, "payouts")).toBe(payouts);
  });
});

describe("execute_payouts with a quote", () => {
  it("rejects another merchant's quote as unusable", async () => {
    const quoteId = await createQuote({ ...database, merchant: database.otherMerchant });
    expect(await codeOf(executePayout(database, { quoteId }))).toBe("TG040");
  });
});

describe("execute_payouts of EUR in the sandbox", () => {
  const OWN = "merchant_id = $1 AND mode = 'sandbox' AND currency = 'EUR'";
  const setTerms = (column: "review_above" | "per_transaction", limit: number, where: string) =>
    run(`UPDATE payout_terms SET ${column} = ${limit} WHERE ${where}`, database.merchant.id);
  const reset = "UPDATE payout_terms SET review_above = NULL, per_transaction = 1000000";
  beforeAll(() => run(reset));
  afterEach(() => run(reset));

  it("holds an amount above the merchant's review limit", async () => {
    await setTerms("review_above", 999, OWN);
    expect((await executePayout(database)).status).toBe("pending");
    expect((await executePayout(database, { amount: 999n })).status).toBe("completed");
  });

  it("rejects an amount above the merchant's limit per payout", async () => {
    await setTerms("per_transaction", 999, OWN);
    expect(await codeOf(executePayout(database))).toBe("TG047");
    expect((await executePayout(database, { amount: 999n })).status).toBe("completed");
  });

  it("does not apply the EUR limits to a payout in another currency", async () => {
    await setTerms("review_above", 999, OWN);
    const inFrancs = {
      ...(await payoutItem(database)),
      ...{ senderCurrency: "XAF", receiverCurrency: "XAF" },
      recipientAccountId: record(record(database.shoppers, "Samuel"), "XAF"),
    };
    expect((await executeItem(database, inFrancs)).status).toBe("completed");
  });

  it.each([
    ["another merchant", "merchant_id <> $1 AND mode = 'sandbox' AND currency = 'EUR'"],
    ["live mode", "merchant_id = $1 AND mode = 'live' AND currency = 'EUR'"],
    ["another currency", "merchant_id = $1 AND mode = 'sandbox' AND currency <> 'EUR'"],
  ])("ignores the limits of %s", async (_whose, where) => {
    for (const column of ["review_above", "per_transaction"] as const) {
      const { rowCount } = await setTerms(column, 999, where);
      expect(rowCount).toBeGreaterThan(0);
      expect((await executePayout(database)).status).toBe("completed");
    }
  });
});
