import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  codeOf,
  createOrder,
  newRefundId,
  type OrderRow,
  outcomeOf,
  paidOrder,
  readOrder,
  refundPayment,
  settleRefund,
} from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";

describe("rule 6 (completed and pending refunds never exceed the payment)", () => {
  let database: SandboxDatabase;
  let order: OrderRow;

  beforeAll(async () => {
    database = await openSandboxDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    order = await paidOrder(database, { amount: 1_000n });
  });

  /** Holds an amount and writes its pending refund without the SQL function, in one transaction. */
  const insertPending = async (
    amount: bigint,
    of: { order?: string; merchant?: string; currency?: string } = {},
  ): Promise<void> => {
    const { id: merchantId } = database.merchant;
    const hold = randomUUID();
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query(
        `SELECT move_between_wallets($1, 'sandbox', 'hold', 'EUR', account_of('sandbox', 'EUR', 'merchant', $2),
           account_of('sandbox', 'EUR', 'hold', $2), $3, NULL)`,
        [hold, merchantId, amount],
      );
      await client.query(
        `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, hold_transfer_id)
         VALUES ($1, 'sandbox', $2, $3, $4, $5, 'pending', $6)`,
        [newRefundId(), of.merchant ?? merchantId, of.order ?? order.id, amount, of.currency ?? "EUR", hold],
      );
      await client.query("COMMIT");
    } catch (error) {
      await client.query("ROLLBACK");
      throw error;
    } finally {
      client.release();
    }
  };

  it("rejects one minor unit beyond the payment, in one refund or several", async () => {
    expect(await codeOf(refundPayment(database, order, { amount: 1_001n }))).toBe("TG021");
    await refundPayment(database, order, { amount: 600n });
    expect(await codeOf(refundPayment(database, order, { amount: 401n }))).toBe("TG021");
    expect(await refundPayment(database, order, { amount: 400n })).toMatchObject({ amount: 400n });
    expect(await codeOf(refundPayment(database, order, { amount: 1n }))).toBe("TG021");
    expect(await codeOf(refundPayment(database, order))).toBe("TG021");
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 1_000n, state: "REFUNDED" });
  });

  it("requires each refund to return exactly the payer's share, even if one statement writes several refunds", async () => {
    const write = async (...shares: bigint[]) => {
      const client = await database.pool.connect();
      try {
        await client.query("BEGIN");
        const parts = shares.map((share) => [randomUUID(), newRefundId(), share]);
        const columns = [0, 1, 2].map((at) => parts.map((part) => part[at]));
        await client.query(
          "INSERT INTO transfers (id, mode, kind) SELECT unnest($1::uuid[]), 'sandbox', 'refund'",
          [columns[0]],
        );
        await client.query(
          `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, settled_at, payer_amount)
           SELECT id, 'sandbox', $4, $5, 500, 'EUR', 'completed', transfer, clock_timestamp(), share
           FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS part (transfer, id, share)`,
          [...columns, database.merchant.id, order.id],
        );
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    };
    await write(500n, 500n);
    expect(await codeOf(write(499n, 501n))).toBe("TG096");
    expect(await codeOf(write(500n, 499n))).toBe("TG096");
  });

  it("refunds the remainder if no amount is given", async () => {
    await refundPayment(database, order, { amount: 1n });
    expect(await refundPayment(database, order)).toMatchObject({ amount: 999n });
  });

  it.each([0n, -1n, -1_000n])("rejects a refund of %s minor units", async (amount) => {
    expect(await codeOf(refundPayment(database, order, { amount }))).toBe("22023");
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 0n, state: "PAID" });
  });

  it("counts pending refunds against the payment", async () => {
    await insertPending(700n);
    expect(await readOrder(database, order.id)).toMatchObject({
      refund_pending: 700n,
      state: "REFUND_PENDING",
    });
    expect(await codeOf(refundPayment(database, order, { amount: 301n }))).toBe("TG021");
    expect(await outcomeOf(insertPending(301n))).toEqual({
      code: "23514",
      constraint: "orders_refunds_within_payment",
    });
    await refundPayment(database, order, { amount: 300n });
    expect(await readOrder(database, order.id)).toMatchObject({ refunded: 300n, state: "REFUND_PENDING" });
  });

  it("rejects a refund beyond the payment even if it is inserted without the SQL functions", async () => {
    expect(await outcomeOf(insertPending(1_001n))).toEqual({
      code: "23514",
      constraint: "orders_refunds_within_payment",
    });
    expect(await countOf(database, "refunds WHERE order_id = $1", [order.id])).toBe(0);
  });

  it.each([
    ["more than the payment", "UPDATE orders SET refunded = 1001, version = version + 1 WHERE id = $1"],
    ["refunds that do not exist", "UPDATE orders SET refunded = 1, version = version + 1 WHERE id = $1"],
    [
      "pending refunds that do not exist",
      "UPDATE orders SET refund_pending = 1, state = 'REFUND_PENDING', version = version + 1 WHERE id = $1",
    ],
  ])("rejects a manual change to an order's refund totals: %s", async (_, statement) => {
    expect(await codeOf(database.pool.query(statement, [order.id]))).toBe("TG094");
  });

  it.each([
    ["amount", "UPDATE refunds SET amount = amount + 1 WHERE order_id = $1"],
    ["order", "UPDATE refunds SET order_id = 'other' WHERE order_id = $1"],
    ["status", "UPDATE refunds SET status = 'failed' WHERE order_id = $1"],
    [
      "status back to pending",
      "UPDATE refunds SET status = 'pending', settled_at = NULL, transfer_id = NULL WHERE order_id = $1",
    ],
    ["transfer", "UPDATE refunds SET transfer_id = NULL WHERE order_id = $1"],
  ])("rejects a change to a completed refund's %s", async (_, statement) => {
    await refundPayment(database, order, { amount: 10n });
    expect(await codeOf(database.pool.query(statement, [order.id]))).toBe("TG095");
  });

  it("rejects deleting refunds and orders", async () => {
    await refundPayment(database, order, { amount: 10n });
    for (const statement of [
      "DELETE FROM refunds",
      "DELETE FROM orders WHERE status = 'PENDING'",
      "TRUNCATE refunds CASCADE",
      "TRUNCATE orders CASCADE",
    ])
      expect(await codeOf(database.ownerPool.query(statement))).toBe("TG090");
  });

  it("rejects refunds of unpaid orders, for another merchant, or in another currency or mode", async () => {
    expect(await codeOf(refundPayment(database, { trx_id: "TRX-000000000000", mode: "sandbox" }))).toBe(
      "TG002",
    );
    const pending = await createOrder(database);
    expect(await codeOf(insertPending(1n, { order: pending.id }))).toBe("TG095");
    expect(await codeOf(insertPending(1n, { merchant: database.otherMerchant.id }))).toBe("TG095");
    expect(await codeOf(insertPending(1n, { currency: "USD" }))).toBe("TG095");
    expect(await codeOf(refundPayment(database, order, { merchant: database.otherMerchant }))).toBe("TG002");
    expect(await codeOf(refundPayment(database, { trx_id: order.trx_id, mode: "live" }))).toBe("TG002");
  });

  it("rejects new refunds of a suspended merchant, but accepts the decision on a pending refund", async () => {
    const setMerchant = (columns: string) =>
      database.pool.query(`UPDATE merchants SET ${columns} WHERE id = $1`, [database.merchant.id]);
    await setMerchant("refunds_need_approval = true");
    const { id } = await refundPayment(database, order, { amount: 10n });
    await setMerchant("suspended_at = now()");
    expect(await codeOf(refundPayment(database, order))).toBe("TG013");
    await settleRefund(database, id, true);
    expect(await countOf(database, "refunds WHERE id = $1 AND status = 'completed'", [id])).toBe(1);
    await setMerchant("suspended_at = NULL, refunds_need_approval = false");
  });

  it("leaves the payer's wallet unchanged and writes no refund when a refund is rejected", async () => {
    const wallet = record(database.testShopper, "EUR");
    const before = await database.pool.query("SELECT balance FROM accounts WHERE id = $1", [wallet]);
    await codeOf(refundPayment(database, order, { amount: 5_000n }));
    const after = await database.pool.query("SELECT balance FROM accounts WHERE id = $1", [wallet]);
    expect(after.rows).toEqual(before.rows);
    expect(await countOf(database, "refunds WHERE order_id = $1", [order.id])).toBe(0);
  });
});
