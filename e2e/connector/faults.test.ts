import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Bench, eventually, findRunning, openBench } from "./bench.js";
import { FaultyProxy } from "./faulty-proxy.js";
import { pace } from "./pace.js";
import type { ShopOrder } from "./shop.js";

let bench: Bench;
let shopLine: FaultyProxy;
let apiLine: FaultyProxy;
let nowSeconds: () => number;
const systemSeconds = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  const { shop, api } = await findRunning();
  shopLine = await FaultyProxy.open(shop.keys.url);
  apiLine = await FaultyProxy.open(api);
  nowSeconds = systemSeconds;
  bench = await openBench({
    shopUrl: shopLine.url,
    apiUrl: apiLine.url,
    nowSeconds: () => nowSeconds(),
    timeoutMs: pace.shortCallTimeoutMs,
  });
});
beforeEach(() => {
  shopLine.decide = () => "pass";
  apiLine.decide = () => "pass";
  nowSeconds = systemSeconds;
});
afterAll(async () => {
  await bench.close();
  await shopLine.close();
  await apiLine.close();
});

type Paid = {
  order: ShopOrder;
  productId: number;
  tillgateOrder: string;
};

/** Creates an order that is paid in Tillgate and whose webhook is not delivered yet. */
async function paid(): Promise<Paid> {
  const productId = await bench.shop.product({ price: "41.50", pieces: 10 });
  const order = await bench.shop.order(productId);
  const { payment_url } = await bench.connector.startPayment({
    storeOrderId: order.id,
    orderKey: order.order_key,
  });
  expect(await bench.shopper.pay(payment_url)).toBe(true);
  const [newest] = (await bench.tillgate.orders.list({ reference: order.number })).orders;
  return { order, productId, tillgateOrder: newest?.order_id ?? "" };
}

async function expectCompletedOnce({ order, productId }: Paid): Promise<void> {
  expect((await bench.shop.read(order.id)).status).toBe("processing");
  const notes = await bench.shop.notes(order.id);
  expect(notes.filter((note) => note.endsWith("to Processing."))).toHaveLength(1);
  expect(notes.filter((note) => note.includes("Tillgate: paid"))).toHaveLength(1);
  expect(await bench.shop.stock(productId)).toBe(9);
}

describe("a failing shop", () => {
  for (const fault of ["down", "page with 200", "page with 500", "never answers"] as const) {
    it(`makes the connector reject Tillgate's webhook, and a redelivery after recovery completes the payment once: ${fault}`, async () => {
      const paidOrder = await paid();
      const mail = await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid");
      shopLine.decide = () => fault;
      await expect(bench.deliver(mail)).rejects.toThrow();
      shopLine.decide = () => "pass";
      await bench.deliver(mail);
      await expectCompletedOnce(paidOrder);
    });
  }

  it("never prevents a payment from completing exactly once, whichever request is interrupted", async () => {
    for (const fault of ["down", "response lost"] as const) {
      for (let failing = 1; ; failing += 1) {
        const paidOrder = await paid();
        const mail = await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid");
        let call = 0;
        shopLine.decide = () => {
          call += 1;
          return call === failing ? fault : "pass";
        };
        const wasRefused = await bench.deliver(mail).then(
          () => false,
          () => true,
        );
        shopLine.decide = () => "pass";
        if (wasRefused) await bench.deliver(mail);
        await expectCompletedOnce(paidOrder);
        // The delivery made fewer calls than `failing`, so none failed and all have been covered.
        if (call < failing) break;
      }
    }
  });

  it("has one refund record even if the response to the request that creates it is lost", async () => {
    const paidOrder = await paid();
    await bench.deliver(await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid"));
    const { transaction_id } = await bench.shop.read(paidOrder.order.id);
    await bench.tillgate.refunds.create({ transaction_id, amount: "3.00" });
    const mail = await bench.mailbox.wait(paidOrder.tillgateOrder, "refund.completed");
    shopLine.decide = ({ method, path }) =>
      method === "POST" && path.includes("/refunds") ? "response lost" : "pass";
    await expect(bench.deliver(mail)).rejects.toThrow();
    shopLine.decide = () => "pass";
    await bench.deliver(mail);
    expect(await bench.shop.refunds(paidOrder.order.id)).toHaveLength(1);
  });
});

describe("a failing Tillgate", () => {
  it("makes the connector report a paid payment as checking during the failure, and as paid after recovery", async () => {
    const paidOrder = await paid();
    apiLine.decide = () => "down";
    const { id, order_key } = paidOrder.order;
    expect(await bench.connector.readPayment(id, order_key)).toMatchObject({ status: "checking" });
    expect((await bench.shop.read(id)).status).toBe("pending");
    apiLine.decide = () => "pass";
    expect(await bench.connector.readPayment(id, order_key)).toMatchObject({ status: "paid" });
    await expectCompletedOnce(paidOrder);
  });

  it("has one order after a retry if the response to the create request is lost", async () => {
    const productId = await bench.shop.product({ price: "5.00", pieces: 10 });
    const order = await bench.shop.order(productId);
    apiLine.decide = ({ method }) => (method === "POST" ? "response lost" : "pass");
    await expect(
      bench.connector.startPayment({ storeOrderId: order.id, orderKey: order.order_key }),
    ).rejects.toThrow();
    apiLine.decide = () => "pass";
    expect(
      await bench.connector.startPayment({ storeOrderId: order.id, orderKey: order.order_key }),
    ).toMatchObject({
      status: "pending",
    });
    expect((await bench.tillgate.orders.list({ reference: order.number })).orders).toHaveLength(1);
  });

  it("refunds once if the response to a refund request from the shop is lost", async () => {
    const paidOrder = await paid();
    await bench.deliver(await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid"));
    const { transaction_id } = await bench.shop.read(paidOrder.order.id);
    await bench.shop.refund(paidOrder.order.id, "4.00");
    apiLine.decide = ({ method, path }) =>
      method === "POST" && path.endsWith("/refunds") ? "response lost" : "pass";
    await bench.deliverStoreWebhook(paidOrder.order.id);
    await bench.sweep();
    apiLine.decide = () => "pass";
    await eventually(async () => {
      await bench.sweep();
      expect(await bench.shop.tillgateNotes(paidOrder.order.id)).toContainEqual(
        expect.stringContaining("made in the shop was completed"),
      );
    });
    expect((await bench.tillgate.refunds.list({ transaction_id })).refunds).toHaveLength(1);
    expect(await bench.shop.refunds(paidOrder.order.id)).toHaveLength(1);
  });
});

describe("clock skew", () => {
  it("makes the connector reject webhooks as stale if its clock is off by 10 minutes, but the sweep completes the payment once", async () => {
    const paidOrder = await paid();
    const mail = await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid");
    for (const off of [600, -600]) {
      nowSeconds = () => systemSeconds() + off;
      expect(await bench.deliver(mail)).toEqual({ outcome: "refused", reason: "stale" });
    }
    await eventually(async () => {
      await bench.sweep();
      await expectCompletedOnce(paidOrder);
    });
  });

  it("does not affect a payment if the shop's clock is 10 minutes fast and Tillgate's 10 minutes slow", async () => {
    shopLine.clockOffSeconds = 600;
    apiLine.clockOffSeconds = -600;
    try {
      const paidOrder = await paid();
      await bench.deliver(await bench.mailbox.wait(paidOrder.tillgateOrder, "pos.order.paid"));
      await expectCompletedOnce(paidOrder);
    } finally {
      shopLine.clockOffSeconds = 0;
      apiLine.clockOffSeconds = 0;
    }
  });
});
