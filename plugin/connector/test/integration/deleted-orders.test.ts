import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
beforeAll(async () => {
  bench = await setUp();
});
afterAll(() => bench.close());
beforeEach(() => bench.tillgate.refundAsUsual());

let lastOrder = 0;
/** An order whose payment is open and which the shop then deleted for good. */
async function deletedOrder(): Promise<{ id: number; tillgateOrder: string }> {
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

describe("an order that was deleted for good and then paid", () => {
  it("by its event is refunded in full at once, and health says so in words", async () => {
    const { id, tillgateOrder } = await deletedOrder();
    const paid = bench.tillgate.set(tillgateOrder, "PAID");
    expect(await bench.deliver(paid)).toMatchObject({ status: 200, body: { status: "applied" } });
    expect(refundsOf(tillgateOrder)).toMatchObject([{ raw_amount: 41.5, status: "completed" }]);
    expect(await problemsOf(id)).toMatchObject([
      {
        kind: "mismatch",
        text: expect.stringMatching(
          /paid 41\.50 EUR .*order \d+, which was deleted in the store.*refunded in full: 41\.50 EUR/,
        ),
      },
    ]);
    expect((await bench.connector.health()).status).not.toBe("ok");
  });

  it("by the sweep is refunded at its first look", async () => {
    const { id, tillgateOrder } = await deletedOrder();
    bench.tillgate.set(tillgateOrder, "PAID");
    await bench.makeDue();
    await bench.connector.sweep();
    expect(refundsOf(tillgateOrder)).toHaveLength(1);
    expect(await problemsOf(id)).toHaveLength(1);
  });

  it("is refunded once, however often and from wherever it is reported", async () => {
    const { tillgateOrder } = await deletedOrder();
    const paid = bench.tillgate.set(tillgateOrder, "PAID");
    await Promise.all([bench.deliver(paid), bench.deliver(paid), bench.connector.sweep()]);
    await bench.deliver(paid);
    expect(refundsOf(tillgateOrder)).toHaveLength(1);
  });

  it("is reported at the first look also where Tillgate cannot be asked for the refund, which follows", async () => {
    const { id, tillgateOrder } = await deletedOrder();
    const paid = bench.tillgate.set(tillgateOrder, "PAID");
    bench.tillgate.fault = (method, path, response) => {
      if (method !== "POST" || path !== "/refunds") return false;
      response.writeHead(503).end();
      return true;
    };
    expect((await bench.deliver(paid)).status).toBe(503);
    expect(await problemsOf(id)).toMatchObject([
      { kind: "mismatch", text: expect.stringContaining("not known yet") },
    ]);
    bench.tillgate.fault = null;
    expect((await bench.deliver(paid)).status).toBe(200);
    expect(refundsOf(tillgateOrder)).toHaveLength(1);
    expect(await problemsOf(id)).toMatchObject([
      { text: expect.stringContaining("41.50 EUR paid back as RF-") },
    ]);
  });

  it("and whose refund Tillgate refuses is for a person, in Tillgate's words", async () => {
    const { id, tillgateOrder } = await deletedOrder();
    bench.tillgate.refundRefusal = "Insufficient balance.";
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"))).status).toBe(200);
    expect(await problemsOf(id)).toMatchObject([
      {
        text: expect.stringMatching(
          /Tillgate refuses it \(Insufficient balance\.\), please refund it by hand/,
        ),
      },
    ]);
  });

  it("takes what becomes of the refund without an error", async () => {
    const { tillgateOrder } = await deletedOrder();
    bench.tillgate.refundsNeedApproval = true;
    await bench.deliver(bench.tillgate.set(tillgateOrder, "PAID"));
    const [refund] = refundsOf(tillgateOrder);
    const told = bench.tillgate.decide(refund?.refund_id ?? "", "completed");
    expect(await bench.deliver(told)).toMatchObject({ status: 200 });
    expect(await bench.deliver(bench.tillgate.event("pos.order.refunded", tillgateOrder))).toMatchObject({
      status: 200,
    });
    await bench.makeDue();
    await bench.connector.sweep();
    expect((await bench.connector.health()).payments).toEqual({ under_way: 0, given_up: 0 });
  });
});

describe("an order that was deleted for good and is not paid", () => {
  it("has its open payment cancelled when the shop tells of it", async () => {
    const { id, tillgateOrder } = await deletedOrder();
    await bench.askForLook(id);
    await bench.connector.sweep();
    expect(bench.tillgate.order(tillgateOrder).status).toBe("CANCELLED");
  });

  it.each(["EXPIRED", "CANCELLED"] as const)("takes %s as its end", async (status) => {
    const { id, tillgateOrder } = await deletedOrder();
    expect((await bench.deliver(bench.tillgate.set(tillgateOrder, status))).status).toBe(200);
    expect(await problemsOf(id)).toEqual([]);
    expect(refundsOf(tillgateOrder)).toEqual([]);
  });
});

it("an order that was paid long before it is deleted keeps its payment", async () => {
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
