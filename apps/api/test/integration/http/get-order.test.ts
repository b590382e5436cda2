import { expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, passExpiry, tokenOf } from "../../support/orders.js";
import { payApi, told } from "../../support/requests.js";
import { eventsOf, expectEventsOfTheContract, writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

const { sandbox, server, api } = await sceneOfFile();

it("an order reads as it was created, until something changes it", async () => {
  const order = await createOrder(api, {
    payment_method: "qr_only",
    reference: "cart 7",
    description: "Two mugs",
    terminal_id: "till-1",
    return_url: "https://shop.example/thanks",
  });
  expect(await getOrder(api, order.order_id)).toEqual(order);
});

it("a paid order shows its transaction and the time of its payment", async () => {
  const order = await createOrder(api);
  await openPage(server, tokenOf(order)).act("sandbox-approve");
  const paid = await getOrder(api, order.order_id);
  expect(paid).toEqual({
    ...order,
    status: "PAID",
    trx_id: expect.stringMatching(/^TRX-\d{12}$/),
    paid_at: expect.stringMatching(/\+00:00$/),
  });
  await expectEventsOfTheContract(sandbox);
});

it("a pending order past its expiry becomes EXPIRED by being read, with one event however many read it", async () => {
  const order = await createOrder(api);
  await passExpiry(sandbox, order.order_id);
  const other = payApi(await sandbox.startApi(), sandbox.access.merchant);
  const read = await Promise.all(
    Array.from({ length: 20 }, (_, i) => getOrder(i % 2 ? api : other, order.order_id)),
  );
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set(["EXPIRED"]));
  expect(await eventsOf(sandbox, order.order_id)).toEqual(["pos.order.expired"]);
  await expectEventsOfTheContract(sandbox);
});

it.each([
  "POS-20261121-AAAAAA",
  "pos",
  "TRX-000000000000",
  "..%2f..%2fhealthz",
  "%00",
  "POS%00",
  "%F0%9D%95%8F",
  "x".repeat(5000),
  "__proto__",
  "'; DROP TABLE orders; --",
])("no such id %s: 404, nothing written", async (id) => {
  const answer = await writesNothing(sandbox, () => api.get(`/orders/${id}`));
  expect(told(answer)).toEqual({ status: 404, texts: ["Order not found"] });
});

it("an order's id is compared exactly", async () => {
  const order = await createOrder(api);
  expect(told(await api.get(`/orders/${order.order_id.toLowerCase()}`)).status).toBe(404);
  expect(told(await api.get(`/orders/${order.order_id}%20`)).status).toBe(404);
});
