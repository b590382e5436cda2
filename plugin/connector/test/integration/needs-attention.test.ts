import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());
beforeEach(() => bench.tillgate.refundAsUsual());

let lastOrder = 0;
async function startOrder(): Promise<{ id: number; tillgateOrder: string }> {
  lastOrder += 1;
  bench.store.add({ id: lastOrder });
  expect((await bench.start(lastOrder)).status).toBe(200);
  return { id: lastOrder, tillgateOrder: bench.tillgate.orderOf(String(lastOrder)).order_id };
}

async function checkOrder(id: number): Promise<void> {
  await bench.scheduleCheck(id);
  await bench.connector.sweep();
}

const problemsOf = async (id: number) =>
  (await bench.connector.health()).problems
    .filter((problem) => problem.order_id === id)
    .map(({ text }) => text);

describe("a refund made in the shop", () => {
  it("with an amount that is invalid in its currency moves no money, adds a note, and needs attention until it is corrected", async () => {
    const { id, tillgateOrder } = await startOrder();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    const record = bench.store.refundByHand(id, "10.0050");
    await checkOrder(id);
    await checkOrder(id);
    const text = `Tillgate: refund #${record} made in the shop is 10.0050 EUR, which isn’t a valid amount in its currency. No money was moved. Delete it in the shop and enter the refund again.`;
    expect(await problemsOf(id)).toEqual([text]);
    expect(bench.store.notesOf(id).filter((note) => note === text)).toHaveLength(1);
    expect(bench.tillgate.refundsOf(bench.tillgate.order(tillgateOrder).trx_id)).toEqual([]);

    bench.store.refunds.set(id, []);
    bench.store.refundByHand(id, "10.01");
    await checkOrder(id);
    await checkOrder(id);
    expect(bench.tillgate.refundsOf(bench.tillgate.order(tillgateOrder).trx_id)).toMatchObject([
      { raw_amount: 10.01, status: "completed" },
    ]);
    expect(await problemsOf(id)).toEqual([]);
  });

  it("of 41.5000 EUR refunds 41.50 EUR", async () => {
    const { id, tillgateOrder } = await startOrder();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    bench.store.edit(id, { total: "41.5000" });
    bench.store.refundByHand(id, "41.5000");
    await checkOrder(id);
    await checkOrder(id);
    expect(bench.tillgate.refundsOf(bench.tillgate.order(tillgateOrder).trx_id)).toMatchObject([
      { raw_amount: 41.5, status: "completed" },
    ]);
    expect(await problemsOf(id)).toEqual([]);
  });
});

describe("a payment that arrives while its order is being changed", () => {
  it.each([
    ["given a different total", { total: "60.00" }, /but the order total is 60\.00 EUR/],
    [
      "given another plugin's status",
      { status: "quoted", total: "60.00" },
      /but the order’s status is “quoted”/,
    ],
  ])(
    "needs attention until it is resolved, if the order was %s in the meantime",
    async (_case, change, text) => {
      const { id, tillgateOrder } = await startOrder();
      bench.store.edit(id, change);
      // Without Tillgate's event, the check of the changed order tries to cancel the Tillgate order and finds that it was paid.
      bench.tillgate.set(tillgateOrder, "PAID");
      await checkOrder(id);
      expect(await problemsOf(id)).toEqual([expect.stringMatching(text)]);
      await checkOrder(id);
      expect(await problemsOf(id)).toEqual([expect.stringMatching(text)]);

      bench.store.edit(id, {
        status: "processing",
        transaction_id: bench.tillgate.order(tillgateOrder).trx_id ?? "",
      });
      await checkOrder(id);
      expect(await problemsOf(id)).toEqual([]);
    },
  );
});
