import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startedOrder } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
let id = 60_000;
beforeAll(async () => {
  bench = await setUp();
});
beforeEach(() => {
  bench.store.payable = ["pending", "failed"];
  bench.store.completable = ["pending", "failed"];
});
afterAll(() => bench.close());

async function startQuoted() {
  id += 1;
  bench.store.add({ id, status: "quoted" });
  expect((await bench.start(id)).status).toBe(200);
  return bench.tillgate.orderOf(String(id)).order_id;
}

describe("an order in a custom status", () => {
  it.each([
    ["has an effect", ["pending", "failed", "quoted"]],
    ["has no effect", ["pending", "failed"]],
  ])("becomes Processing when paid if its status is payable and set_paid %s", async (_name, completable) => {
    bench.store.payable.push("quoted");
    bench.store.completable = completable;
    const tillgateOrder = await startQuoted();
    bench.store.edit(id, {});
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("PENDING");
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    const { transaction_id } = bench.store.order(id);
    expect(bench.store.history.get(id)).toEqual(["quoted", "processing"]);
    expect(transaction_id).toBe(bench.tillgate.order(tillgateOrder).trx_id);
  });

  it("cannot be paid if the status is not payable", async () => {
    id += 1;
    bench.store.add({ id, status: "quoted" });
    expect(await bench.start(id)).toMatchObject({ status: 422, body: { error_code: "not_payable" } });
  });

  it("becomes Failed when its payment expires", async () => {
    bench.store.payable.push("quoted");
    const tillgateOrder = await startQuoted();
    await bench.deliver(bench.tillgate.set(tillgateOrder, "EXPIRED"));
    expect(bench.store.order(id).status).toBe("failed");
  });

  it("gets a refund record for a refund made at Tillgate", async () => {
    const order = await startedOrder(bench);
    await bench.deliver(bench.tillgate.set(order.tillgateOrder, "PAID"));
    bench.store.edit(order.id, { status: "packed" });
    for (const event of bench.tillgate.refund(order.tillgateOrder, 5)) await bench.deliver(event);
    expect(bench.store.refundsOf(order.id).map(({ amount }) => amount)).toEqual(["5.00"]);
  });
});
