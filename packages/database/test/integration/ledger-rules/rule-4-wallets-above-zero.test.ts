import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  createOrder,
  deposit,
  outcomeOf,
  paidOrder,
  payOrder,
  refundPayment,
} from "../../ledger-calls.js";
import { balanceOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { book, lines } from "./direct-booking.js";

describe("rule 4 (a wallet never goes below zero)", () => {
  let database: SandboxDatabase;
  let dana: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    dana = record(record(database.shoppers, "Dana"), "USD");
  });
  afterAll(() => database.drop());

  it("rejects entries that would take a wallet one minor unit below zero", async () => {
    const balance = await balanceOf(database, dana);
    const merchant = record(database.merchant.wallets, "USD");
    const overdraft = book(database, [lines("USD", [dana, -balance - 1n], [merchant, balance + 1n])]);
    expect(await outcomeOf(overdraft)).toEqual({ code: "23514", constraint: "accounts_never_below_zero" });
    expect(await balanceOf(database, dana)).toBe(balance);
  });

  it("rejects a payment of more than the balance, and accepts a payment of exactly the balance", async () => {
    const balance = await balanceOf(database, dana);
    const tooMuch = await createOrder(database, { currency: "USD", amount: balance + 1n });
    expect(await codeOf(payOrder(database, tooMuch, dana))).toBe("TG020");
    const exactly = await createOrder(database, { currency: "USD", amount: balance });
    expect(await payOrder(database, exactly, dana)).toMatchObject({ status: "PAID" });
    expect(await balanceOf(database, dana)).toBe(0n);
  });

  it("rejects a refund of more than the merchant's balance", async () => {
    const merchant = record(database.otherMerchant.wallets, "XAF");
    const samuel = record(record(database.shoppers, "Samuel"), "XAF");
    const order = await payOrder(
      database,
      await createOrder(database, { merchant: database.otherMerchant, currency: "XAF", amount: 5_000n }),
      samuel,
    );
    const remainder = (await balanceOf(database, merchant)) - 4_999n;
    const emptied = lines(
      "XAF",
      [merchant, -remainder],
      [record(record(database.house, "issuing"), "XAF"), remainder],
    );
    await book(database, [emptied], { kind: "withdrawal" });
    expect(await codeOf(refundPayment(database, order, { merchant: database.otherMerchant }))).toBe("TG020");
    expect(await balanceOf(database, merchant)).toBe(4_999n);
  });

  it.each(["merchant", "shopper", "hold"])("rejects a %s account without a stored balance", async (kind) => {
    const owner = kind === "shopper" ? "wallet_user_id" : "merchant_id";
    const without = database.pool.query(
      `INSERT INTO accounts (id, mode, currency, kind, ${owner})
       SELECT $1, 'sandbox', 'JPY', $2, ${kind === "shopper" ? "id FROM wallet_users" : "id FROM merchants"} LIMIT 1`,
      [randomUUID(), kind],
    );
    expect(await outcomeOf(without)).toEqual({ code: "23514", constraint: "accounts_balance_by_kind" });
  });

  it("rejects closing a wallet that is not empty", async () => {
    const closing = database.pool.query("UPDATE accounts SET closed_at = now() WHERE id = $1", [
      record(database.merchant.wallets, "EUR"),
    ]);
    expect(await outcomeOf(closing)).toEqual({ code: "23514", constraint: "accounts_closed_empty" });
  });

  describe("a closed wallet", () => {
    const close = (wallet: string) =>
      database.pool.query("UPDATE accounts SET closed_at = now() WHERE id = $1", [wallet]);
    let ivo: string;
    beforeAll(async () => {
      ivo = record(record(database.shoppers, "Ivo"), "EUR");
      await close(ivo);
    });

    it("accepts no entries", async () => {
      const issuing = record(record(database.house, "issuing"), "EUR");
      expect(await codeOf(book(database, [lines("EUR", [issuing, -1n], [ivo, 1n])]))).toBe("TG093");
      expect(await codeOf(deposit(database, ivo, "EUR", 1n))).toBe("TG022");
    });

    it("receives no refund until it is open again", async () => {
      const order = await paidOrder(database);
      const testWallet = record(database.testShopper, "EUR");
      await close(testWallet);
      expect(await codeOf(refundPayment(database, order))).toBe("TG022");
      await database.pool.query("UPDATE accounts SET closed_at = NULL WHERE id = $1", [testWallet]);
      expect(await refundPayment(database, order)).toMatchObject({ status: "completed" });
    });

    it("is reported before an insufficient balance, regardless of the lock order", async () => {
      const payer = record(database.merchant.wallets, "USD");
      for (const id of ["00000000-0000-4000-8000-000000000000", "ffffffff-ffff-4fff-bfff-ffffffffffff"]) {
        await database.pool.query(
          `WITH shopper AS (INSERT INTO wallet_users (id, mode, name, email) VALUES ($1, 'sandbox', 'Closed', $2) RETURNING id)
           INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance, closed_at)
           SELECT $1, 'sandbox', 'USD', 'shopper', id, 0, now() FROM shopper`,
          [id, `${id}@example.com`],
        );
        const update = database.pool.query(
          "SELECT move_between_wallets($1, 'sandbox', 'payment', 'USD', $2, $3, 1000000000, NULL)",
          [randomUUID(), payer, id],
        );
        expect(await codeOf(update)).toBe("TG022");
      }
    });

    it("cannot pay", async () => {
      const order = await createOrder(database, { amount: 1n });
      await database.pool.query("UPDATE wallet_users SET active = true WHERE name LIKE 'Ivo %'");
      expect(await codeOf(payOrder(database, order, ivo))).toBe("TG022");
    });

    it("of a merchant prevents new orders in its currency", async () => {
      const { rows } = await database.pool.query<{ id: string }>(
        `INSERT INTO accounts (id, mode, currency, kind, merchant_id, balance, closed_at)
         VALUES (gen_random_uuid(), 'sandbox', 'KWD', 'merchant', $1, 0, now()) RETURNING id`,
        [database.merchant.id],
      );
      expect(rows).toHaveLength(1);
      expect(await codeOf(createOrder(database, { currency: "KWD" }))).toBe("TG023");
      expect(await codeOf(createOrder(database, { currency: "JPY" }))).toBe("TG023");
    });
  });
});
