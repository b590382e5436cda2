import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertDatedOrders } from "../../../../../scripts/testing/administration.js";
import { callOne, callRows } from "../../../src/functions/ledger-function.js";
import { expireDueOrders, expireMerchantOrders, recordExpiryFailure } from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import { codeOf, createOrder } from "../../ledger-calls.js";
import { countOf, openSandboxDatabase, type SandboxDatabase } from "../../sandbox-database.js";
import { share } from "./outcomes.js";

describe("order expiry", () => {
  let database: SandboxDatabase;

  beforeAll(async () => {
    database = await openSandboxDatabase(40);
  });
  afterAll(async () => {
    const { rules } = await proveLedger(database.url);
    await database.drop();
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  const make = (count: number, expiresInSeconds: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        createOrder(database, {
          merchant: i % 2 ? database.merchant : database.otherMerchant,
          expiresInSeconds,
          callbackUrl: "https://shop.example.com/hook",
        }),
      ),
    );
  const expireDue = (limit: number) => callRows(database.pool, expireDueOrders, { limit });

  it("with three concurrent workers, expires each due order exactly once, and no other order", async () => {
    const due = await make(120, 0);
    const open = await make(10, 300);
    const expired = (await Promise.all([expireDue(80), expireDue(80), expireDue(80)])).flat();
    expired.push(...(await expireDue(200)));
    expect(expired.toSorted()).toEqual(due.map(({ id }) => id).toSorted());
    expect(await countOf(database, "events WHERE name = 'pos.order.expired'")).toBe(due.length);
    expect(await countOf(database, "orders WHERE status = 'PENDING'")).toBe(open.length);
  });

  it("expires at most the given number of orders per call, the longest overdue first", async () => {
    const due = await make(6, 0);
    const order = await database.pool.query<{ id: string }>(
      "SELECT id FROM orders WHERE id = ANY ($1) ORDER BY expires_at LIMIT 4",
      [due.map(({ id }) => id)],
    );
    expect((await expireDue(4)).toSorted()).toEqual(order.rows.map(({ id }) => id).toSorted());
    expect(await expireDue(100)).toHaveLength(2);
    expect(await expireDue(100)).toEqual([]);
  });

  const expireOfMerchant = (limit: number) =>
    callRows(database.pool, expireMerchantOrders, {
      merchantId: database.merchant.id,
      mode: "sandbox",
      limit,
    });

  it("with expire_merchant_orders, expires only the due orders of one merchant", async () => {
    const [, due] = (await Promise.all([createOrder(database), createOrder(database)]))
      .map(({ id }) => id)
      .toSorted();
    await database.pool.query("UPDATE orders SET expires_at = clock_timestamp() WHERE id = $1", [due]);
    const other = await createOrder(database, { merchant: database.otherMerchant, expiresInSeconds: 0 });
    expect(await expireOfMerchant(1)).toEqual([due]);
    expect(await expireOfMerchant(10)).toEqual([]);
    expect(await expireDue(10)).toEqual([other.id]);
  });

  it.each([
    ["expire_due_orders", expireDue],
    ["expire_merchant_orders", expireOfMerchant],
  ])("with %s, does not retry a failed expiry before the retry is due", async (_, expire) => {
    const due = await createOrder(database, { expiresInSeconds: 0 });
    const failed = await createOrder(database, { expiresInSeconds: 0 });
    await callOne(database.pool, recordExpiryFailure, { orderId: failed.id, error: "locked" });
    expect(await expire(10)).toEqual([due.id]);
    await database.pool.query("UPDATE expiry_failures SET next_attempt_at = clock_timestamp()");
    expect(await expire(10)).toEqual([failed.id]);
  });

  it("skips a locked order until it is unlocked", async () => {
    const [held] = await make(1, 0);
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await client.query("SELECT 1 FROM orders WHERE id = $1 FOR UPDATE", [held?.id]);
      expect(await expireDue(10)).toEqual([]);
    } finally {
      await client.query("ROLLBACK");
      client.release();
    }
    expect(await expireDue(10)).toEqual([held?.id]);
  });

  it("does not deadlock when many workers expire orders of two merchants and several days", async () => {
    for (let round = 0; round < 5; round += 1) {
      // Due times are in random order; orders of different days have separate counters.
      await database.ownerPool.query(
        insertDatedOrders(
          `INSERT INTO orders (id, mode, merchant_id, credential_id, token, amount, currency, payment_method, expires_at, created_at)
           SELECT gen_random_uuid(), 'sandbox', c.merchant_id, c.id, gen_random_uuid(), 1, 'EUR', 'both',
             now() - random() * interval '1 hour', now() - (i % 5) * interval '1 day'
           FROM credentials c, generate_series(1, 150) AS i WHERE c.kind = 'client'`,
        ),
      );
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 4 ? codeOf(expireDue(15)) : codeOf(createOrder(database)))),
      );
      expect(share(outcomes)).toEqual({ done: 40 });
    }
  });
});
