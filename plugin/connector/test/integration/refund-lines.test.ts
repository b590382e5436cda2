import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { send } from "./fakes/fake-store.js";
import { paidOrder } from "./fakes/orders.js";
import { type Bench, setUp } from "./fakes/set-up.js";

let bench: Bench;
let restocking: Bench;
let plain: Bench;
beforeAll(async () => {
  bench = await setUp();
  restocking = await setUp({ restockRefunds: true });
  plain = await setUp({ refundLines: false });
});
beforeEach(() => {
  bench.store.fault = null;
});
afterAll(() => Promise.all([bench.close(), restocking.close(), plain.close()]));

const lines = {
  line_items: [
    { id: 11, name: "Mug", quantity: 2, total: "30.672269", taxes: [{ id: 1, total: "5.827731" }] },
  ],
  shipping_lines: [{ id: 12, total: "4.201681", taxes: [{ id: 1, total: "0.798319" }] }],
};

/** @returns the order's ID, and the body of the request that created the refund record */
async function refundAtTillgate(on: Bench, amount: number) {
  const { id, tillgateOrder } = await paidOrder(on, lines);
  for (const event of on.tillgate.refund(tillgateOrder, amount)) await on.deliver(event);
  return { id, body: on.store.writes.findLast(({ path }) => path === `orders/${id}/refunds`)?.body };
}

const whole = [
  { id: 11, quantity: 2, refund_total: "30.67", refund_tax: [{ id: 1, refund_total: "5.83" }] },
  { id: 12, quantity: 0, refund_total: "4.20", refund_tax: [{ id: 1, refund_total: "0.80" }] },
];

describe("the record of a refund made at Tillgate", () => {
  it("contains all lines, tax and shipping of a full refund, and restocks only if configured", async () => {
    expect((await refundAtTillgate(bench, 41.5)).body).toMatchObject({
      line_items: whole,
      api_restock: false,
    });
    expect((await refundAtTillgate(restocking, 41.5)).body).toMatchObject({
      line_items: whole,
      api_restock: true,
    });
  });

  it("contains each line's share of a partial refund, and doesn't restock", async () => {
    expect((await refundAtTillgate(restocking, 4.15)).body).toMatchObject({
      amount: "4.15",
      api_restock: false,
      line_items: [
        { id: 11, quantity: 0, refund_total: "3.07", refund_tax: [{ id: 1, refund_total: "0.58" }] },
        { id: 12, quantity: 0, refund_total: "0.42", refund_tax: [{ id: 1, refund_total: "0.08" }] },
      ],
    });
  });

  it("contains only its amount if refund_lines is off", async () => {
    expect((await refundAtTillgate(plain, 41.5)).body).toMatchObject({ line_items: [], amount: "41.50" });
  });

  it("is deferred to the next delivery if the owner makes a concurrent refund", async () => {
    const { id, tillgateOrder } = await paidOrder(bench, lines);
    bench.store.fault = (call, response) => {
      if (call.method !== "POST" || call.path !== `orders/${id}/refunds`) return false;
      bench.store.fault = null;
      bench.store.refundByHand(id, "41.50");
      send(response, 500, {
        code: "woocommerce_rest_cannot_create_order_refund",
        message: "Invalid refund amount.",
      });
      return true;
    };
    const [event] = bench.tillgate.refund(tillgateOrder, 41.5);
    if (event === undefined) throw new Error("no event");
    expect(await bench.deliver(event)).toMatchObject({ status: 503, body: { error_code: "busy" } });
    const { last_error } = await bench.connector.health();
    expect(last_error?.cause ?? "busy").toBe("busy");
  });
});
