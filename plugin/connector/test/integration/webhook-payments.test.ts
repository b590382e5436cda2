import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { paidOrder, startedOrder } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp({ claimMs: 3_000 });
});
afterAll(() => bench.close());

const paid = (changes: { total?: string } = {}) => paidOrder(bench, changes);
const started = (changes: { total?: string } = {}) => startedOrder(bench, changes);

describe("a paid event", () => {
  it("sets the order to Processing with its transaction ID, but only once even if it is delivered repeatedly", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    for (const outcome of ["applied", "repeated", "repeated"]) {
      const orderStatus = outcome === "applied" ? { order_status: "processing" } : {};
      expect(await bench.deliver(delivery)).toEqual(
        expect.objectContaining({ status: 200, body: { status: outcome, ...orderStatus } }),
      );
    }
    expect(bench.store.order(id).transaction_id).toBe(bench.tillgate.order(tillgateOrder).trx_id);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("paid 41.50 EUR")]);
  });

  it("reads the order before and after the change, and responds with its new status", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    let reads = 0;
    bench.store.fault = ({ method, path }) => {
      if (method === "GET" && path === `orders/${id}`) reads += 1;
      return false;
    };
    expect((await bench.deliver(delivery)).body).toEqual({ status: "applied", order_status: "processing" });
    bench.store.fault = null;
    expect(reads).toBe(2);
  });

  it("changes the order once and adds one note even if it is delivered five times concurrently", async () => {
    const { id, tillgateOrder } = await started();
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    const responses = await Promise.all(Array.from({ length: 5 }, () => bench.deliver(delivery)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(responses.filter(({ body }) => body.status === "applied")).toHaveLength(1);
    const changes = bench.store.writes.filter(({ path }) => path === `orders/${id}`);
    expect(changes).toHaveLength(1);
    expect(bench.store.notesOf(id)).toHaveLength(1);
  });

  it.each(["on-hold", "cancelled"])(
    "sets the order to Processing from %s, where set_paid has no effect",
    async (status) => {
      const { id, tillgateOrder } = await started();
      bench.store.edit(id, { status });
      expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
      expect(bench.store.order(id)).toMatchObject({ status: "processing" });
      expect(bench.store.order(id).transaction_id).not.toBe("");
    },
  );

  it("sets the order to Processing even if the order is cancelled between read and write", async () => {
    const { id, tillgateOrder } = await started();
    let done = false;
    bench.store.fault = (call) => {
      if (call.method === "PUT" && !done) {
        done = true;
        bench.store.edit(id, { status: "cancelled" });
      }
      return false;
    };
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    bench.store.fault = null;
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled", "processing"]);
  });

  it("puts the order On hold, not Processing, if its total has changed since the payment was started", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { total: "45.00" });
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id).status).toBe("on-hold");
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("the order total is 45.00 EUR")]);
  });

  it.each([{ amount: 1.5 }, { currency: "USD" }, { reference: "another" }])(
    "puts the order On hold if it reports %j, which differs from the request",
    async (changes) => {
      const { id, tillgateOrder } = await started();
      bench.tillgate.set(tillgateOrder, "PAID");
      const delivery = bench.tillgate.event("pos.order.paid", tillgateOrder, changes);
      expect((await bench.deliver(delivery)).status).toBe(200);
      expect(bench.store.order(id).status).toBe("on-hold");
    },
  );

  it("marks the payment's order as paid, not an order whose ID equals that order's number", async () => {
    bench.store.add({ id: 7_007 });
    bench.store.add({ id: 7_812, number: "7007" });
    await bench.start(7_812);
    const { order_id } = bench.tillgate.orderOf("7007");
    await bench.deliver(bench.tillgate.set(order_id, "PAID"));
    expect(bench.store.order(7_812).status).toBe("processing");
    expect(bench.store.order(7_007)).toMatchObject({ status: "pending", transaction_id: "" });
  });

  it("does not change an order that was refunded and then cancelled in the shop", async () => {
    const { id, tillgateOrder } = await paid();
    bench.tillgate.set(tillgateOrder, "REFUNDED");
    bench.store.edit(id, { status: "cancelled" });
    await bench.deliver(bench.tillgate.event("pos.order.paid", tillgateOrder));
    expect(bench.store.order(id).status).toBe("cancelled");
  });

  it("marks the order as paid after another payment method was chosen, if it still needs payment", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { payment_method: "bacs", status: "on-hold" });
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("refunds its payment in full, once, with a note, if the order was paid another way", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { payment_method: "card", status: "processing", transaction_id: "ch_1" });
    const delivery = bench.tillgate.set(tillgateOrder, "PAID");
    await bench.deliver(delivery);
    await bench.deliver(delivery);
    expect(bench.tillgate.order(tillgateOrder)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(bench.tillgate.refunds.filter(({ reference }) => reference === String(id))).toHaveLength(1);
    expect(bench.store.order(id)).toMatchObject({ status: "processing", transaction_id: "ch_1" });
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("Full refund: 41.50 EUR refunded")]);
    // The refund doesn't belong to the payment that paid the order.
    await bench.deliver(bench.tillgate.event("pos.order.refunded", tillgateOrder));
    expect(bench.store.refundsOf(id)).toEqual([]);
    expect(bench.store.order(id).status).toBe("processing");
  });

  it("marks the order as paid and cancels the current payment if the event belongs to an earlier payment", async () => {
    const { id, tillgateOrder } = await started();
    bench.tillgate.set(tillgateOrder, "EXPIRED");
    await bench.start(id);
    const current = bench.tillgate.orderOf(String(id)).order_id;
    expect(current).not.toBe(tillgateOrder);
    await bench.database.query("UPDATE payments SET state = 'pending' WHERE tillgate_order_id = $1", [
      tillgateOrder,
    ]);
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(bench.store.order(id)).toMatchObject({
      status: "processing",
      transaction_id: bench.tillgate.order(tillgateOrder).trx_id,
    });
    expect(bench.tillgate.order(current).status).toBe("CANCELLED");
  });
});

describe("an event", () => {
  it("sets a pending order to Failed if the payment expired", async () => {
    const { id, tillgateOrder } = await started();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "failed"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("expired before it was paid")]);
  });

  it("sets an order on hold to Pending and then to Failed if the payment expired, to restore its stock", async () => {
    const { id, tillgateOrder } = await started();
    bench.store.edit(id, { status: "on-hold" });
    await bench.deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "on-hold", "pending", "failed"]);
  });

  it("cancels the store's order if the payment was cancelled", async () => {
    const { id, tillgateOrder } = await started();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "CANCELLED"));
    expect(bench.store.history.get(id)).toEqual(["pending", "cancelled"]);
    expect(bench.store.notesOf(id)).toEqual([expect.stringContaining("was cancelled")]);
  });

  it("only adds a note if it reports the expiry of an earlier payment", async () => {
    const { id, tillgateOrder } = await started();
    const expired = bench.tillgate.set(tillgateOrder, "EXPIRED");
    await bench.start(id);
    await bench.database.query("UPDATE payments SET state = 'pending' WHERE tillgate_order_id = $1", [
      tillgateOrder,
    ]);
    const before = bench.store.order(id).status;
    expect((await bench.deliver(expired)).status).toBe(200);
    expect(bench.store.order(id).status).toBe(before);
    expect(bench.store.notesOf(id).at(-1)).toContain("nothing was changed");
  });

  it("leaves the order Processing if it reports an expiry or cancellation after the payment", async () => {
    const { id, tillgateOrder } = await paid();
    await bench.deliver(bench.tillgate.event("pos.order.expired", tillgateOrder));
    await bench.deliver(bench.tillgate.event("pos.order.cancelled", tillgateOrder));
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect((await bench.read(id)).body.status).toBe("paid");
  });
});
