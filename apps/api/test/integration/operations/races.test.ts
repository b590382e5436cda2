import { ErrorCode, type Order } from "@tillgate/contract";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cancelCheckout } from "../../../src/checkout/cancel.js";
import { payOrder } from "../../../src/checkout/pay.js";
import { type Checkout, readCheckout } from "../../../src/checkout/read.js";
import { approveInSandbox } from "../../../src/checkout/sandbox.js";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage } from "../../support/checkout.js";
import { callConcurrently } from "../../support/concurrent-calls.js";
import {
  createOrder,
  getOrder,
  makeOverdue,
  ORDER_CREATED,
  paymentTokenOf,
  readOrder,
  readRefund,
} from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { type ApiResponse, errorOf, type PayApi, payApi } from "../../support/requests.js";
import { balanceOf, countRows, eventNamesOf, expectValidEvents } from "../../support/rows.js";
import { createTestSandbox } from "../../support/test-api.js";

const CONCURRENCY = 50;

let servers: [ApiProcess, ApiProcess];
let apis: [PayApi, PayApi];
let shopper: TestShopper;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  servers = [await sandbox.startApi(), await sandbox.startApi()];
  apis = [payApi(servers[0], sandbox.access.merchant), payApi(servers[1], sandbox.access.merchant)];
  shopper = await addShopper(sandbox, "sandbox", 10_000_000n);
});
afterAll(() => expectValidEvents(sandbox));

const PROCESSES = [0, 1] as const;

const withStatus = (responses: ApiResponse[], status: number): ApiResponse[] =>
  responses.filter((response) => response.status === status);

it("exactly one of a concurrent cancellation and payment succeeds, with one event, and the other request is rejected with the reason", async () => {
  const winners = new Set<string>();
  for (let round = 0; round < 15; round += 1) {
    const order = await createOrder(apis[0], { amount: 1 });
    const page = openPage(servers[0], paymentTokenOf(order));
    await page.signIn(shopper.email, shopper.pin);
    const { form_token } = await page.view();
    const before = await balanceOf(sandbox, shopper.email);
    const [paid, cancelled] = await Promise.all([
      page.act("pay", form_token),
      apis[1].post(`/orders/${order.order_id}/cancel`),
    ]);
    const { status } = await getOrder(apis[0], order.order_id);
    winners.add(status);
    expect([paid.status, cancelled.status].sort()).toEqual([200, 422]);
    if (status === "PAID") expect(errorOf(cancelled).texts).toEqual(["Only pending orders can be cancelled"]);
    else expect(errorOf(paid).reason).toBe("cancelled");
    expect(await eventNamesOf(sandbox, order.order_id)).toEqual([
      status === "PAID" ? "pos.order.paid" : "pos.order.cancelled",
    ]);
    expect(await balanceOf(sandbox, shopper.email)).toBe(status === "PAID" ? before - 100n : before);
  }
  expect([...winners].every((status) => ["PAID", "CANCELLED"].includes(status))).toBe(true);
});

it("fifty concurrent payments pay an order once, and every response reports success", async () => {
  const order = await createOrder(apis[0], { amount: 7 });
  const page = openPage(servers[0], paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin);
  const other = openPage(servers[1], paymentTokenOf(order), {
    visitor: page.visitor,
    session: page.session ?? "",
  });
  const { form_token } = await page.view();
  const before = await balanceOf(sandbox, shopper.email);
  const responses = await callConcurrently(PROCESSES, CONCURRENCY, (process) =>
    (process ? other : page).act("pay", form_token),
  );
  expect(withStatus(responses, 200)).toHaveLength(CONCURRENCY);
  expect(responses.filter(({ text }) => text.includes('"repeated":false'))).toHaveLength(1);
  expect(await balanceOf(sandbox, shopper.email)).toBe(before - 700n);
  expect(await eventNamesOf(sandbox, order.order_id)).toEqual(["pos.order.paid"]);
});

it("of twenty concurrent payments from a wallet with enough money for three, exactly three succeed", async () => {
  const poor = await addShopper(sandbox, "sandbox", 350n);
  const pages = [];
  for (let i = 0; i < 20; i += 1) {
    const page = openPage(servers[i % 2 ? 1 : 0], paymentTokenOf(await createOrder(apis[0], { amount: 1 })));
    await page.signIn(poor.email, poor.pin);
    pages.push({ page, token: (await page.view()).form_token });
  }
  const responses = await Promise.all(pages.map(({ page, token }) => page.act("pay", token)));
  expect(withStatus(responses, 200)).toHaveLength(3);
  expect(new Set(withStatus(responses, 422).map((response) => errorOf(response).reason))).toEqual(
    new Set(["insufficient_balance"]),
  );
  expect(await balanceOf(sandbox, poor.email)).toBe(50n);
});

it("fifty concurrent creations with one idempotency key create one order, and every response returns it", async () => {
  const before = await countRows(sandbox);
  const responses = await callConcurrently(PROCESSES, CONCURRENCY, (process, i) =>
    apis[process].post("/orders", {
      amount: i % 3 ? "10.00" : 10,
      currency: "EUR",
      idempotency_key: "at once",
    }),
  );
  const orders: Order[] = responses.map((response) => readOrder(response, ORDER_CREATED));
  expect(new Set(orders.map((order) => JSON.stringify(order))).size).toBe(1);
  expect(responses.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(
    CONCURRENCY - 1,
  );
  const after = await countRows(sandbox);
  expect(after).toEqual({
    ...before,
    orders: (before.orders ?? 0) + 1,
    idempotency_keys: (before.idempotency_keys ?? 0) + 1,
  });
});

it("concurrent requests with one idempotency key and two bodies create one order, and only the requests with that order's body succeed", async () => {
  const responses = await callConcurrently(PROCESSES, CONCURRENCY, (process, i) =>
    apis[process].post("/orders", {
      amount: i < CONCURRENCY / 2 ? 10 : 11,
      currency: "EUR",
      idempotency_key: "two bodies",
    }),
  );
  const created = new Set(
    withStatus(responses, 200).map((response) => readOrder(response, ORDER_CREATED).order_id),
  );
  expect(created.size).toBe(1);
  expect(withStatus(responses, 200)).toHaveLength(CONCURRENCY / 2);
  expect(withStatus(responses, 409)).toHaveLength(CONCURRENCY / 2);
});

async function createPaidPayment(amount: number): Promise<{ id: string; trxId: string }> {
  const order = await createOrder(apis[0], { amount });
  await openPage(servers[0], paymentTokenOf(order)).act("sandbox-approve");
  const { trx_id } = await getOrder(apis[0], order.order_id);
  return { id: order.order_id, trxId: trx_id ?? "" };
}

it("fifty concurrent refunds with one idempotency key move the money once, and every response returns the refund", async () => {
  const { id, trxId } = await createPaidPayment(50);
  const before = await balanceOf(sandbox, sandbox.access.merchant.client_id);
  const responses = await callConcurrently(PROCESSES, CONCURRENCY, (process) =>
    apis[process].post("/refunds", { transaction_id: trxId, amount: 5, idempotency_key: "refund at once" }),
  );
  const refunds = responses.map((response) => readRefund(response, "Refund created successfully"));
  expect(new Set(refunds.map((refund) => JSON.stringify(refund))).size).toBe(1);
  expect(await balanceOf(sandbox, sandbox.access.merchant.client_id)).toBe(before - 500n);
  expect((await getOrder(apis[0], id)).refunded_amount).toBe(5);
});

it("fifty concurrent partial refunds do not exceed the payment", async () => {
  const { id, trxId } = await createPaidPayment(10);
  const before = await balanceOf(sandbox, sandbox.access.merchant.client_id);
  const responses = await callConcurrently(PROCESSES, CONCURRENCY, (process) =>
    apis[process].post("/refunds", { transaction_id: trxId, amount: 0.3 }),
  );
  expect(withStatus(responses, 200)).toHaveLength(33);
  expect(withStatus(responses, 422)).toHaveLength(CONCURRENCY - 33);
  expect(await getOrder(apis[0], id)).toMatchObject({ status: "PAID", refunded_amount: 9.9 });
  const rest = await callConcurrently(PROCESSES, CONCURRENCY, (process) =>
    apis[process].post("/refunds", { transaction_id: trxId }),
  );
  expect(withStatus(rest, 200)).toHaveLength(1);
  expect(withStatus(rest, 422)).toHaveLength(CONCURRENCY - 1);
  expect(await getOrder(apis[0], id)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
  expect(await balanceOf(sandbox, sandbox.access.merchant.client_id)).toBe(before - 1000n);
  expect((await eventNamesOf(sandbox, id)).filter((name) => name === "pos.order.refunded")).toHaveLength(1);
});

it("a late payment or cancellation by the shopper expires the pending order, with one event", async () => {
  const { context } = servers[0];
  type Late = (checkout: Checkout, session: string | undefined) => Promise<unknown>;
  const late: Late[] = [
    (checkout, session) =>
      payOrder(context, checkout, {}, { session, clientAddress: "192.0.2.7", requestId: "req_page" }),
    (checkout) => approveInSandbox(context, checkout, { requestId: "req_page" }),
    (checkout) => cancelCheckout(context, checkout.order, "req_page"),
  ];
  for (const act of late) {
    const created = await createOrder(apis[0]);
    const page = openPage(servers[0], paymentTokenOf(created));
    await page.signIn(shopper.email, shopper.pin);
    const checkout = await readCheckout(context, paymentTokenOf(created), page.session);
    const { order } = checkout;
    await makeOverdue(sandbox, order.id);
    const rejections = await Promise.allSettled(
      Array.from({ length: 10 }, () => act(checkout, page.session)),
    );
    for (const outcome of rejections)
      expect(outcome).toMatchObject({ status: "rejected", reason: { errorCode: ErrorCode.OrderExpired } });
    expect(await eventNamesOf(sandbox, order.id)).toEqual(["pos.order.expired"]);
    expect((await getOrder(apis[1], order.id)).status).toBe("EXPIRED");
  }
});
