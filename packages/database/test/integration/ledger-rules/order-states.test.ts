import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  cancelOrder,
  codeOf,
  createOrder,
  expireOrder,
  outcomeOf,
  paidOrder,
  payOrder,
  readOrder,
  refundPayment,
} from "../../ledger-calls.js";
import { openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";

describe("the state machine of an order", () => {
  let database: SandboxDatabase;
  let amelie: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    amelie = record(record(database.shoppers, "Amélie"), "EUR");
  });
  afterAll(() => database.drop());

  const update = (set: string, id: string) =>
    outcomeOf(database.pool.query(`UPDATE orders SET ${set}, version = version + 1 WHERE id = $1`, [id]));
  const created = {
    PAID: () => paidOrder(database),
    CANCELLED: async () => cancelOrder(database, await createOrder(database)),
    EXPIRED: async () => {
      const order = await createOrder(database, { expiresInSeconds: 0 });
      await expireOrder(database, order);
      return readOrder(database, order.id);
    },
  };

  describe.each(Object.entries(created))("an order in state %s", (status, make) => {
    it("cannot be paid or cancelled, and does not expire", async () => {
      const order = await make();
      expect(order.status).toBe(status);
      expect(await codeOf(payOrder(database, order, amelie))).toBe("TG010");
      expect(await codeOf(cancelOrder(database, order))).toBe("TG010");
      expect(await expireOrder(database, order)).toBe(false);
      expect(await readOrder(database, order.id)).toEqual(order);
    });

    it.each(["PENDING", "PAID", "CANCELLED", "EXPIRED"].filter((other) => other !== status))(
      "cannot be set to %s manually",
      async (other) => {
        const order = await make();
        expect(await update(`status = '${other}', state = '${other}'`, order.id)).toMatchObject({
          code: "TG094",
        });
      },
    );
  });

  it("does not let an order expire early, or be paid or cancelled late", async () => {
    const early = await createOrder(database, { expiresInSeconds: 300 });
    const late = await createOrder(database, { expiresInSeconds: 0 });
    expect(await expireOrder(database, early)).toBe(false);
    expect(await codeOf(payOrder(database, late, amelie))).toBe("TG011");
    expect(await codeOf(cancelOrder(database, late))).toBe("TG011");
    expect(await expireOrder(database, late)).toBe(true);
    expect(await expireOrder(database, late)).toBe(false);
  });

  it("treats an unknown order and an order in the other mode as not found", async () => {
    const order = await createOrder(database);
    expect(await codeOf(payOrder(database, { id: order.id, mode: "live" }, amelie))).toBe("TG001");
    expect(await codeOf(cancelOrder(database, { ...order, id: "POS-20000101-AAAAAA" }))).toBe("TG001");
    const overdue = await createOrder(database, { expiresInSeconds: 0 });
    expect(await expireOrder(database, { ...overdue, mode: "live" })).toBe(false);
  });

  it("requires an active shopper's wallet in the order's currency as the payer", async () => {
    const order = await createOrder(database, { amount: 1n });
    for (const account of [
      record(database.merchant.wallets, "EUR"),
      record(record(database.house, "issuing"), "EUR"),
      record(record(database.shoppers, "Samuel"), "XAF"),
      record(record(database.shoppers, "Ivo"), "EUR"),
      "00000000-0000-4000-8000-000000000000",
    ])
      expect(await codeOf(payOrder(database, order, account))).toBe("TG024");
    expect(await readOrder(database, order.id)).toMatchObject({ status: "PENDING" });
  });

  it("rejects a top-up of another merchant's test shopper or of an ordinary shopper", async () => {
    const order = await createOrder(database, { merchant: database.otherMerchant });
    for (const payer of [record(database.testShopper, "EUR"), amelie]) {
      const paid = payOrder(database, order, payer, { topUpTransferId: randomUUID() });
      expect(await codeOf(paid)).toBe("TG024");
    }
  });

  it.each([
    ["REFUNDED", "state = 'REFUNDED'"],
    ["REFUND_PENDING", "state = 'REFUND_PENDING'"],
    ["PENDING", "state = 'PENDING'"],
  ])("rejects the state %s for a paid order without matching refunds", async (_, set) => {
    const order = await paidOrder(database);
    expect(await update(set, order.id)).toEqual({ code: "23514", constraint: "orders_state_is_derived" });
  });

  it("rejects a change from REFUNDED back to PAID", async () => {
    const order = await paidOrder(database);
    await refundPayment(database, order);
    expect(await update("state = 'PAID'", order.id)).toEqual({
      code: "23514",
      constraint: "orders_state_is_derived",
    });
  });

  it.each([
    ["payment", "transfer_id = (SELECT id FROM transfers WHERE id <> transfer_id LIMIT 1)"],
    [
      "payer",
      "payer_account_id = (SELECT id FROM accounts WHERE kind = 'shopper' AND currency = 'EUR' AND id <> payer_account_id LIMIT 1)",
    ],
    ["transaction id", "trx_id = 'TRX-999999999999'"],
    ["time of payment", "paid_at = now()"],
    ["amount", "amount = amount + 1"],
    ["currency", "currency = 'USD'"],
    ["token", "token = 'guessed'"],
    ["merchant", "merchant_id = (SELECT id FROM merchants WHERE id <> merchant_id LIMIT 1)"],
    ["mode", "mode = 'live'"],
  ])("rejects a change to the %s of a paid order", async (_, set) => {
    const order = await paidOrder(database);
    expect(await update(set, order.id)).toMatchObject({ code: "TG094" });
  });

  it("rejects a change that does not raise the version", async () => {
    const order = await createOrder(database);
    const silent = database.pool.query(
      "UPDATE orders SET status = 'CANCELLED', state = 'CANCELLED' WHERE id = $1",
      [order.id],
    );
    expect(await codeOf(silent)).toBe("TG094");
  });

  it("raises the version with the payment and each refund", async () => {
    const order = await paidOrder(database);
    expect(order.version).toBe(2);
    await refundPayment(database, order, { amount: 1n });
    await refundPayment(database, order);
    expect(await readOrder(database, order.id)).toMatchObject({ version: 4, state: "REFUNDED" });
  });

  it("rejects an order inserted with a later version", async () => {
    const { id } = await createOrder(database);
    const inserted = database.pool.query(
      `INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', $2::text, 'token', $2::text, 'version', 2))).*
       FROM orders o WHERE id = $1`,
      [id, randomUUID()],
    );
    expect(await codeOf(inserted)).toBe("TG094");
  });

  it("rejects an order inserted as paid", async () => {
    const paid = await paidOrder(database);
    const inserted = database.pool.query(
      `INSERT INTO orders (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, status, state, expires_at,
         paid_at, trx_id, transfer_id, payer_account_id)
       SELECT 'POS-20261121-FORGED', mode, merchant_id, credential_id, 'forged', amount, currency, payment_method, status, state,
         expires_at, paid_at, 'TRX-000000000002', transfer_id, payer_account_id FROM orders WHERE id = $1`,
      [paid.id],
    );
    expect(await codeOf(inserted)).toBe("TG094");
  });

  it.each([0n, -1n, 10_000_000_000_001n])("rejects an order of %s minor units", async (amount) => {
    expect(await outcomeOf(createOrder(database, { amount }))).toEqual({
      code: "23514",
      constraint: "orders_amount",
    });
  });
});
