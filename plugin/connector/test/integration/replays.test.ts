import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET, type Delivery } from "./fakes/fake-tillgate.js";
import { paidOrder, startedOrder, sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());
afterEach(() => bench.tillgate.refundAsUsual());

/** All events since the last replay, in Tillgate's order. */
let sentEvents: Delivery[] = [];
async function deliver(...events: Delivery[]): Promise<void> {
  for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
  sentEvents.push(...events);
}
const REPLAY = "0d5f2a4e-6f3f-4d8f-9a57-4f0c8f0b1c11";
/** Adds the headers of a replay to a delivery. */
function toReplayHeaders(headers: Delivery["headers"]): Delivery["headers"] {
  const { "webhook-id": id, "webhook-timestamp": at } = headers;
  const signature = createHmac("sha256", CLIENT_SECRET)
    .update(`${id}.${at}.replay.${REPLAY}`)
    .digest("base64");
  return { ...headers, "X-Tillgate-Replay": REPLAY, "X-Tillgate-Replay-Signature": `v1,${signature}` };
}
/** Replays all events. */
async function replay() {
  const responses = [];
  for (const { body, headers } of sentEvents) {
    const response = await bench.deliver({ body, headers: toReplayHeaders(headers) });
    expect(response.status).toBe(200);
    responses.push(response.body);
  }
  return responses;
}
async function paid() {
  const order = await startedOrder(bench);
  sentEvents = [];
  await deliver(bench.tillgate.set(order.tillgateOrder, "PAID"));
  return order;
}
const storeState = (id: number) => {
  const { status, transaction_id } = bench.store.order(id);
  const refunds = bench.store.refundsOf(id).map(({ id: _number, ...refund }) => refund);
  return { status, transaction_id, refunds, notes: [...bench.store.notesOf(id)] };
};
/** Restores the shop from a backup made before the payment. */
function dropOrder(id: number): void {
  bench.store.edit(id, { status: "pending", transaction_id: "" });
  bench.store.notesOf(id).length = 0;
  bench.store.refundsOf(id).length = 0;
}
/** Counts requests that move money or cancel a payment in Tillgate. */
const countMoneyRequests = () => bench.tillgate.requests.filter((one) => / POST /.test(one)).length;

describe("a replay to a shop restored from a backup", () => {
  it.each([
    ["unsigned", () => ({ "X-Tillgate-Replay": REPLAY })],
    [
      "signed for another delivery",
      () => {
        const other = { "webhook-id": "evt_other", "webhook-timestamp": "1795305600" };
        const { "webhook-id": _id, "webhook-timestamp": _at, ...replay } = toReplayHeaders(other);
        return replay;
      },
    ],
  ])("is treated as a repeated delivery if its replay header is %s", async (_how, header) => {
    const order = await paid();
    dropOrder(order.id);
    for (const { body, headers } of sentEvents) {
      const response = await bench.deliver({ body, headers: { ...headers, ...header() } });
      expect(response.body).toMatchObject({ status: "repeated" });
    }
    expect(storeState(order.id)).toMatchObject({ status: "pending", transaction_id: "" });
  });

  it("restores the payment, refunds and notes exactly once, and moves no money", async () => {
    const { id, tillgateOrder } = await paid();
    await deliver(...bench.tillgate.refund(tillgateOrder, 10));
    await deliver(...bench.tillgate.refund(tillgateOrder, 31.5));
    const before = storeState(id);
    expect(before).toMatchObject({ status: "refunded", refunds: [{ amount: "10.00" }, { amount: "31.50" }] });
    const calls = countMoneyRequests();
    dropOrder(id);
    expect(storeState(id)).not.toEqual(before);
    for (let times = 0; times < 2; times += 1) {
      await replay();
      expect(storeState(id)).toEqual(before);
    }
    await sweepNow(bench);
    expect(storeState(id)).toEqual(before);
    expect(countMoneyRequests()).toBe(calls);
  });

  it("restores expired and cancelled payments, and a failed refund", async () => {
    for (const status of ["EXPIRED", "CANCELLED"] as const) {
      const { id, tillgateOrder } = await startedOrder(bench);
      sentEvents = [];
      await deliver(bench.tillgate.set(tillgateOrder, status));
      const before = storeState(id);
      dropOrder(id);
      await replay();
      expect(storeState(id)).toEqual(before);
    }
    const { id, tillgateOrder } = await paid();
    bench.tillgate.refundsNeedApproval = true;
    bench.tillgate.refund(tillgateOrder, 10);
    const refundId = bench.tillgate.refunds.at(-1)?.refund_id ?? "";
    await deliver(bench.tillgate.decide(refundId, "failed"));
    const before = storeState(id);
    dropOrder(id);
    await replay();
    expect(storeState(id)).toEqual(before);
  });

  it("restores a refund made in the shop without refunding it twice", async () => {
    const { id, tillgateOrder } = await paid();
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    const refund = bench.tillgate.refunds.at(-1);
    if (refund === undefined) throw new Error("no refund");
    await deliver(bench.tillgate.refundEvent(refund));
    const calls = countMoneyRequests();
    dropOrder(id);
    await replay();
    await sweepNow(bench);
    expect(storeState(id)).toMatchObject({
      status: "processing",
      refunds: [{ amount: "10.00", meta_data: [{ value: refund.refund_id }] }],
    });
    expect(bench.tillgate.order(tillgateOrder).refunded_amount).toBe(10);
    expect(countMoneyRequests()).toBe(calls);
  });

  it("restores a payment made before the replayed range", async () => {
    const { id, tillgateOrder } = await paid();
    sentEvents = [];
    await deliver(...bench.tillgate.refund(tillgateOrder, 10));
    const before = storeState(id);
    dropOrder(id);
    await replay();
    expect(storeState(id)).toEqual(before);
  });
});

describe("a replay to a shop that was not restored", () => {
  it("leaves a refunded payment refunded, even if the replayed range ends before the refund", async () => {
    const { id, tillgateOrder } = await paid();
    const [paidEvent] = sentEvents;
    await deliver(...bench.tillgate.refund(tillgateOrder, 41.5));
    sentEvents = paidEvent === undefined ? [] : [paidEvent];
    await replay();
    expect((await bench.read(id)).body).toMatchObject({ status: "refunded" });
    const { rows } = await bench.database.query("SELECT state FROM payments WHERE store_order_id = $1", [id]);
    expect(rows).toEqual([{ state: "refunded" }]);
  });

  it("only adds notes, even if the owner has changed the order since", async () => {
    const { id, tillgateOrder } = await paid();
    await deliver(...bench.tillgate.refund(tillgateOrder, 10));
    for (const status of ["processing", "completed", "cancelled", "on-hold", "mended"]) {
      bench.store.edit(id, { status });
      const before = storeState(id);
      await replay();
      const { notes, ...after } = storeState(id);
      expect({ ...after, notes: notes.slice(0, before.notes.length) }).toEqual(before);
    }
  });

  it("applies events that the shop never received", async () => {
    const { id, tillgateOrder } = await startedOrder(bench);
    sentEvents = [bench.tillgate.set(tillgateOrder, "PAID")];
    expect(await replay()).toEqual([{ status: "applied", order_status: "processing" }]);
    expect(storeState(id).status).toBe("processing");
  });
});

describe("a replay", () => {
  it("does not refund a payment whose order was deleted or paid another way in the meantime, but flags it for attention", async () => {
    const calls = async (change: (id: number) => void) => {
      const { id } = await paid();
      const before = countMoneyRequests();
      dropOrder(id);
      change(id);
      await replay();
      expect(countMoneyRequests()).toBe(before);
      const { problems } = await bench.connector.health();
      expect(problems).toContainEqual(
        expect.objectContaining({ text: expect.stringContaining("from a resent event") }),
      );
      return id;
    };
    const other = await calls((id) => bench.store.edit(id, { status: "completed", transaction_id: "cash" }));
    expect(storeState(other)).toMatchObject({ status: "completed", transaction_id: "cash" });
    await calls((id) => bench.store.remove(id));
  });
});

it("a repeated payment event outside a replay does not restore the order", async () => {
  const { id } = await paidOrder(bench);
  dropOrder(id);
  const event = bench.tillgate.event("pos.order.paid", bench.tillgate.orderOf(String(id)).order_id);
  for (let times = 0; times < 2; times += 1) expect((await bench.deliver(event)).status).toBe(200);
  expect(storeState(id).status).toBe("pending");
});

describe("a connector that lost its database", () => {
  const deleteRecords = async (id: number) => {
    for (const table of ["payments", "due", "followed_refunds", "outgoing_refunds"])
      await bench.database.query(`DELETE FROM ${table} WHERE store_order_id = $1`, [id]);
    await bench.database.query("DELETE FROM events");
  };
  const paymentsOf = async (id: number) =>
    (
      await bench.database.query(
        "SELECT state, replaced_at IS NULL AS current FROM payments WHERE store_order_id = $1 ORDER BY created_at, id",
        [id],
      )
    ).rows;

  it("restores a payment from its event and marks the shop's order as paid", async () => {
    const { id, tillgateOrder } = await startedOrder(bench);
    await deleteRecords(id);
    const paid = bench.tillgate.set(tillgateOrder, "PAID");
    expect((await bench.deliver(paid)).body).toEqual({ status: "applied", order_status: "processing" });
    expect((await bench.read(id)).body).toMatchObject({ status: "paid" });
    expect(await paymentsOf(id)).toEqual([{ state: "paid", current: true }]);
  });

  it("restores its records from a replay without changing the shop or moving money, and then sends new refunds", async () => {
    const { id, tillgateOrder } = await paid();
    await deliver(...bench.tillgate.refund(tillgateOrder, 10));
    bench.store.refundByHand(id, "5.00");
    bench.store.refundByHand(id, "5.00");
    await sweepNow(bench);
    for (const refund of bench.tillgate.refunds.slice(-2)) await deliver(bench.tillgate.refundEvent(refund));
    // Tillgate's refund is recognized by its meta data.
    for (const record of bench.store.refundsOf(id).slice(0, 1)) record.reason = "";
    const [before, calls] = [storeState(id), countMoneyRequests()];
    expect(before.refunds).toHaveLength(3);
    await deleteRecords(id);
    for (let times = 0; times < 2; times += 1) {
      await replay();
      await sweepNow(bench);
      expect(storeState(id)).toEqual(before);
    }
    expect(await paymentsOf(id)).toEqual([{ state: "paid", current: true }]);
    expect(countMoneyRequests()).toBe(calls);
    expect((await bench.connector.health()).problems.filter(({ order_id }) => order_id === id)).toEqual([]);
    // New refunds are then sent as usual.
    bench.store.refundByHand(id, "1.50");
    await sweepNow(bench);
    expect(bench.tillgate.order(tillgateOrder).refunded_amount).toBe(21.5);
  });

  it("flags a refund with an unknown outcome for attention, and doesn't send it to Tillgate", async () => {
    const { id, tillgateOrder } = await paid();
    await deleteRecords(id);
    bench.store.refundByHand(id, "7.00");
    await replay();
    await sweepNow(bench);
    expect(bench.tillgate.order(tillgateOrder).refunded_amount).toBe(0);
    const { problems } = await bench.connector.health();
    expect(problems).toContainEqual(
      expect.objectContaining({
        order_id: id,
        text: expect.stringContaining("Please check whether the customer received the money"),
      }),
    );
  });

  it("restores the current payment of an order with several payments", async () => {
    const { id, tillgateOrder } = await startedOrder(bench);
    sentEvents = [];
    await deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    bench.tillgate.order(tillgateOrder).created_at = "2026-11-20T10:00:00+00:00";
    await bench.start(id);
    await deliver(bench.tillgate.set(bench.tillgate.orderOf(String(id)).order_id, "PAID"));
    const before = storeState(id);
    await deleteRecords(id);
    sentEvents.reverse();
    await replay();
    const { notes, ...after } = storeState(id);
    expect({ ...after, notes: notes.slice(0, before.notes.length) }).toEqual(before);
    expect(await paymentsOf(id)).toEqual([
      { state: "expired", current: false },
      { state: "paid", current: true },
    ]);
  });

  it.each(["that was removed from the shop", "whose ID the shop has reused"])(
    "neither restores nor refunds a payment for an order %s",
    async (how) => {
      const { id, tillgateOrder } = await startedOrder(bench);
      await deleteRecords(id);
      if (how === "that was removed from the shop") bench.store.remove(id);
      else bench.store.edit(id, { order_key: "wc_order_of_another" });
      const calls = countMoneyRequests();
      const event = bench.tillgate.set(tillgateOrder, "PAID");
      expect((await bench.deliver(event)).status).toBe(404);
      expect(countMoneyRequests()).toBe(calls);
      expect(await paymentsOf(id)).toEqual([]);
    },
  );
});
