import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paidOrder, sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
let number = 50_000;
beforeAll(async () => {
  bench = await setUp({ maxFailedChecks: 3 });
});
beforeEach(() => {
  bench.tillgate.refundAsUsual();
  bench.store.fault = null;
  return bench.forgetDue();
});
afterAll(() => bench.close());

describe("a refund in the shop", () => {
  it("isn't sent if the order was paid another way", async () => {
    number += 1;
    const id = number;
    bench.store.add({ id });
    await bench.start(id);
    bench.store.edit(id, { status: "processing", transaction_id: "bank 1" });
    bench.store.refundByHand(id, "10.00");
    const calls = bench.tillgate.refundCalls.length;
    await sweepNow(bench);
    expect(bench.tillgate.refundCalls).toHaveLength(calls);
  });

  it("isn't sent if it was made at Tillgate or its amount is zero", async () => {
    const { id, tillgateOrder, trxId } = await paidOrder(bench);
    for (const event of bench.tillgate.refund(tillgateOrder, 10)) await bench.deliver(event);
    bench.store.refundByHand(id, "0.00", "Restocked");
    await sweepNow(bench);
    expect(bench.tillgate.refundCallsOf(trxId)).toEqual([]);
    expect(bench.tillgate.refundsOf(trxId)).toHaveLength(1);
  });

  it("isn't sent if it was made at Tillgate, even if the store lost its metadata", async () => {
    const { id, tillgateOrder, trxId } = await paidOrder(bench);
    for (const event of bench.tillgate.refund(tillgateOrder, 10)) await bench.deliver(event);
    for (const record of bench.store.refundsOf(id)) record.meta_data = [];
    bench.store.edit(id, {});
    await sweepNow(bench);
    expect(bench.tillgate.refundCallsOf(trxId)).toEqual([]);
  });

  it("isn't sent if shop_refunds is set to ignore", async () => {
    const other = await setUp({ shopRefunds: "ignore" });
    try {
      const { id, trxId } = await paidOrder(other);
      other.store.refundByHand(id, "10.00");
      await sweepNow(other);
      expect(other.tillgate.refundCallsOf(trxId)).toEqual([]);
      // Enabling sending applies only to new refunds, so the earlier one isn't sent.
      Object.assign(other.connector.settings, { shopRefunds: "send" });
      other.store.refundByHand(id, "5.00");
      await sweepNow(other);
      expect(other.tillgate.refundsOf(trxId).map(({ raw_amount }) => raw_amount)).toEqual([5]);
    } finally {
      await other.close();
    }
  });
});

describe("a refund made at Tillgate whose events were lost", () => {
  it("is recorded in the shop by the sweep, once", async () => {
    const { id, tillgateOrder } = await paidOrder(bench);
    const [lost] = bench.tillgate.refund(tillgateOrder, 10);
    await sweepNow(bench);
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "10.00" }]);
    expect(bench.store.notesOf(id).at(-1)).toContain("refunded 10.00 EUR (RF-");
    await sweepNow(bench);
    if (lost === undefined) throw new Error("no event");
    expect((await bench.deliver(lost)).status).toBe(200);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it("is recorded even if the payment's event was lost too", async () => {
    number += 1;
    const id = number;
    bench.store.add({ id });
    await bench.start(id);
    const { order_id } = bench.tillgate.orderOf(String(id));
    bench.tillgate.set(order_id, "PAID");
    bench.tillgate.refund(order_id, 10);
    await sweepNow(bench);
    await sweepNow(bench);
    expect(bench.store.history.get(id)).toEqual(["pending", "processing"]);
    expect(bench.store.refundsOf(id)).toMatchObject([{ amount: "10.00" }]);
  });

  it("is retried while the store is down, without blocking the rest of the list", async () => {
    const { id, tillgateOrder } = await paidOrder(bench);
    bench.tillgate.refund(tillgateOrder, 10);
    bench.store.fault = (_call, response) => {
      response.writeHead(500).end();
      return true;
    };
    await sweepNow(bench);
    bench.store.fault = null;
    const cursor = JSON.parse((await bench.records.of("demo").cursors.read("refunds")) ?? "{}");
    expect(Date.now() - Date.parse(cursor.since)).toBeLessThan(60_000);
    await sweepNow(bench);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
  });

  it("is found even if the list is too long for one sweep", async () => {
    const other = await setUp({ refundMaxPages: 1, refundOverlapMs: 0 });
    try {
      const { id, tillgateOrder } = await paidOrder(other);
      other.tillgate.refund(tillgateOrder, 10);
      const [ours] = other.tillgate.refunds;
      if (ours === undefined) throw new Error("no refund");
      for (let otherRefunds = 0; otherRefunds < 150; otherRefunds += 1) {
        const refund_id = `RF-20261121-F${String(otherRefunds).padStart(5, "0")}`;
        other.tillgate.refunds.push({ ...ours, refund_id, transaction_id: "TRX-999999999999" });
      }
      await sweepNow(other);
      expect(other.store.refundsOf(id)).toEqual([]);
      expect((await other.connector.health()).problem_counts).toMatchObject({ behind: 1 });
      // A refund made in the meantime is at the front of the list, so it is found only after the current walk has ended.
      const late = await paidOrder(other);
      other.tillgate.refund(late.tillgateOrder, 10);
      await sweepNow(other);
      expect(other.store.refundsOf(id)).toHaveLength(1);
      expect((await other.connector.health()).problem_counts.behind).toBeUndefined();
      expect(other.store.refundsOf(late.id)).toEqual([]);
      await sweepNow(other);
      expect(other.store.refundsOf(late.id)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it("is found even if the stored cursor belongs to another client's list", async () => {
    const { id, tillgateOrder } = await paidOrder(bench);
    bench.tillgate.refund(tillgateOrder, 10);
    const { cursors } = bench.records.of("demo");
    const [since, newest] = [new Date(Date.now() - 3_600_000), new Date()];
    await cursors.write("refunds", JSON.stringify({ since, walk: { place: "RF-20261121-OTHER", newest } }));
    await sweepNow(bench);
    expect(bench.store.refundsOf(id)).toHaveLength(1);
    expect(JSON.parse((await cursors.read("refunds")) ?? "{}")).toEqual({ since: expect.any(String) });
  });
});
