import { expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { errorOf, payApi } from "../../support/requests.js";
import { eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();

it("GET /orders/{id} returns the order as it was created", async () => {
  const order = await createOrder(api, {
    payment_method: "qr_only",
    reference: "cart 7",
    description: "Two mugs",
    terminal_id: "till-1",
    return_url: "https://shop.example/thanks",
  });
  expect(await getOrder(api, order.order_id)).toEqual(order);
});

it("GET /orders/{id} shows the transaction ID and payment time of a paid order", async () => {
  const order = await createOrder(api);
  await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
  const paid = await getOrder(api, order.order_id);
  expect(paid).toEqual({
    ...order,
    status: "PAID",
    trx_id: expect.stringMatching(/^TRX-\d{12}$/),
    paid_at: expect.stringMatching(/\+00:00$/),
  });
  await expectValidEvents(sandbox);
});

it("GET /orders/{id} expires an overdue order, with one event for concurrent reads", async () => {
  const order = await createOrder(api);
  await makeOverdue(sandbox, order.order_id);
  const other = payApi(await sandbox.startApi(), sandbox.access.merchant);
  const read = await Promise.all(
    Array.from({ length: 20 }, (_, i) => getOrder(i % 2 ? api : other, order.order_id)),
  );
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set(["EXPIRED"]));
  expect(await eventNamesOf(sandbox, order.order_id)).toEqual(["pos.order.expired"]);
  await expectValidEvents(sandbox);
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
])("GET /orders/{id} returns 404 for %s and writes nothing", async (id) => {
  const response = await expectNoWrites(sandbox, () => api.get(`/orders/${id}`));
  expect(errorOf(response)).toEqual({ status: 404, texts: ["Order not found"] });
});

it("GET /orders/{id} returns 404 for an ID that differs only in case or a trailing space", async () => {
  const order = await createOrder(api);
  expect(errorOf(await api.get(`/orders/${order.order_id.toLowerCase()}`)).status).toBe(404);
  expect(errorOf(await api.get(`/orders/${order.order_id}%20`)).status).toBe(404);
});
