import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Delivery } from "./fakes/fake-tillgate.js";
import { paidOrder, startedOrder, sweepNow } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());
afterEach(() => bench.tillgate.refundAsUsual());

/** Every event since the last replay, in the order in which Tillgate wrote them. */
let told: Delivery[] = [];
async function tell(...events: Delivery[]): Promise<void> {
  for (const event of events) expect((await bench.deliver(event)).status).toBe(200);
  told.push(...events);
}
/** Sends everything that was told once more, as a replay does. */
async function replay() {
  const answers = [];
  for (const { body, headers } of told) {
    const again = { ...headers, "X-Tillgate-Replay": "0d5f2a4e-6f3f-4d8f-9a57-4f0c8f0b1c11" };
    const answer = await bench.deliver({ body, headers: again });
    expect(answer.status).toBe(200);
    answers.push(answer.body);
  }
  return answers;
}
async function paid() {
  const order = await startedOrder(bench);
  told = [];
  await tell(bench.tillgate.set(order.tillgateOrder, "PAID"));
  return order;
}
const shownOf = (id: number) => {
  const { status, transaction_id } = bench.store.order(id);
  const refunds = bench.store.refundsOf(id).map(({ id: _number, ...refund }) => refund);
  return { status, transaction_id, refunds, notes: [...bench.store.notesOf(id)] };
};
/** The shop goes back to a backup of before the payment. */
function drop(id: number): void {
  bench.store.edit(id, { status: "pending", transaction_id: "" });
  bench.store.notesOf(id).length = 0;
  bench.store.refundsOf(id).length = 0;
}
/** Calls that move money or end a payment at Tillgate. */
const moved = () => bench.tillgate.asked.filter((one) => / POST /.test(one)).length;

describe("a replay to a shop that went back to a backup", () => {
  it("brings back payment, refunds and notes, each once, and moves no money", async () => {
    const { id, tillgateOrder } = await paid();
    await tell(...bench.tillgate.refund(tillgateOrder, 10));
    await tell(...bench.tillgate.refund(tillgateOrder, 31.5));
    const before = shownOf(id);
    expect(before).toMatchObject({ status: "refunded", refunds: [{ amount: "10.00" }, { amount: "31.50" }] });
    const calls = moved();
    drop(id);
    expect(shownOf(id)).not.toEqual(before);
    for (let times = 0; times < 2; times += 1) {
      await replay();
      expect(shownOf(id)).toEqual(before);
    }
    await sweepNow(bench);
    expect(shownOf(id)).toEqual(before);
    expect(moved()).toBe(calls);
  });

  it("brings back what ended without a payment, and a refund that failed", async () => {
    for (const status of ["EXPIRED", "CANCELLED"] as const) {
      const { id, tillgateOrder } = await startedOrder(bench);
      told = [];
      await tell(bench.tillgate.set(tillgateOrder, status));
      const before = shownOf(id);
      drop(id);
      await replay();
      expect(shownOf(id)).toEqual(before);
    }
    const { id, tillgateOrder } = await paid();
    bench.tillgate.refundsNeedApproval = true;
    bench.tillgate.refund(tillgateOrder, 10);
    const refundId = bench.tillgate.refunds.at(-1)?.refund_id ?? "";
    await tell(bench.tillgate.decide(refundId, "failed"));
    const before = shownOf(id);
    drop(id);
    await replay();
    expect(shownOf(id)).toEqual(before);
  });

  it("brings back the sum of the refunds that were made in the shop, which pays none of them twice", async () => {
    const { id, tillgateOrder } = await paid();
    bench.store.refundByHand(id, "10.00");
    await sweepNow(bench);
    const refund = bench.tillgate.refunds.at(-1);
    if (refund === undefined) throw new Error("no refund");
    await tell(bench.tillgate.refundEvent(refund));
    const calls = moved();
    drop(id);
    await replay();
    await sweepNow(bench);
    expect(shownOf(id)).toMatchObject({
      status: "processing",
      refunds: [{ amount: "10.00", meta_data: [{ value: refund.refund_id }] }],
    });
    expect(bench.tillgate.order(tillgateOrder).refunded_amount).toBe(10);
    expect(moved()).toBe(calls);
  });

  it("brings back the payment that a range begins after", async () => {
    const { id, tillgateOrder } = await paid();
    told = [];
    await tell(...bench.tillgate.refund(tillgateOrder, 10));
    const before = shownOf(id);
    drop(id);
    await replay();
    expect(shownOf(id)).toEqual(before);
  });
});

describe("a replay to a shop that lost nothing", () => {
  it("leaves a refunded payment refunded, also where it ends before the refund", async () => {
    const { id, tillgateOrder } = await paid();
    const [paidEvent] = told;
    await tell(...bench.tillgate.refund(tillgateOrder, 41.5));
    told = paidEvent === undefined ? [] : [paidEvent];
    await replay();
    expect((await bench.read(id)).body).toMatchObject({ status: "refunded" });
    const { rows } = await bench.database.query("SELECT state FROM payments WHERE store_order_id = $1", [id]);
    expect(rows).toEqual([{ state: "refunded" }]);
  });

  it("changes nothing, whatever the owner made of the order since", async () => {
    const { id, tillgateOrder } = await paid();
    await tell(...bench.tillgate.refund(tillgateOrder, 10));
    for (const status of ["processing", "completed", "cancelled", "on-hold", "mended"]) {
      bench.store.edit(id, { status });
      const before = shownOf(id);
      await replay();
      const { notes, ...after } = shownOf(id);
      expect({ ...after, notes: notes.slice(0, before.notes.length) }).toEqual(before);
    }
  });

  it("acts as usual on what the shop was never told", async () => {
    const { id, tillgateOrder } = await startedOrder(bench);
    told = [bench.tillgate.set(tillgateOrder, "PAID")];
    expect(await replay()).toEqual([{ status: "applied", order_status: "processing" }]);
    expect(shownOf(id).status).toBe("processing");
  });
});

describe("a replay never pays back", () => {
  it("a payment whose order was deleted or is paid otherwise since: a person is asked", async () => {
    const calls = async (change: (id: number) => void) => {
      const { id } = await paid();
      const before = moved();
      drop(id);
      change(id);
      await replay();
      expect(moved()).toBe(before);
      const { problems } = await bench.connector.health();
      expect(problems).toContainEqual(
        expect.objectContaining({ text: expect.stringContaining("as a replay told again") }),
      );
      return id;
    };
    const other = await calls((id) => bench.store.edit(id, { status: "completed", transaction_id: "cash" }));
    expect(shownOf(other)).toMatchObject({ status: "completed", transaction_id: "cash" });
    await calls((id) => bench.store.remove(id));
  });
});

it("an event that is told again without a replay still has no effect", async () => {
  const { id } = await paidOrder(bench);
  drop(id);
  const event = bench.tillgate.event("pos.order.paid", bench.tillgate.orderOf(String(id)).order_id);
  for (let times = 0; times < 2; times += 1) expect((await bench.deliver(event)).status).toBe(200);
  expect(shownOf(id).status).toBe("pending");
});
