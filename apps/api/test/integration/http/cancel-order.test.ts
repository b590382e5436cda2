import { afterAll, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder, makeOverdue, paymentTokenOf, readOrder } from "../../support/orders.js";
import { errorOf } from "../../support/requests.js";
import { eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const NOT_PENDING = { status: 422, texts: ["Only pending orders can be cancelled"] };

const { sandbox, server, api } = await createTestApi();
afterAll(() => expectValidEvents(sandbox));

it("POST /orders/{id}/cancel cancels a pending order, and queues one event for its callback_url", async () => {
  const order = await createOrder(api, { callback_url: "https://shop.example/hook" });
  const cancelled = readOrder(await api.post(`/orders/${order.order_id}/cancel`), "Order cancelled");
  expect(cancelled).toEqual({ ...order, status: "CANCELLED" });
  expect(await getOrder(api, order.order_id)).toEqual(cancelled);
  expect(await eventNamesOf(sandbox, order.order_id)).toEqual(["pos.order.cancelled"]);
  const { rows } = await sandbox.database.pool.query(
    "SELECT d.address, d.status FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = $1",
    [order.order_id],
  );
  expect(rows).toEqual([{ address: "https://shop.example/hook", status: "queued" }]);
});

it("POST /orders/{id}/cancel does not require a body", async () => {
  const { order_id } = await createOrder(api);
  const response = await api.postText(`/orders/${order_id}/cancel`, "", { "content-type": "text/plain" });
  expect(readOrder(response, "Order cancelled").status).toBe("CANCELLED");
});

it("POST /orders/{id}/cancel rejects a cancelled order", async () => {
  const { order_id } = await createOrder(api);
  await api.post(`/orders/${order_id}/cancel`);
  const response = await expectNoWrites(sandbox, () => api.post(`/orders/${order_id}/cancel`));
  expect(errorOf(response)).toEqual(NOT_PENDING);
});

it("POST /orders/{id}/cancel rejects a paid or refunded order", async () => {
  const order = await createOrder(api);
  await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
  const cancel = () => expectNoWrites(sandbox, () => api.post(`/orders/${order.order_id}/cancel`));
  expect(errorOf(await cancel())).toEqual(NOT_PENDING);
  const { trx_id } = await getOrder(api, order.order_id);
  await api.post("/refunds", { transaction_id: trx_id });
  expect(errorOf(await cancel())).toEqual(NOT_PENDING);
  expect((await getOrder(api, order.order_id)).status).toBe("REFUNDED");
});

it("POST /orders/{id}/cancel rejects an overdue order and expires it, with one event", async () => {
  const { order_id } = await createOrder(api);
  await makeOverdue(sandbox, order_id);
  expect(errorOf(await api.post(`/orders/${order_id}/cancel`))).toEqual(NOT_PENDING);
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.expired"]);
  const again = await expectNoWrites(sandbox, () => api.post(`/orders/${order_id}/cancel`));
  expect(errorOf(again)).toEqual(NOT_PENDING);
});

it("POST /orders/{id}/cancel succeeds for only one of twenty concurrent requests", async () => {
  const { order_id } = await createOrder(api);
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => api.post(`/orders/${order_id}/cancel`)),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 422)).toHaveLength(19);
  expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.cancelled"]);
});

it("POST /orders/{id}/cancel returns 404 for an unknown order and writes nothing", async () => {
  const response = await expectNoWrites(sandbox, () => api.post("/orders/POS-20261121-AAAAAA/cancel"));
  expect(errorOf(response)).toEqual({ status: 404, texts: ["Order not found"] });
});
