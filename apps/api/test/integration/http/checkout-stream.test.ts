import {
  refundResponseSchema,
  STREAM_ALIVE_EVENT,
  STREAM_ALIVE_MS,
  STREAM_SILENT_MS,
} from "@tillgate/contract";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { type EventStream, openStream } from "../../support/event-stream.js";
import { createOrder, createPaidOrder, getOrder, makeOverdue, paymentTokenOf } from "../../support/orders.js";
import { merchantIdOf } from "../../support/parties.js";
import { decideRefund } from "../../support/partner.js";
import { errorOf, type PayApi, payApi, send } from "../../support/requests.js";
import { createTestSandbox } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const refundIdOf = (body: unknown): string => refundResponseSchema.parse(body).data.refund_id;

const TOO_MANY = { status: 429, texts: ["Too many open streams"] };

let firstApi: ApiProcess;
let secondApi: ApiProcess;
let api: PayApi;
let open: EventStream[] = [];

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const environment = { TILLGATE_STREAMS_PER_ORDER: "3", TILLGATE_STREAMS_PER_IP_ADDRESS: "5" };
  firstApi = await sandbox.startApi({ environment });
  secondApi = await sandbox.startApi({ environment });
  api = payApi(firstApi, sandbox.access.merchant);
});
afterEach(() => {
  for (const stream of open) stream.close();
  open = [];
});

async function openTracked(page: CheckoutPage, headers?: Record<string, string>): Promise<EventStream> {
  const stream = await openStream(page, headers);
  open.push(stream);
  return stream;
}

it("GET /events of the payment page sends the current status first, and changes by other processes without waiting for a poll", async () => {
  const token = paymentTokenOf(await createOrder(api));
  const stream = await openTracked(openPage(firstApi, token));
  expect(stream.status).toBe(200);
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
  const first = await waitUntil("the current status arrives", () => stream.statuses[0]);
  expect(first).toMatchObject({ status: "PENDING", version: 1 });
  expect(first.expires_in_ms).toBeGreaterThan(200_000);

  await openPage(secondApi, token).act("sandbox-approve");
  const paidAt = performance.now();
  const paid = await waitUntil("the payment arrives", () => stream.statuses[1]);
  expect(paid).toMatchObject({ status: "PAID", version: 2 });
  // The delay is below the stream's polling interval, so a change notification arrived.
  expect(paid.at - paidAt).toBeLessThan(2_500);
  await stream.ended;
  expect(stream.statuses).toHaveLength(2);
});

it("GET /events of the payment page reports a cancellation or an expiry, then ends", async () => {
  const cancelled = await createOrder(api);
  const first = await openTracked(openPage(firstApi, paymentTokenOf(cancelled)));
  await payApi(secondApi, sandbox.access.merchant).post(`/orders/${cancelled.order_id}/cancel`);
  await first.ended;
  expect(first.statuses.at(-1)).toMatchObject({ status: "CANCELLED", version: 2 });

  const expired = await createOrder(api);
  const second = await openTracked(openPage(firstApi, paymentTokenOf(expired)));
  await waitUntil("the stream has started", () => second.statuses[0]);
  await makeOverdue(sandbox, expired.order_id);
  await getOrder(payApi(secondApi, sandbox.access.merchant), expired.order_id);
  await second.ended;
  expect(second.statuses.at(-1)).toMatchObject({ status: "EXPIRED", expires_in_ms: 0 });
});

it("GET /events of the payment page sends a keep-alive event immediately and again after about 15 seconds", async () => {
  const stream = await openTracked(openPage(firstApi, paymentTokenOf(await createOrder(api))), {
    "last-event-id": "1",
  });
  await waitUntil("the first keep-alive arrives", () => stream.eventNames[0]);
  const began = performance.now();
  await waitUntil("the second keep-alive arrives", () => stream.eventNames[1], 20_000);
  expect(performance.now() - began).toBeGreaterThan(STREAM_ALIVE_MS - 2000);
  // Nothing changed since the client's version.
  expect(stream.eventNames).toEqual([STREAM_ALIVE_EVENT, STREAM_ALIVE_EVENT]);
  expect(STREAM_SILENT_MS).toBeGreaterThan(STREAM_ALIVE_MS + 5000);
});

it("GET /events of the payment page follows a pending refund until it is decided, then ends", async () => {
  const { access, database } = sandbox;
  const { orderId, trxId } = await createPaidOrder(firstApi, api);
  const id = await merchantIdOf(sandbox, access.merchant.client_id);
  const need = (refundsNeedApproval: boolean) =>
    database.prisma.merchant.update({ where: { id }, data: { refundsNeedApproval } });
  await need(true);
  const { body } = await api.post("/refunds", { transaction_id: trxId });
  await need(false);
  const order = await getOrder(api, orderId);
  const stream = await openTracked(openPage(firstApi, paymentTokenOf(order)));
  expect(await waitUntil("the refund arrives", () => stream.statuses[0])).toMatchObject({
    status: "REFUND_PENDING",
  });
  await decideRefund(sandbox, refundIdOf(body), true);
  await stream.ended;
  expect(stream.statuses.map(({ status }) => status)).toEqual(["REFUND_PENDING", "REFUNDED"]);
});

it("GET /events of the payment page sends the status of an order in a final state once and ends", async () => {
  const page = openPage(firstApi, paymentTokenOf(await createOrder(api)));
  await page.act("cancel");
  const stream = await openTracked(page);
  await stream.ended;
  expect(stream.statuses.map(({ status }) => status)).toEqual(["CANCELLED"]);
});

it("GET /events of the payment page sends a reconnecting client only the changes after its last event", async () => {
  const page = openPage(firstApi, paymentTokenOf(await createOrder(api)));
  const waiting = await openTracked(page, { "last-event-id": "1" });
  await page.act("sandbox-approve");
  await waiting.ended;
  expect(waiting.statuses.map(({ version }) => version)).toEqual([2]);
  const late = await openTracked(page, { "last-event-id": "1" });
  await late.ended;
  expect(late.statuses.map(({ version }) => version)).toEqual([2]);
  for (const nonsense of ["x", "-1", "1e999", "9".repeat(500)])
    await (await openTracked(page, { "last-event-id": nonsense })).ended;
});

it("streams of an order are limited, and a closed stream frees a slot", async () => {
  const token = paymentTokenOf(await createOrder(api));
  const streams: EventStream[] = [];
  for (let i = 0; i < 3; i += 1) streams.push(await openTracked(openPage(firstApi, token)));
  const page = openPage(firstApi, token);
  const rejected = await send(`${page.address}/events`, { headers: page.headers() });
  expect(errorOf(rejected)).toEqual(TOO_MANY);
  expect(rejected.headers.get("retry-after")).toBe("5");
  streams[0]?.close();
  await waitUntil(
    "a slot is free",
    async () => (await openTracked(openPage(firstApi, token))).status === 200,
  );
});

it("streams per client address are limited across orders; a rejected stream takes no slot of its order", async () => {
  const clientAddress = "203.0.113.50";
  const mine = [];
  for (let i = 0; i < 5; i += 1)
    mine.push(
      await openTracked(openPage(firstApi, paymentTokenOf(await createOrder(api)), { clientAddress })),
    );
  const token = paymentTokenOf(await createOrder(api));
  for (let i = 0; i < 4; i += 1) {
    const page = openPage(firstApi, token, { clientAddress });
    expect(errorOf(await send(`${page.address}/events`, { headers: page.headers() }))).toEqual(TOO_MANY);
  }
  for (let i = 0; i < 3; i += 1) expect((await openTracked(openPage(firstApi, token))).status).toBe(200);
});

it("a client that disconnects before the stream has started takes no slot", async () => {
  const page = openPage(firstApi, paymentTokenOf(await createOrder(api)));
  for (let i = 0; i < 20; i += 1) {
    const leaving = new AbortController();
    const streamResponse = fetch(`${page.address}/events`, {
      headers: page.headers(),
      signal: leaving.signal,
    });
    setImmediate(() => leaving.abort());
    await streamResponse.then((response) => response.body?.cancel()).catch(() => {});
  }
  await waitUntil("all slots are free", async () => {
    const streams = await Promise.all([openTracked(page), openTracked(page), openTracked(page)]);
    if (streams.every(({ status }) => status === 200)) return true;
    for (const stream of streams) stream.close();
    return false;
  });
});

it("an order in a final state frees its stream slots", async () => {
  const page = openPage(firstApi, paymentTokenOf(await createOrder(api)));
  const streams = [await openTracked(page), await openTracked(page), await openTracked(page)];
  await page.act("sandbox-approve");
  await Promise.all(streams.map(({ ended }) => ended));
  expect((await openTracked(page)).status).toBe(200);
});

it("GET /events of the payment page returns 404 for an unknown order", async () => {
  const page = openPage(firstApi, "nothing");
  expect(errorOf(await send(`${page.address}/events`, { headers: page.headers() }))).toEqual({
    status: 404,
    texts: ["Order not found"],
    reason: "not_found",
  });
});
