import {
  refundResponseSchema,
  STREAM_ALIVE_EVENT,
  STREAM_ALIVE_MS,
  STREAM_SILENT_MS,
} from "@tillgate/contract";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { openPage, type Page } from "../../support/checkout.js";
import { type EventStream, openStream } from "../../support/event-stream.js";
import { createOrder, getOrder, paidOrder, passExpiry, tokenOf } from "../../support/orders.js";
import { merchantIdOf } from "../../support/parties.js";
import { settleRefund } from "../../support/partner.js";
import { type PayApi, payApi, send, told } from "../../support/requests.js";
import { sandboxOfFile } from "../../support/scene.js";
import { until } from "../../support/until.js";

const refundIdOf = (body: unknown): string => refundResponseSchema.parse(body).data.refund_id;

const TOO_MANY = { status: 429, texts: ["Too many open streams"] };

let here: ApiProcess;
let there: ApiProcess;
let api: PayApi;
let open: EventStream[] = [];

const sandbox = await sandboxOfFile();
beforeAll(async () => {
  const environment = { TILLGATE_STREAMS_AN_ORDER: "3", TILLGATE_STREAMS_AN_ADDRESS: "5" };
  here = await sandbox.startApi({ environment });
  there = await sandbox.startApi({ environment });
  api = payApi(here, sandbox.access.merchant);
});
afterEach(() => {
  for (const stream of open) stream.leave();
  open = [];
});

async function watch(page: Page, headers?: Record<string, string>): Promise<EventStream> {
  const stream = await openStream(page, headers);
  open.push(stream);
  return stream;
}

it("GET /events of the payment page sends the current status first, and changes by other processes within a second", async () => {
  const token = tokenOf(await createOrder(api));
  const stream = await watch(openPage(here, token));
  expect(stream.status).toBe(200);
  expect(stream.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(stream.headers.get("cache-control")).toBe("no-cache, no-transform");
  const first = await until("the current state is told", () => stream.seen[0]);
  expect(first).toMatchObject({ status: "PENDING", version: 1 });
  expect(first.expires_in_ms).toBeGreaterThan(200_000);

  await openPage(there, token).act("sandbox-approve");
  const paidAt = performance.now();
  const paid = await until("the payment is told", () => stream.seen[1]);
  expect(paid).toMatchObject({ status: "PAID", version: 2 });
  expect(paid.at - paidAt).toBeLessThan(1000);
  await stream.ended;
  expect(stream.seen).toHaveLength(2);
});

it("GET /events of the payment page sends a cancellation and an expiry, and ends the stream", async () => {
  const cancelled = await createOrder(api);
  const first = await watch(openPage(here, tokenOf(cancelled)));
  await payApi(there, sandbox.access.merchant).post(`/orders/${cancelled.order_id}/cancel`);
  await first.ended;
  expect(first.seen.at(-1)).toMatchObject({ status: "CANCELLED", version: 2 });

  const expired = await createOrder(api);
  const second = await watch(openPage(here, tokenOf(expired)));
  await until("the stream has begun", () => second.seen[0]);
  await passExpiry(sandbox, expired.order_id);
  await getOrder(payApi(there, sandbox.access.merchant), expired.order_id);
  await second.ended;
  expect(second.seen.at(-1)).toMatchObject({ status: "EXPIRED", expires_in_ms: 0 });
});

it("GET /events of the payment page sends a keep-alive event immediately and again within 15 seconds", async () => {
  const stream = await watch(openPage(here, tokenOf(await createOrder(api))), { "last-event-id": "1" });
  await until("the first sign of life", () => stream.names[0]);
  const began = performance.now();
  await until("the second sign of life", () => stream.names[1], 20_000);
  expect(performance.now() - began).toBeGreaterThan(STREAM_ALIVE_MS - 2000);
  // Nothing had changed for a reader who knew this version.
  expect(stream.names).toEqual([STREAM_ALIVE_EVENT, STREAM_ALIVE_EVENT]);
  expect(STREAM_SILENT_MS).toBeGreaterThan(STREAM_ALIVE_MS + 5000);
});

it("GET /events of the payment page follows a pending refund until it is decided, then ends", async () => {
  const { access, database } = sandbox;
  const { orderId, trxId } = await paidOrder(here, api);
  const id = await merchantIdOf(sandbox, access.merchant.client_id);
  const need = (refundsNeedApproval: boolean) =>
    database.prisma.merchant.update({ where: { id }, data: { refundsNeedApproval } });
  await need(true);
  const { body } = await api.post("/refunds", { transaction_id: trxId });
  await need(false);
  const order = await getOrder(api, orderId);
  const stream = await watch(openPage(here, tokenOf(order)));
  expect(await until("the refund is told", () => stream.seen[0])).toMatchObject({ status: "REFUND_PENDING" });
  await settleRefund(sandbox, refundIdOf(body), true);
  await stream.ended;
  expect(stream.seen.map(({ status }) => status)).toEqual(["REFUND_PENDING", "REFUNDED"]);
});

it("GET /events of the payment page sends a settled order once and ends", async () => {
  const page = openPage(here, tokenOf(await createOrder(api)));
  await page.act("cancel");
  const stream = await watch(page);
  await stream.ended;
  expect(stream.seen.map(({ status }) => status)).toEqual(["CANCELLED"]);
});

it("GET /events of the payment page sends a reconnecting client what it missed, and nothing twice", async () => {
  const page = openPage(here, tokenOf(await createOrder(api)));
  const waiting = await watch(page, { "last-event-id": "1" });
  await page.act("sandbox-approve");
  await waiting.ended;
  expect(waiting.seen.map(({ version }) => version)).toEqual([2]);
  const late = await watch(page, { "last-event-id": "1" });
  await late.ended;
  expect(late.seen.map(({ version }) => version)).toEqual([2]);
  for (const nonsense of ["x", "-1", "1e999", "9".repeat(500)])
    await (await watch(page, { "last-event-id": nonsense })).ended;
});

it("streams per order are limited, and a closed one frees a slot", async () => {
  const token = tokenOf(await createOrder(api));
  const streams: EventStream[] = [];
  for (let i = 0; i < 3; i += 1) streams.push(await watch(openPage(here, token)));
  const page = openPage(here, token);
  const refused = await send(`${page.address}/events`, { headers: page.headers() });
  expect(told(refused)).toEqual(TOO_MANY);
  expect(refused.headers.get("retry-after")).toBe("5");
  streams[0]?.leave();
  await until("a place is free", async () => (await watch(openPage(here, token))).status === 200);
});

it("streams per client address are limited across orders; a rejected one takes no slot of its order", async () => {
  const clientAddress = "203.0.113.50";
  const mine = [];
  for (let i = 0; i < 5; i += 1)
    mine.push(await watch(openPage(here, tokenOf(await createOrder(api)), { clientAddress })));
  const token = tokenOf(await createOrder(api));
  for (let i = 0; i < 4; i += 1) {
    const page = openPage(here, token, { clientAddress });
    expect(told(await send(`${page.address}/events`, { headers: page.headers() }))).toEqual(TOO_MANY);
  }
  for (let i = 0; i < 3; i += 1) expect((await watch(openPage(here, token))).status).toBe(200);
});

it("a client that disconnects before the stream has started leaves no slot taken", async () => {
  const page = openPage(here, tokenOf(await createOrder(api)));
  for (let i = 0; i < 20; i += 1) {
    const leaving = new AbortController();
    const asked = fetch(`${page.address}/events`, { headers: page.headers(), signal: leaving.signal });
    setImmediate(() => leaving.abort());
    await asked.then((response) => response.body?.cancel()).catch(() => {});
  }
  await until("all places are free", async () => {
    const streams = await Promise.all([watch(page), watch(page), watch(page)]);
    if (streams.every(({ status }) => status === 200)) return true;
    for (const stream of streams) stream.leave();
    return false;
  });
});

it("a settled order frees its stream slots", async () => {
  const page = openPage(here, tokenOf(await createOrder(api)));
  const streams = [await watch(page), await watch(page), await watch(page)];
  await page.act("sandbox-approve");
  await Promise.all(streams.map(({ ended }) => ended));
  expect((await watch(page)).status).toBe(200);
});

it("GET /events of the payment page answers 404 for an unknown order", async () => {
  const page = openPage(here, "nothing");
  expect(told(await send(`${page.address}/events`, { headers: page.headers() }))).toEqual({
    status: 404,
    texts: ["Order not found"],
    reason: "not_found",
  });
});
