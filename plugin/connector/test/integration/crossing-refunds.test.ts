import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { paidOrder } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
beforeEach(() => bench.forgetDue());
afterAll(() => bench.close());

type Paid = {
  id: number;
  tillgateOrder: string;
};
const paid = (total = "47.50"): Promise<Paid> => paidOrder(bench, { total });
const transactionId = ({ tillgateOrder }: Paid) => bench.tillgate.order(tillgateOrder).trx_id;
const minor = (amount: string | number) => BigInt(Number(amount).toFixed(2).replace(".", ""));
const shopSum = ({ id }: Paid) =>
  bench.store.refundsOf(id).reduce((sum, { amount }) => sum + minor(amount), 0n);
const movedSum = (order: Paid) =>
  bench.tillgate.refundsOf(transactionId(order)).reduce((sum, { raw_amount }) => sum + minor(raw_amount), 0n);
const differences = async ({ id }: Paid) =>
  (await bench.connector.health()).problems.filter(
    ({ kind, order_id, text }) =>
      kind === "mismatch" && order_id === id && text.includes("refunds of this order"),
  );

/** Sweeps three times, each time with all checks due. */
async function settle(order: Paid): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await bench.scheduleCheck(order.id);
    await bench.makeDue();
    await bench.connector.sweep();
  }
}

describe("concurrent refunds in the shop and at Tillgate", () => {
  it("each move money once and get one record if their amounts differ", async () => {
    const orders = await Promise.all(Array.from({ length: 5 }, () => paid()));
    await Promise.all(
      orders.map(async (order) => {
        const events = bench.tillgate.refund(order.tillgateOrder, 17.5);
        bench.store.refundByHand(order.id, "15.00");
        await Promise.all([
          ...events.map((event) => bench.deliver(event)),
          bench.scheduleCheck(order.id).then(() => bench.connector.sweep()),
        ]);
      }),
    );
    for (const order of orders) {
      await settle(order);
      expect([shopSum(order), movedSum(order)]).toEqual([3250n, 3250n]);
      expect(bench.store.refundsOf(order.id)).toHaveLength(2);
      expect(await differences(order)).toEqual([]);
    }
  });

  it("are two separate refunds even if their amounts are equal", async () => {
    const order = await paid();
    const [event] = bench.tillgate.refund(order.tillgateOrder, 10);
    bench.store.refundByHand(order.id, "10.00");
    await Promise.all([event && bench.deliver(event), bench.connector.sweep()]);
    await settle(order);
    expect([shopSum(order), movedSum(order)]).toEqual([2000n, 2000n]);
  });
});

describe("two equal concurrent refunds in the shop", () => {
  it("both move money", async () => {
    const order = await paid();
    bench.store.refundByHand(order.id, "10.00");
    bench.store.refundByHand(order.id, "10.00");
    await settle(order);
    expect(bench.tillgate.refundCallsOf(transactionId(order))).toHaveLength(2);
    expect([shopSum(order), movedSum(order)]).toEqual([2000n, 2000n]);
  });

  it("both move money even if the refund with the higher ID is processed first", async () => {
    const order = await paid();
    bench.store.refundByHand(order.id, "10.00");
    const [seen] = bench.store.refundsOf(order.id);
    if (seen === undefined) throw new Error("The shop has no refund.");
    seen.id += 2_000_000;
    await settle(order);
    bench.store.refundsOf(order.id).unshift({ ...seen, id: seen.id - 1, meta_data: [] });
    await settle(order);
    const keys = bench.tillgate
      .refundCallsOf(transactionId(order))
      .map(({ idempotency_key }) => idempotency_key);
    expect(new Set(keys).size).toBe(2);
    expect([shopSum(order), movedSum(order)]).toEqual([2000n, 2000n]);
    expect(bench.store.notesOf(order.id).join()).not.toContain("was already completed");
  });
});

describe("a refund record without Tillgate's metadata", () => {
  it("is recognized, and moves no money, if its reason names a refund that Tillgate has", async () => {
    const order = await paid();
    const [event] = bench.tillgate.refund(order.tillgateOrder, 7.5);
    if (event === undefined) throw new Error("No event found.");
    bench.store.fault = (call, response) => {
      if (call.method !== "POST" || call.path !== `orders/${order.id}/refunds`) return false;
      bench.store.refundsOf(order.id).push({
        id: 7_000_000 + order.id,
        amount: String(call.body.amount),
        reason: String(call.body.reason),
        meta_data: [],
      });
      response.destroy();
      return true;
    };
    expect((await bench.deliver(event)).status).toBe(503);
    bench.store.fault = null;
    // A check before the event is repeated must not take the record for a refund made in the shop.
    await bench.scheduleCheck(order.id);
    await bench.connector.sweep();
    expect((await bench.deliver(event)).status).toBe(200);
    await settle(order);
    expect(bench.store.refundsOf(order.id)).toHaveLength(1);
    expect([shopSum(order), movedSum(order)]).toEqual([750n, 750n]);
    expect(bench.tillgate.refundCallsOf(transactionId(order))).toEqual([]);
  });

  it("counts as made in the shop, and moves money, if its reason names an unknown refund", async () => {
    const order = await paid();
    bench.store.refundByHand(order.id, "5.00", "As agreed (RF-20260101-ABCDEF)");
    await settle(order);
    expect([shopSum(order), movedSum(order)]).toEqual([500n, 500n]);
  });
});

describe("the comparison of the shop's refund total with Tillgate's", () => {
  it("reports a difference in an order note, and on the health page until the totals match", async () => {
    const order = await paid();
    await Promise.all(bench.tillgate.refund(order.tillgateOrder, 15).map((event) => bench.deliver(event)));
    const [record] = bench.store.refundsOf(order.id);
    if (record === undefined) throw new Error("The shop has no record.");
    bench.store.refundsOf(order.id).push({ ...record, id: record.id + 1_000_000 });
    await settle(order);
    const text = "refunds of this order total 30.00 EUR in the shop, but 15.00 EUR was refunded";
    expect(await differences(order)).toMatchObject([{ text: expect.stringContaining(text) }]);
    expect(bench.store.notesOf(order.id).filter((note) => note.includes(text))).toHaveLength(1);
    expect((await bench.connector.health()).books_agree).toBe(false);
    bench.store.refundsOf(order.id).pop();
    await settle(order);
    expect(await differences(order)).toEqual([]);
  });

  it("reports a total that is lower in the shop", async () => {
    const order = await paid();
    await Promise.all(bench.tillgate.refund(order.tillgateOrder, 15).map((event) => bench.deliver(event)));
    bench.store.refundsOf(order.id).pop();
    await settle(order);
    expect(await differences(order)).toMatchObject([
      { text: expect.stringContaining("total 0.00 EUR in the shop, but 15.00 EUR was refunded") },
    ]);
  });

  it("is calculated in minor units: ten refunds of 0.10 are 1.00", async () => {
    const order = await paid("1.00");
    for (let created = 0; created < 10; created += 1)
      for (const event of bench.tillgate.refund(order.tillgateOrder, 0.1)) await bench.deliver(event);
    await settle(order);
    expect([shopSum(order), movedSum(order)]).toEqual([100n, 100n]);
    expect(await differences(order)).toEqual([]);
  });

  it("excludes the shop's pending, rejected and failed refunds", async () => {
    const order = await paid();
    bench.tillgate.refundsNeedApproval = true;
    bench.store.refundByHand(order.id, "10.00");
    await settle(order);
    bench.tillgate.refundAsUsual();
    bench.tillgate.refundRefusal = "Insufficient balance.";
    bench.store.refundByHand(order.id, "5.00");
    await settle(order);
    bench.tillgate.refundAsUsual();
    expect(await differences(order)).toEqual([]);
    const [waiting] = bench.tillgate.refundsOf(transactionId(order));
    await bench.deliver(bench.tillgate.decide(waiting?.refund_id ?? "", "failed"));
    await settle(order);
    expect(await differences(order)).toEqual([]);
  });
});
