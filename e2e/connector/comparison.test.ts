import type { StoreAccess } from "@tillgate/connector";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bench, openBench } from "./bench.js";

const HOUR_MS = 60 * 60_000;

/** Makes every order look unchanged for an hour, because a comparison ignores changes still in progress. */
const settled = (store: StoreAccess): StoreAccess => ({
  ...store,
  async order(id) {
    const order = await store.order(id);
    return order === null ? null : { ...order, modifiedAt: new Date(Date.now() - HOUR_MS) };
  },
});

let bench: Bench;
beforeAll(async () => {
  bench = await openBench({ wrapStore: settled });
});
afterAll(() => bench.close());

type Started = { id: number; tillgateOrder: string; paymentUrl: string };

async function start(): Promise<Started> {
  const order = await bench.shop.order(await bench.shop.product({ price: "41.50", pieces: 10 }));
  const { payment_url } = await bench.connector.startPayment({
    storeOrderId: order.id,
    orderKey: order.order_key,
  });
  const [newest] = (await bench.tillgate.orders.list({ reference: order.number })).orders;
  return { id: order.id, tillgateOrder: newest?.order_id ?? "", paymentUrl: payment_url };
}

async function paid(): Promise<Started & { transaction: string }> {
  const started = await start();
  expect(await bench.shopper.pay(started.paymentUrl)).toBe(true);
  await bench.deliver(await bench.mailbox.wait(started.tillgateOrder, "pos.order.paid"));
  return { ...started, transaction: (await bench.shop.read(started.id)).transaction_id };
}

async function compare() {
  expect(await bench.connector.startComparison()).toBe(true);
  await bench.connector.idle();
  while (await bench.connector.runComparison());
  return bench.connector.comparison();
}

/** Changes that nobody tells the connector about, by the difference they lead to. */
const plants: Record<string, () => Promise<number>> = {
  async paid_shop_unpaid() {
    const { id } = await paid();
    await bench.shop.change(id, { status: "pending" });
    return id;
  },
  async paid_shop_cancelled() {
    const { id } = await paid();
    await bench.shop.change(id, { status: "cancelled" });
    return id;
  },
  async paid_shop_deleted() {
    const { id } = await paid();
    await bench.shop.trash(id);
    return id;
  },
  async transaction_missing() {
    const { id } = await paid();
    await bench.shop.change(id, { transaction_id: "" });
    return id;
  },
  async transaction_differs() {
    const { id } = await paid();
    await bench.shop.change(id, { transaction_id: "TRX-000000000001" });
    return id;
  },
  async open_not_wanted() {
    const { id } = await start();
    await bench.shop.change(id, { status: "cancelled" });
    return id;
  },
  async refund_missing_in_shop() {
    const { id, tillgateOrder, transaction } = await paid();
    await bench.tillgate.refunds.create({ transaction_id: transaction, amount: "1.50" });
    await bench.deliver(await bench.mailbox.wait(tillgateOrder, "refund.completed"));
    const [record] = await bench.shop.refunds(id);
    await bench.shop.deleteRefund(id, record?.id ?? 0);
    return id;
  },
  async refund_only_in_shop() {
    const { id } = await paid();
    await bench.shop.refund(id, "2.00");
    return id;
  },
};

it("planted differences are found by the API, and no others; repairs fix those that can be fixed", async () => {
  await paid();
  const planted: [number, string][] = [];
  for (const [kind, plant] of Object.entries(plants)) planted.push([await plant(), kind]);
  const found = await compare();
  const byOrder = found.differences.map(({ order_id, kind }): [number, string] => [order_id, kind]);
  expect(byOrder.toSorted()).toEqual(planted.toSorted());
  expect(found.last).toMatchObject({ under_way: false, compared: planted.length + 1, skipped: 0 });
  for (const one of found.differences) {
    const { payment_id: paymentId, subject, subject_id: subjectId, field } = one;
    const outcome = await bench.connector.repairDifference({ paymentId, subject, subjectId, field });
    expect([one.kind, outcome]).toEqual([one.kind, one.repair === null ? "left" : "repaired"]);
  }
  const left = found.differences.filter(({ repair }) => repair === null).map(({ kind }) => kind);
  expect((await compare()).differences.map(({ kind }) => kind)).toEqual(left);
});
