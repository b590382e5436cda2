import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf, paidOrder, refundPayment } from "../../ledger-calls.js";
import { balanceOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { book, lines } from "./direct-booking.js";

describe("rule 5 (a wallet's balance is the sum of its entries)", () => {
  let database: SandboxDatabase;
  let wallet: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    wallet = record(database.merchant.wallets, "EUR");
  });
  afterAll(() => database.drop());

  const sumOfEntries = async (account: string) => {
    const { rows } = await database.pool.query<{ sum: bigint }>(
      "SELECT sum(amount)::bigint AS sum FROM entries WHERE account_id = $1",
      [account],
    );
    return rows[0]?.sum;
  };

  it("holds for payments, refunds and entries inserted without the SQL functions", async () => {
    const order = await paidOrder(database, { amount: 777n });
    await refundPayment(database, order, { amount: 333n });
    await book(database, [
      lines("EUR", [record(record(database.house, "issuing"), "EUR"), -7n], [wallet, 7n]),
    ]);
    expect(await balanceOf(database, wallet)).toBe(2_500_000n + 777n - 333n + 7n);
    expect(await balanceOf(database, wallet)).toBe(await sumOfEntries(wallet));
  });

  it.each([
    ["a balance changed with SQL", "UPDATE accounts SET balance = balance + 1 WHERE id = $1"],
    ["a balance set to zero", "UPDATE accounts SET balance = 0 WHERE id = $1"],
    ["a removed balance", "UPDATE accounts SET balance = NULL WHERE id = $1"],
    ["a changed currency", "UPDATE accounts SET currency = 'USD' WHERE id = $1"],
    ["a changed kind", "UPDATE accounts SET kind = 'hold' WHERE id = $1"],
    ["a changed ID", "UPDATE accounts SET id = gen_random_uuid() WHERE id = $1"],
    [
      "a changed owner",
      "UPDATE accounts SET merchant_id = (SELECT id FROM merchants WHERE id <> merchant_id LIMIT 1) WHERE id = $1",
    ],
  ])("rejects %s", async (_, statement) => {
    const before = await balanceOf(database, wallet);
    expect(await codeOf(database.pool.query(statement, [wallet]))).toBe("TG092");
    expect(await balanceOf(database, wallet)).toBe(before);
  });

  it("rejects a wallet opened with a balance", async () => {
    const opened = database.pool.query(
      "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES ($1, 'sandbox', 'JPY', 'merchant', $2, 5)",
      [randomUUID(), database.merchant.id],
    );
    expect(await codeOf(opened)).toBe("TG092");
  });

  it("rejects a second wallet for one owner, mode and currency", async () => {
    const opened = database.pool.query(
      "INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance) VALUES ($1, 'sandbox', 'EUR', 'merchant', $2, 0)",
      [randomUUID(), database.merchant.id],
    );
    expect(await codeOf(opened)).toBe("23505");
  });

  it("stores no balance for house accounts, and rejects setting it", async () => {
    const { rows } = await database.pool.query(
      "SELECT balance FROM accounts WHERE kind IN ('fees', 'fx', 'issuing', 'funding')",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ balance }) => balance === null)).toBe(true);
    expect(await codeOf(database.pool.query("UPDATE accounts SET balance = 0 WHERE kind = 'issuing'"))).toBe(
      "TG092",
    );
  });
});
