import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  codeOf,
  createOrder,
  newRefundId,
  newTrxId,
  outcomeOf,
  paidOrder,
  payOrder,
  refundPayment,
} from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, record, type SandboxDatabase } from "../../sandbox-database.js";
import { book, lines } from "./direct-booking.js";

const HOOK = "https://shop.example.com/hook";

describe("rule 9 (state, entries, event, deliveries and idempotency key are one transaction)", () => {
  let database: SandboxDatabase;
  let amelie: string;
  let merchantWallet: string;

  beforeAll(async () => {
    database = await openSandboxDatabase();
    amelie = record(record(database.shoppers, "Amélie"), "EUR");
    merchantWallet = record(database.merchant.wallets, "EUR");
  });
  afterAll(() => database.drop());

  /** Counts the rows of every table that a change may write. */
  const everything = async () => {
    const counts: Record<string, number> = {};
    for (const table of [
      "orders",
      "refunds",
      "transfers",
      "entries",
      "events",
      "deliveries",
      "idempotency_keys",
    ])
      counts[table] = await countOf(database, table);
    return counts;
  };

  const markPaid = (id: string, transfer: string) =>
    database.pool.query(
      `UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = $2, transfer_id = $3, payer_account_id = $4,
         payer_currency = currency, payer_amount = amount,
         version = version + 1 WHERE id = $1`,
      [id, newTrxId(), transfer, amelie],
    );

  it("writes one order, transfer, event, delivery and idempotency key, and two entries, when an order is created and paid", async () => {
    const before = await everything();
    const order = await createOrder(database, { callbackUrl: HOOK, key: "together" });
    await payOrder(database, order, amelie);
    expect(await everything()).toEqual({
      ...before,
      orders: Number(before.orders) + 1,
      transfers: Number(before.transfers) + 1,
      entries: Number(before.entries) + 2,
      events: Number(before.events) + 1,
      deliveries: Number(before.deliveries) + 1,
      idempotency_keys: Number(before.idempotency_keys) + 1,
    });
  });

  it("rolls back a payment that is rejected after its entries are booked", async () => {
    const order = await createOrder(database, { callbackUrl: HOOK });
    const { trx_id: taken } = await paidOrder(database);
    const before = await everything();
    const paid = payOrder(database, order, amelie, { trxId: taken ?? "" });
    expect(await outcomeOf(paid)).toEqual({ code: "23505", constraint: "orders_trx_id_key" });
    expect(await everything()).toEqual(before);
  });

  it.each([
    ["CANCELLED", "pos.order.cancelled"],
    ["EXPIRED", "pos.order.expired"],
  ])(
    "rejects an order set to %s without its event, even if another order has such an event",
    async (status, event) => {
      const client = await database.pool.connect();
      const setStatus = async ({ id }: { id: string }) =>
        client.query(
          `UPDATE orders SET status = '${status}', state = '${status}', version = version + 1 WHERE id = $1`,
          [id],
        );
      try {
        await client.query("BEGIN");
        const other = await createOrder(database);
        await setStatus(other);
        await client.query("SELECT emit_event(mode, merchant_id, $2, id) FROM orders WHERE id = $1", [
          other.id,
          event,
        ]);
        await client.query("COMMIT");
        expect(await codeOf(setStatus(await createOrder(database)))).toBe("TG096");
      } finally {
        client.release();
      }
    },
  );

  it("rejects an order marked paid without a payment", async () => {
    const order = await createOrder(database);
    expect(await codeOf(markPaid(order.id, randomUUID()))).toBe("TG096");
  });

  it("rejects an order marked paid by another order's payment", async () => {
    const paid = await paidOrder(database);
    const order = await createOrder(database);
    expect(await outcomeOf(markPaid(order.id, String(paid.transfer_id)))).toEqual({
      code: "23505",
      constraint: "orders_one_per_payment",
    });
  });

  /** Writes all rows of a payment manually, in one transaction. @returns the outcome of the commit. */
  async function payByHand(
    order: string,
    moved: bigint,
    { event = true, paid = true } = {},
  ): Promise<string> {
    const transfer = randomUUID();
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("INSERT INTO transfers (id, mode, kind) VALUES ($1, 'sandbox', 'payment')", [
        transfer,
      ]);
      await client.query(
        "INSERT INTO entries (transfer_id, account_id, mode, currency, amount) VALUES ($1, $2, 'sandbox', 'EUR', -$4::bigint), ($1, $3, 'sandbox', 'EUR', $4)",
        [transfer, amelie, merchantWallet, moved],
      );
      if (paid)
        await client.query(
          `UPDATE orders SET status = 'PAID', state = 'PAID', paid_at = clock_timestamp(), trx_id = $2, transfer_id = $3, payer_account_id = $4,
           payer_currency = currency, payer_amount = amount, version = version + 1 WHERE id = $1`,
          [order, newTrxId(), transfer, amelie],
        );
      if (event)
        await client.query(
          "SELECT emit_event(mode, merchant_id, 'pos.order.paid', id) FROM orders WHERE id = $1",
          [order],
        );
      return await codeOf(client.query("COMMIT"));
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
  }

  it("accepts a manually written payment only with its event, its order and its full amount", async () => {
    const order = await createOrder(database, { amount: 40n });
    await paidOrder(database);
    expect(await payByHand(order.id, 40n, { event: false })).toBe("TG096");
    expect(await payByHand(order.id, 40n, { event: false, paid: false })).toBe("TG097");
    expect(await payByHand(order.id, 39n)).toBe("TG097");
    expect(await payByHand(order.id, 40n)).toBe("done");
  });

  it("rejects a completed refund without a transfer or with another record's transfer, and a refund's transfer without a refund", async () => {
    const order = await paidOrder(database, { amount: 100n });
    const insert = (transfer: string | null) =>
      database.pool.query(
        `INSERT INTO refunds (id, mode, merchant_id, order_id, amount, currency, status, transfer_id, settled_at, payer_amount)
         VALUES ($1, 'sandbox', $2, $3, 10, 'EUR', 'completed', $4, now(), 10)`,
        [newRefundId(), database.merchant.id, order.id, transfer],
      );
    expect(await outcomeOf(insert(null))).toEqual({
      code: "23514",
      constraint: "refunds_completed_moved_money",
    });
    const back = [lines("EUR", [merchantWallet, -10n], [String(order.payer_account_id), 10n])];
    expect(await codeOf(book(database, back, { kind: "refund" }))).toBe("TG097");
    expect(await codeOf(insert(order.transfer_id))).toBe("TG096");
    const input = await refundPayment(database, order, { amount: 10n });
    expect(await outcomeOf(insert(input.transfer_id))).toEqual({
      code: "23505",
      constraint: "refunds_one_per_transfer",
    });
  });

  it("rejects a second event for one change", async () => {
    const order = await paidOrder(database);
    const repeated = database.pool.query(
      "SELECT emit_event(mode, merchant_id, 'pos.order.paid', id) FROM orders WHERE id = $1",
      [order.id],
    );
    expect(await outcomeOf(repeated)).toEqual({ code: "23505", constraint: "events_once_per_order" });
  });

  it("creates deliveries only for the callback_url and the merchant's subscribed, enabled endpoints of the same mode", async () => {
    await database.pool.query(
      `INSERT INTO receivers (id, mode, merchant_id, address, events, secret_ciphertext, encryption_key_id, disabled_at, disabled_reason)
       SELECT gen_random_uuid(), mode::mode, merchant::uuid, address, events::text[], 'x', 'test', disabled::timestamptz,
         CASE WHEN disabled IS NOT NULL THEN 'gone' END
       FROM (VALUES ('sandbox', $1, 'https://chosen.example.com', '{pos.order.paid,refund.completed}', NULL),
                    ('sandbox', $1, 'https://other-event.example.com', '{pos.order.expired}', NULL),
                    ('sandbox', $1, 'https://disabled.example.com', '{pos.order.paid}', '2026-01-01'),
                    ('live', $1, 'https://live.example.com', '{pos.order.paid}', NULL),
                    ('sandbox', $2, 'https://other-merchant.example.com', '{pos.order.paid}', NULL)) AS r (mode, merchant, address, events, disabled)`,
      [database.merchant.id, database.otherMerchant.id],
    );
    const order = await paidOrder(database, { callbackUrl: HOOK });
    const { rows } = await database.pool.query(
      `SELECT d.address, d.status, d.credential_id IS NOT NULL AS by_credential FROM deliveries d
       JOIN events v ON v.id = d.event_id WHERE v.order_id = $1 ORDER BY d.address`,
      [order.id],
    );
    expect(rows).toEqual([
      { address: "https://chosen.example.com", status: "queued", by_credential: false },
      { address: HOOK, status: "queued", by_credential: true },
    ]);
  });
});
