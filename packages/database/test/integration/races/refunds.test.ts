import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRows } from "../../../src/functions/ledger-function.js";
import { expireDueOrders } from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf, createOrder, paidOrder, payOrder, readOrder, refundPayment } from "../../ledger-calls.js";
import {
  balanceOf,
  countOf,
  openSandboxDatabase,
  record,
  type SandboxDatabase,
} from "../../sandbox-database.js";
import { share } from "./outcomes.js";

const CONNECTIONS = 50;

describe("concurrent refunds", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase(CONNECTIONS);
  });
  afterAll(async () => {
    const { rules } = await proveLedger(database.url);
    await database.drop();
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it("do not exceed the payment, even with 50 partial refunds", async () => {
    const order = await paidOrder(database, { amount: 1_000n });
    const wallet = record(database.testShopper, "EUR");
    const before = await balanceOf(database, wallet);
    const codes = await Promise.all(
      Array.from({ length: 50 }, () => codeOf(refundPayment(database, order, { amount: 30n }))),
    );
    expect(share(codes)).toEqual({ done: 33, TG021: 17 });
    expect(await readOrder(database, order.id)).toMatchObject({
      refunded: 990n,
      state: "PAID",
      version: 2 + 33,
    });
    expect(await balanceOf(database, wallet)).toBe(before + 990n);
    expect(await refundPayment(database, order)).toMatchObject({ amount: 10n });
    expect(
      await countOf(database, "events WHERE order_id = $1 AND name = 'pos.order.refunded'", [order.id]),
    ).toBe(1);
  });

  it("refund the payment only once, even with 20 full refunds", async () => {
    const order = await paidOrder(database, { amount: 500n });
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(refundPayment(database, order))));
    expect(share(codes)).toEqual({ done: 1, TG021: 19 });
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 500n, state: "REFUNDED" });
  });

  it("do not take a merchant's wallet below zero", async () => {
    const merchant = database.otherMerchant;
    const wallet = record(merchant.wallets, "XAF");
    const samuel = record(record(database.shoppers, "Samuel"), "XAF");
    const orders = [];
    for (let i = 0; i < 10; i += 1)
      orders.push(
        await payOrder(
          database,
          await createOrder(database, { merchant, currency: "XAF", amount: 1_000n }),
          samuel,
        ),
      );
    // The merchant's wallet is emptied except for the amount of three refunds.
    const remainder = (await balanceOf(database, wallet)) - 3_500n;
    await database.pool.query(
      "SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'XAF', $1, $2, $3, 'race')",
      [wallet, record(record(database.house, "issuing"), "XAF"), remainder],
    );
    const codes = await Promise.all(
      orders.map((order) => codeOf(refundPayment(database, order, { merchant }))),
    );
    expect(share(codes)).toEqual({ done: 3, TG020: 7 });
    expect(await balanceOf(database, wallet)).toBe(500n);
  });

  it("do not deadlock with payments between the same wallets", async () => {
    const wallets = [
      record(record(database.shoppers, "Amélie"), "EUR"),
      record(record(database.shoppers, "Samuel"), "EUR"),
    ];
    const merchants = [database.merchant, database.otherMerchant];
    const at = <Value>(list: Value[], index: number): Value => {
      const value = list[index % list.length];
      if (value === undefined) throw new Error("empty list");
      return value;
    };
    const make = (i: number) => createOrder(database, { merchant: at(merchants, i), amount: 2n });
    const paid = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => payOrder(database, await make(i), at(wallets, i >> 1))),
    );
    const open = await Promise.all(Array.from({ length: 40 }, (_, i) => make(i)));
    const due = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        createOrder(database, { merchant: at(merchants, i), amount: 2n, expiresInSeconds: 0 }),
      ),
    );
    const codes = await Promise.all([
      ...paid.map((order, i) =>
        codeOf(refundPayment(database, order, { merchant: at(merchants, i), amount: 1n })),
      ),
      ...open.map((order, i) => codeOf(payOrder(database, order, at(wallets, i >> 1)))),
      ...paid.map((order, i) =>
        codeOf(refundPayment(database, order, { merchant: at(merchants, i), amount: 1n })),
      ),
      ...due.map(() => codeOf(callRows(database.pool, expireDueOrders, { limit: 10 }))),
    ]);
    expect(share(codes)).toEqual({ done: 160 });
  });
});
