import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { send } from "./fakes/fake-store.js";
import { startedOrder, sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
let number = 50_000;
beforeAll(async () => {
  bench = await setUp({ maxFailedChecks: 3 });
});
afterAll(() => bench.close());

const started = () => startedOrder(bench);

describe("the scheduled check", () => {
  it.each([
    ["PAID", "processing"],
    ["EXPIRED", "failed"],
    ["CANCELLED", "cancelled"],
  ] as const)("applies the status %s if its webhook was lost", async (status, after) => {
    const { id, tillgateOrder } = await started();
    const lost = bench.tillgate.set(tillgateOrder, status);
    await sweepNow(bench);
    expect(bench.store.order(id).status).toBe(after);
    // The late webhook changes nothing.
    expect((await bench.deliver(lost)).status).toBe(200);
    expect(bench.store.history.get(id)).toEqual(["pending", after]);
    expect(bench.store.notesOf(id)).toHaveLength(1);
  });

  it("sets an order to Refunded if its payment was refunded in the meantime", async () => {
    const { id, tillgateOrder } = await started();
    bench.tillgate.set(tillgateOrder, "PAID");
    bench.tillgate.refund(tillgateOrder, 41.5);
    await sweepNow(bench);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing", "refunded"]);
  });

  it("leaves a pending order unchanged, and doesn't check it again immediately", async () => {
    const { id } = await started();
    await sweepNow(bench);
    expect(bench.store.history.get(id)).toEqual(["pending"]);
    expect((await bench.connector.sweep()).checked).toBe(0);
  });

  it("completes the interrupted creation of a payment", async () => {
    number += 1;
    const id = number;
    bench.store.add({ id });
    bench.tillgate.afterCreate = (response) => {
      response.destroy();
      return true;
    };
    expect((await bench.start(id)).status).toBe(503);
    bench.tillgate.afterCreate = null;
    const { order_id } = bench.tillgate.orderOf(String(id));
    await sweepNow(bench);
    expect((await bench.read(id)).body).toMatchObject({ status: "pending" });
    expect((await bench.deliver(bench.tillgate.set(order_id, "PAID"))).status).toBe(200);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("completes the interrupted creation of a payment, and cancels the payment if the shop cancelled the order", async () => {
    number += 1;
    bench.store.add({ id: number });
    bench.tillgate.afterCreate = (response) => {
      response.destroy();
      return true;
    };
    expect((await bench.start(number)).status).toBe(503);
    bench.tillgate.afterCreate = null;
    bench.store.edit(number, { status: "cancelled" });
    await sweepNow(bench);
    expect(bench.tillgate.orderOf(String(number)).status).toBe("CANCELLED");
    expect(bench.store.history.get(number)).toEqual(["pending", "cancelled"]);
  });

  it("retries a failing payment with backoff, without affecting other payments, and abandons it with an order note and a log entry", async () => {
    const bad = await started();
    const good = await started();
    bench.tillgate.set(bad.tillgateOrder, "PAID");
    bench.tillgate.set(good.tillgateOrder, "PAID");
    bench.store.fault = (call, response) => {
      if (call.method !== "PUT" || call.path !== `orders/${bad.id}`) return false;
      response.writeHead(500, { "content-type": "text/html" }).end("<h1>Fatal error</h1>");
      return true;
    };
    const first = await sweepNow(bench);
    expect(first.failed).toBe(1);
    expect(bench.store.order(good.id).status).toBe("processing");
    const { rows } = await bench.database.query(
      `SELECT due_at > extract(epoch FROM clock_timestamp() + interval '1 minute') * 1000 AS later
       FROM due JOIN payments ON kind = 'payment' AND subject = id::text WHERE tillgate_order_id = $1`,
      [bad.tillgateOrder],
    );
    expect(rows).toEqual([{ later: true }]);
    await sweepNow(bench);
    expect((await sweepNow(bench)).abandoned).toBe(1);
    expect(bench.store.notesOf(bad.id)).toEqual([expect.stringContaining("the last 3 checks of payment")]);
    expect(bench.logged.some((line) => line.startsWith("Abandoned payment"))).toBe(true);
    expect((await sweepNow(bench)).failed).toBe(0);
    // The shopper's page or a webhook can still apply an abandoned payment.
    bench.store.fault = null;
    expect((await bench.read(bad.id)).body.status).toBe("paid");
  });

  it("checks each payment only once even if two sweeps run concurrently", async () => {
    for (let count = 0; count < 6; count += 1) await started();
    await bench.makeDue();
    const { rows } = await bench.database.query(
      "SELECT count(*)::int AS due FROM payments WHERE state = 'pending' AND given_up_at IS NULL",
    );
    const outcomes = await Promise.all([bench.connector.sweep(), bench.connector.sweep()]);
    expect(outcomes.reduce((sum, { checked }) => sum + checked, 0)).toBe(rows[0]?.due);
  });
});

describe("a change in the shop", () => {
  it("cancels the Tillgate order if it cancels the store order, after which Tillgate's event changes nothing", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
    await bench.deliver(bench.tillgate.event("pos.order.cancelled", tillgateOrder));
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled"]);
    expect(bench.store.notesOf(id)).toEqual([
      expect.stringContaining("because the order’s status in the shop changed to “Cancelled”"),
    ]);
  });

  it("is overridden by the payment if it cancels an order that is already paid", async () => {
    const { id, tillgateOrder } = await started();
    bench.tillgate.set(tillgateOrder, "PAID");
    bench.store.edit(id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled", "processing"]);
    expect((await bench.read(id)).body.status).toBe("paid");
  });

  it("to the payment method or the total cancels the Tillgate order and leaves the store order unchanged", async () => {
    const switched = await started();
    const edited = await started();
    bench.store.edit(switched.id, { payment_method: "bacs", status: "on-hold" });
    bench.store.edit(edited.id, { total: "60.00" });
    await bench.connector.sweep();
    for (const { tillgateOrder } of [switched, edited]) {
      expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
      await bench.deliver(bench.tillgate.event("pos.order.cancelled", tillgateOrder));
    }
    expect(bench.store.order(switched.id).status).toBe("on-hold");
    expect(bench.store.order(edited.id).status).toBe("pending");
    expect((await bench.start(edited.id)).body).toMatchObject({ amount: "60.00", status: "pending" });
  });

  it("is retried after a failure, without blocking other changes", async () => {
    const bad = await started();
    const good = await started();
    bench.store.edit(bad.id, { status: "cancelled" });
    bench.store.edit(good.id, { status: "cancelled" });
    bench.tillgate.fault = (method, path, response) => {
      if (method !== "POST" || !path.startsWith(`/orders/${bad.tillgateOrder}`)) return false;
      response.destroy();
      return true;
    };
    await bench.connector.sweep();
    expect(bench.tillgate.order(good.tillgateOrder).status).toBe("CANCELLED");
    bench.tillgate.fault = null;
    await sweepNow(bench);
    expect(bench.tillgate.order(bad.tillgateOrder).status).toBe("CANCELLED");
  });

  it("is not missed if another order moves to the end of the list while its pages are read", async () => {
    const other = await setUp();
    try {
      other.store.add({ id: 1 });
      await other.start(1);
      for (let foreign = 1_001; foreign <= 1_100; foreign += 1) other.store.add({ id: foreign });
      other.store.edit(1, { status: "cancelled" });
      for (let foreign = 1_101; foreign <= 1_120; foreign += 1) other.store.add({ id: foreign });
      let lists = 0;
      other.store.fault = (call) => {
        if (call.path !== "orders") return false;
        lists += 1;
        // Order 1001 moves to the end of the list, and all orders after it move up by one.
        if (lists === 2) other.store.edit(1_001, {});
        return false;
      };
      await other.connector.sweep();
      expect(lists).toBeGreaterThan(1);
      expect(other.tillgate.orderOf("1").status).toBe("CANCELLED");
    } finally {
      await other.close();
    }
  });

  it("is abandoned and reported if it keeps failing, without blocking later changes", async () => {
    const bad = await started();
    bench.store.edit(bad.id, { status: "cancelled" });
    bench.tillgate.fault = (method, path, response) => {
      if (method !== "POST" || !path.startsWith(`/orders/${bad.tillgateOrder}`)) return false;
      response.destroy();
      return true;
    };
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweepNow(bench);
    bench.tillgate.fault = null;
    expect(bench.store.notesOf(bad.id)).toContainEqual(expect.stringContaining("failed 3 times in a row"));
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(expect.objectContaining({ kind: "given_up", order_id: bad.id }));
    const good = await started();
    bench.store.edit(good.id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.tillgate.order(good.tillgateOrder).status).toBe("CANCELLED");
  });

  it("is found even if another order is dated in the future, or if the store's clock was ahead", async () => {
    const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
    const first = await started();
    bench.store.add({ id: 7_001, date_modified_gmt: tomorrow.replace(/\.\d+Z$/, "") });
    await bench.connector.sweep();
    bench.store.edit(first.id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.tillgate.order(first.tillgateOrder).status).toBe("CANCELLED");

    const second = await started();
    await bench.records.of("demo").cursors.write("changes", tomorrow);
    bench.store.edit(second.id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.tillgate.order(second.tillgateOrder).status).toBe("CANCELLED");
  });

  it("is found despite an incomplete and an unreadable order in the list, and the unreadable order is reported", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.add({ id: 7_002, order_key: "", line_items: [{ name: null, quantity: null }] });
    bench.store.add({ id: 7_003, date_modified_gmt: "2026-13-45T99:00:00" });
    bench.store.edit(id, { status: "cancelled" });
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
    const skipped = expect.objectContaining({
      kind: "skipped",
      text: expect.stringContaining("were skipped: 1."),
    });
    expect((await bench.connector.health()).problems).toContainEqual(skipped);
    bench.store.remove(7_003);
    await bench.connector.sweep();
    expect((await bench.connector.health()).problem_counts.skipped).toBeUndefined();
  });

  it("is retried only after the time in the store's Retry-After", async () => {
    const { id } = await started();
    bench.store.edit(id, { status: "cancelled" });
    bench.store.fault = (call, response) => {
      if (call.path !== `orders/${id}`) return false;
      send(response, 429, { code: "rate_limit", message: "Slow down" }, { "retry-after": "3000" });
      return true;
    };
    await sweepNow(bench);
    bench.store.fault = null;
    const { rows } = await bench.database.query(
      "SELECT due_at > extract(epoch FROM clock_timestamp() + interval '45 minutes') * 1000 AS later FROM due WHERE kind = 'order' AND subject = $1",
      [String(id)],
    );
    expect(rows).toEqual([{ later: true }]);
  });
});
