import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRows } from "../../../src/functions/ledger-function.js";
import { expireDueOrders } from "../../../src/ledger.js";
import { proveLedger } from "../../../src/prove-ledger.js";
import {
  approveOrder,
  cancelOrder,
  codeOf,
  createOrder,
  expireOrder,
  type OrderRow,
  payOrder,
  readOrder,
} from "../../ledger-calls.js";
import {
  balanceOf,
  countOf,
  openSandboxDatabase,
  record,
  type SandboxDatabase,
} from "../../sandbox-database.js";
import { share } from "./outcomes.js";

const CONNECTIONS = 40;

describe("concurrent calls on one order or wallet", () => {
  let database: SandboxDatabase;
  let amelie: string;
  let samuel: string;

  beforeAll(async () => {
    database = await openSandboxDatabase(CONNECTIONS);
    amelie = record(record(database.shoppers, "Amélie"), "EUR");
    samuel = record(record(database.shoppers, "Samuel"), "EUR");
  });
  afterAll(async () => {
    const { rules } = await proveLedger(database.url);
    await database.drop();
    expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  const eventsOf = async (order: OrderRow) => {
    const { rows } = await database.pool.query<{ name: string }>(
      "SELECT name FROM events WHERE order_id = $1",
      [order.id],
    );
    return rows.map(({ name }) => name);
  };

  it("move money only once for 20 attempts to pay one order from two wallets", async () => {
    const before = (await balanceOf(database, amelie)) + (await balanceOf(database, samuel));
    const order = await createOrder(database, { amount: 100n });
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => codeOf(payOrder(database, order, i % 2 ? amelie : samuel))),
    );
    expect(share(codes)).toEqual({ done: 1, TG010: 19 });
    expect((await balanceOf(database, amelie)) + (await balanceOf(database, samuel))).toBe(before - 100n);
    expect(await eventsOf(order)).toEqual(["pos.order.paid"]);
  });

  it("pay an order once and top up the paying wallet once when the order is approved 20 times", async () => {
    const order = await createOrder(database, { amount: 100n });
    const wallet = record(database.testShopper, "EUR");
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(approveOrder(database, order))));
    expect(share(codes)).toEqual({ done: 1, TG010: 19 });
    expect(await balanceOf(database, wallet)).toBe(0n);
    expect(
      await countOf(database, "transfers WHERE kind = 'top_up' AND external_reference LIKE $1", [
        `%${order.id}`,
      ]),
    ).toBe(1);
  });

  it("let exactly one of pay and cancel succeed, with one event", async () => {
    for (let round = 0; round < 30; round += 1) {
      const order = await createOrder(database, { amount: 1n });
      const codes = await Promise.all([
        codeOf(payOrder(database, order, amelie)),
        codeOf(cancelOrder(database, order)),
        codeOf(payOrder(database, order, samuel)),
        codeOf(cancelOrder(database, order)),
      ]);
      expect(share(codes)).toEqual({ done: 1, TG010: 3 });
      const { status } = await readOrder(database, order.id);
      expect(await eventsOf(order)).toEqual([`pos.order.${status.toLowerCase()}`]);
    }
  });

  it("let at most one of pay, cancel and expire succeed at the moment of expiry, and end with one event", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      const order = await createOrder(database, { amount: 1n, expiresInSeconds: 300 });
      // The order expires during the race: some calls run before its expiry and some after it.
      await database.pool.query(
        "UPDATE orders SET expires_at = clock_timestamp() + make_interval(secs => $2) WHERE id = $1",
        [order.id, (2 * (round % 10) ** 2) / 1000],
      );
      const expire = async () => ((await expireOrder(database, order)) ? "done" : "not expired");
      const codes = await Promise.all([
        codeOf(payOrder(database, order, amelie)),
        codeOf(cancelOrder(database, order)),
        expire(),
        codeOf(payOrder(database, order, samuel)),
        expire(),
        codeOf(cancelOrder(database, order)),
        expire(),
      ]);
      const winners = codes.filter((code) => code === "done").length;
      if (winners === 0) {
        // Every call was too late or too early; the order can still be expired, once.
        await database.pool.query(
          "SELECT pg_sleep(greatest(0, extract(epoch FROM expires_at - clock_timestamp()))) FROM orders WHERE id = $1",
          [order.id],
        );
        expect(await expireOrder(database, order)).toBe(true);
      } else expect(winners).toBe(1);
      for (const code of codes) expect(["done", "TG010", "TG011", "not expired"]).toContain(code);
      const { status } = await readOrder(database, order.id);
      seen.add(status);
      expect(await eventsOf(order)).toEqual([`pos.order.${status.toLowerCase()}`]);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it("pay exactly one of ten orders if the wallet covers only one", async () => {
    const dana = record(record(database.shoppers, "Dana"), "USD");
    const balance = await balanceOf(database, dana);
    const orders = await Promise.all(
      Array.from({ length: 10 }, () => createOrder(database, { currency: "USD", amount: balance })),
    );
    const codes = await Promise.all(orders.map((order) => codeOf(payOrder(database, order, dana))));
    expect(share(codes)).toEqual({ done: 1, TG020: 9 });
    expect(await balanceOf(database, dana)).toBe(0n);
  });

  it("do not expire an overdue order whose lock a payment holds", async () => {
    const order = await createOrder(database, { amount: 1n, expiresInSeconds: 1 });
    const client = await database.pool.connect();
    try {
      await client.query("BEGIN");
      await payOrder(database, order, amelie, { connection: client });
      await client.query(
        "SELECT pg_sleep(greatest(0, extract(epoch FROM expires_at - clock_timestamp()))) FROM orders WHERE id = $1",
        [order.id],
      );
      const expiring = expireOrder(database, order);
      expect(await callRows(database.pool, expireDueOrders, { limit: 100 })).toEqual([]);
      await client.query("COMMIT");
      expect(await expiring).toBe(false);
    } finally {
      client.release();
    }
    expect(await eventsOf(order)).toEqual(["pos.order.paid"]);
  });
});
