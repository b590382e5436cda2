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

describe("refund events", () => {
  it("record a partial refund once, without calling the gateway, and leave the order Processing", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    for (let repeat = 0; repeat < 3; repeat += 1) expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toMatchObject([
      { amount: "10.00", meta_data: [{ key: "_tillgate_refund_id", value: expect.stringMatching(/^RF-/) }] },
    ]);
    expect(bench.store.order(id).status).toBe("processing");
    expect(bench.store.notesOf(id).at(-1)).toContain("refunded 10.00 EUR (RF-");
  });

  it("get a response without the order's status, and a warning is logged, if the store cannot be read afterwards", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    bench.store.fault = ({ method, path }, response) => {
      if (method !== "GET" || path !== `orders/${id}` || bench.store.refundsOf(id).length === 0) return false;
      response.writeHead(503).end();
      return true;
    };
    const reply = await bench.deliver(completed);
    bench.store.fault = null;
    expect(reply).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(reply.body).not.toHaveProperty("order_status");
    const warnings = bench.logged.filter((line) => line.startsWith("Could not read the order's status"));
    expect(warnings).toEqual([expect.stringContaining(`"order":${id}`)]);
  });

  it("set a fully refunded order to Refunded, whether delivered in order, in reverse or concurrently", async () => {
    for (const order of ["as sent", "reversed", "at once"]) {
      const { id, tillgateOrder } = await paid();
      const events = bench.tillgate.refund(tillgateOrder, 41.5);
      if (order === "reversed") events.reverse();
      if (order === "at once") await Promise.all(events.map((event) => bench.deliver(event)));
      else for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
      expect(bench.store.refundsOf(id)).toHaveLength(1);
      expect(bench.store.history.get(id)).toEqual(["pending", "processing", "refunded"]);
      expect((await bench.read(id)).body).toMatchObject({ status: "refunded", shop_status: "refunded" });
      expect(bench.store.writes.some(({ body }) => body.status === "refunded")).toBe(false);
    }
  });

  it("create the missing records from Tillgate's refund list when pos.order.refunded arrives", async () => {
    const { id, tillgateOrder } = await paid();
    const lost = bench.tillgate.refund(tillgateOrder, 10);
    expect(lost).toHaveLength(1);
    const events = bench.tillgate.refund(tillgateOrder, 31.5);
    const refunded = events.at(-1);
    if (refunded === undefined) throw new Error("no event");
    expect((await bench.deliver(refunded)).status).toBe(200);
    expect(bench.store.refundsOf(id).map(({ amount }) => amount)).toEqual(["10.00", "31.50"]);
    expect(bench.store.order(id).status).toBe("refunded");
  });

  it("set the order to Refunded even if they arrive before the payment's event", async () => {
    const { id, tillgateOrder } = await started();
    const paidEvent = bench.tillgate.set(tillgateOrder, "PAID");
    const events = [...bench.tillgate.refund(tillgateOrder, 41.5).reverse(), paidEvent];
    for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing", "refunded"]);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it("find the record by the refund's ID if the response to its creation was lost", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    let lost = false;
    bench.store.fault = (call, response) => {
      if (call.method !== "POST" || !call.path.endsWith("/refunds") || lost) return false;
      lost = true;
      const meta_data = Array.isArray(call.body.meta_data) ? call.body.meta_data : [];
      bench.store.refundsOf(id).push({ id: 5000, amount: "10.00", reason: "", meta_data });
      response.destroy();
      return true;
    };
    expect((await bench.deliver(completed)).status).toBe(503);
    bench.store.fault = null;
    expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("refunded 10.00 EUR");
  });

  it("add a note instead of a second record if the shop already recorded the refund manually", async () => {
    const { id, tillgateOrder } = await paid();
    bench.store.refundsOf(id).push({ id: 6000, amount: "41.50", reason: "by hand", meta_data: [] });
    bench.store.edit(id, { status: "refunded" });
    const [completed] = bench.tillgate.refund(tillgateOrder, 41.5);
    if (completed === undefined) throw new Error("no event");
    expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(bench.store.notesOf(id).at(-1)).toContain("would exceed the order total");
  });

  it("add a note instead of a record if the order's total is zero", async () => {
    const { id, tillgateOrder } = await paid();
    bench.store.edit(id, { total: "0.00" });
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    if (completed === undefined) throw new Error("no event");
    expect((await bench.deliver(completed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toEqual([]);
    expect(bench.store.notesOf(id).at(-1)).toContain("would exceed the order total");
  });

  it("add a note for a failed refund", async () => {
    const { id, tillgateOrder } = await paid();
    const [completed] = bench.tillgate.refund(tillgateOrder, 10);
    const data = JSON.parse(completed?.body ?? "{}").data;
    const failed = bench.tillgate.sign("evt_failed67890123456789", "refund.failed", {
      ...data,
      status: "failed",
    });
    expect((await bench.deliver(failed)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toEqual([]);
    expect(bench.store.notesOf(id).at(-1)).toContain("failed. No money was moved");
  });
});
