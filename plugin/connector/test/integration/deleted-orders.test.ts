import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());
beforeEach(() => bench.tillgate.refundAsUsual());

let lastOrder = 0;
/** Creates an order with an open payment, and then deletes the order in the store. */
async function missingOrder(): Promise<{ id: number; tillgateOrder: string }> {
  lastOrder += 1;
  const id = lastOrder;
  bench.store.add({ id });
  expect((await bench.start(id)).status).toBe(200);
  const { order_id } = bench.tillgate.orderOf(String(id));
  bench.store.remove(id);
  return { id, tillgateOrder: order_id };
}

const problemsOf = async (id: number) =>
  (await bench.connector.health()).problems.filter((problem) => problem.order_id === id);
const refundsOf = (tillgateOrder: string) =>
  bench.tillgate.refundsOf(bench.tillgate.order(tillgateOrder).trx_id);

describe("a payment for an order missing from the store", () => {
  it.each(["its event", "the scheduled check"])(
    "is reported as a problem by %s, and not refunded",
    async (source) => {
      const { id, tillgateOrder } = await missingOrder();
      const paid = bench.tillgate.set(tillgateOrder, "PAID");
      if (source === "its event")
        expect(await bench.deliver(paid)).toMatchObject({ status: 200, body: { status: "applied" } });
      else {
        await bench.makeDue();
        await bench.connector.sweep();
      }
      expect(refundsOf(tillgateOrder)).toEqual([]);
      const text = /paid 41\.50 EUR .*order \d+, which no longer exists in the shop\. No money was refunded/;
      expect(await problemsOf(id)).toMatchObject([{ kind: "mismatch", text: expect.stringMatching(text) }]);
      expect((await bench.connector.health()).status).not.toBe("ok");
    },
  );

  it("causes one problem and no refund, even if its event is delivered repeatedly", async () => {
    const { id, tillgateOrder } = await missingOrder();
    const paid = bench.tillgate.set(tillgateOrder, "PAID");
    await Promise.all([bench.deliver(paid), bench.deliver(paid), bench.connector.sweep()]);
    await bench.deliver(paid);
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(refundsOf(tillgateOrder)).toEqual([]);
    expect(await problemsOf(id)).toHaveLength(1);
  });

  it("is no longer open after a refund at Tillgate", async () => {
    const { tillgateOrder } = await missingOrder();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    for (const event of bench.tillgate.refund(tillgateOrder, 41.5))
      expect(await bench.deliver(event)).toMatchObject({ status: 200 });
    await bench.makeDue();
    await bench.connector.sweep();
    expect((await bench.connector.health()).payments).toEqual({ under_way: 0, given_up: 0 });
  });
});

describe("an unpaid order that was permanently deleted", () => {
  it("has its open payment cancelled when the order is checked", async () => {
    const { id, tillgateOrder } = await missingOrder();
    await bench.scheduleCheck(id);
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
  });

  it.each(["EXPIRED", "CANCELLED"] as const)(
    "causes neither a problem nor a refund if its payment becomes %s",
    async (status) => {
      const { id, tillgateOrder } = await missingOrder();
      expect((await bench.deliver(bench.tillgate.set(tillgateOrder, status))).status).toBe(200);
      expect(await problemsOf(id)).toEqual([]);
      expect(refundsOf(tillgateOrder)).toEqual([]);
    },
  );
});

it("a payment is not refunded when its paid order is deleted later", async () => {
  lastOrder += 1;
  const id = lastOrder;
  bench.store.add({ id });
  await bench.start(id);
  const { order_id } = bench.tillgate.orderOf(String(id));
  const paid = bench.tillgate.set(order_id, "PAID");
  await bench.deliver(paid);
  bench.store.remove(id);
  await bench.deliver(paid);
  await bench.makeDue();
  await bench.connector.sweep();
  expect(refundsOf(order_id)).toEqual([]);
});
