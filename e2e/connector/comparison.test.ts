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

/** Starts a payment and cancels it at Tillgate. @returns the ID of the shop's order. */
async function cancelled(): Promise<number> {
  const { id, tillgateOrder } = await start();
  await bench.tillgate.orders.cancel(tillgateOrder);
  await bench.deliver(await bench.mailbox.wait(tillgateOrder, "pos.order.cancelled"));
  return id;
}

/** Pays an order and refunds a part of it at Tillgate. @returns the IDs of the shop's order, the refund and the shop's record of it. */
async function refunded() {
  const { id, tillgateOrder, transaction } = await paid();
  const { refund_id: refundId } = await bench.tillgate.refunds.create({
    transaction_id: transaction,
    amount: "1.50",
  });
  await bench.deliver(await bench.mailbox.wait(tillgateOrder, "refund.completed"));
  const [record] = await bench.shop.refunds(id);
  if (record === undefined) throw new Error("The shop has no record of the refund.");
  return { id, refundId, recordId: record.id };
}

const paidThenChanged = (fields: object) => async (): Promise<number> => {
  const { id } = await paid();
  await bench.shop.change(id, fields);
  return id;
};
const openThenChanged = (fields: object) => async (): Promise<number> => {
  const { id } = await start();
  await bench.shop.change(id, fields);
  return id;
};
const cancelledThenChanged = (fields: object) => async (): Promise<number> => {
  const id = await cancelled();
  await bench.shop.change(id, fields);
  return id;
};

const GIFT_WRAP = { fee_lines: [{ name: "Gift wrap", total: "1.00" }] };

/** Changes that the connector is not notified of, each with the difference that it causes. `plant` returns the ID of the shop's order. */
const plants: readonly [kind: string, plant: () => Promise<number>][] = [
  ["paid_shop_unpaid", paidThenChanged({ status: "pending" })],
  ["paid_shop_unpaid", paidThenChanged({ status: "failed" })],
  ["paid_shop_unpaid", paidThenChanged({ status: "on-hold", transaction_id: "" })],
  ["paid_shop_cancelled", paidThenChanged({ status: "cancelled" })],
  [
    "paid_shop_deleted",
    async () => {
      const { id } = await paid();
      await bench.shop.trash(id);
      return id;
    },
  ],
  ["paid_not_needed", paidThenChanged({ payment_method: "bacs", transaction_id: "" })],
  ["transaction_missing", paidThenChanged({ transaction_id: "" })],
  ["transaction_missing", paidThenChanged({ status: "completed", transaction_id: "" })],
  ["transaction_differs", paidThenChanged({ transaction_id: "TRX-000000000001" })],
  ["transaction_differs", paidThenChanged({ status: "completed", transaction_id: "TRX-000000000003" })],
  ["amount_differs", paidThenChanged(GIFT_WRAP)],
  [
    "refunded_in_shop_only",
    async () => {
      const id = await paidThenChanged({ status: "refunded" })();
      for (const { id: recordId } of await bench.shop.refunds(id))
        await bench.shop.deleteRefund(id, recordId);
      return id;
    },
  ],
  ["unpaid_shop_paid", cancelledThenChanged({ status: "processing" })],
  ["transaction_unknown", cancelledThenChanged({ transaction_id: "TRX-000000000002" })],
  ["open_not_wanted", openThenChanged({ status: "cancelled" })],
  ["open_over_another_amount", openThenChanged(GIFT_WRAP)],
  [
    "refund_missing_in_shop",
    async () => {
      const { id, recordId } = await refunded();
      await bench.shop.deleteRefund(id, recordId);
      return id;
    },
  ],
  [
    "refund_recorded_twice",
    async () => {
      const { id, refundId } = await refunded();
      await bench.shop.refund(id, "1.50", refundId);
      return id;
    },
  ],
  [
    "refund_amount_differs",
    async () => {
      const { id, refundId, recordId } = await refunded();
      await bench.shop.deleteRefund(id, recordId);
      await bench.shop.refund(id, "0.80", refundId);
      return id;
    },
  ],
  [
    "refund_only_in_shop",
    async () => {
      const { id } = await paid();
      await bench.shop.refund(id, "2.00");
      return id;
    },
  ],
];

it("the API finds exactly the 20 planted differences, and repairs fix every difference that has a repair", async () => {
  await paid();
  const planted: [number, string][] = [];
  for (const [kind, plant] of plants) planted.push([await plant(), kind]);
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
