import {
  consoleOrderChangedResponseSchema,
  consoleOrderListResponseSchema,
  consoleOrderResponseSchema,
  consoleRefundResponseSchema,
  consoleTimelineResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { writeRequests } from "../../../src/platform/write-requests.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, createPaidOrder, paymentTokenOf } from "../../support/orders.js";
import { errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { type ConsoleClient, createConsoleParties, dataOf, merchantConsole } from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
let shop: ConsoleClient;
let user: string;
let paid: { orderId: string; trxId: string };
const ids: string[] = [];

beforeAll(async () => {
  ({ user } = await createConsoleParties(sandbox));
  shop = merchantConsole(server, { user, merchantId });
  for (let i = 0; i < 5; i += 1)
    ids.unshift((await createOrder(api, { reference: `cart ${i}`, amount: 10 + i })).order_id);
  paid = await createPaidOrder(server, api, {
    reference: "paid cart",
    amount: 40,
    callback_url: "https://shop.example/hook",
  });
  ids.unshift(paid.orderId);
});

const list = async (query: Record<string, string> = {}) =>
  dataOf(consoleOrderListResponseSchema, await shop.get("/orders", query));
const idsOf = async (query: Record<string, string> = {}) =>
  (await list(query)).items.map(({ order_id }) => order_id);

describe("GET /orders of the console", () => {
  it("pages forward and back, unaffected by new orders", async () => {
    const first = await list({ per_page: "2" });
    expect(first).toMatchObject({ previous: null, partial: false });
    expect(first.items.map(({ order_id }) => order_id)).toEqual(ids.slice(0, 2));
    const added = (await createOrder(api)).order_id;
    const second = await list({ per_page: "2", before: first.next ?? "" });
    expect(second.items.map(({ order_id }) => order_id)).toEqual(ids.slice(2, 4));
    expect(await idsOf({ per_page: "2", before: second.next ?? "" })).toEqual(ids.slice(4, 6));
    expect((await list({ per_page: "2", before: ids[3] ?? "" })).next).toBe(null);
    const back = await list({ per_page: "2", after: second.previous ?? "" });
    expect(back.items.map(({ order_id }) => order_id)).toEqual(ids.slice(0, 2));
    expect(await idsOf({ after: back.previous ?? "" })).toEqual([added]);
    ids.unshift(added);
  });

  it.each([
    ["created_at", (rows: string[]) => rows.toReversed()],
    ["-created_at", (rows: string[]) => rows],
  ])("pages forward and back when sorted by %s", async (sort, sorted) => {
    const all = sorted(await idsOf({ status: "PENDING" }));
    const query = { sort, status: "PENDING", per_page: "2" };
    const first = await list(query);
    const second = await list({ ...query, before: first.next ?? "" });
    expect([...first.items, ...second.items].map(({ order_id }) => order_id)).toEqual(all.slice(0, 4));
    expect(await idsOf({ ...query, after: second.previous ?? "" })).toEqual(all.slice(0, 2));
  });

  it.each([
    [
      "-amount",
      [
        ["EUR", "40.00"],
        ["EUR", "14.00"],
        ["EUR", "13.00"],
        ["EUR", "12.00"],
      ],
    ],
    [
      "amount",
      [
        ["EUR", "10.00"],
        ["EUR", "11.00"],
        ["EUR", "12.00"],
        ["EUR", "13.00"],
      ],
    ],
  ])("pages forward and back when sorted by %s", async (sort, expected) => {
    const query = { sort, min_amount: "10", max_amount: "40", per_page: "2" };
    const own = await idsOf({ ...query, per_page: "100" });
    const first = await list(query);
    const second = await list({ ...query, before: first.next ?? "" });
    const both = [...first.items, ...second.items];
    const places = both.map(({ order_id }) => own.indexOf(order_id));
    expect(places).toEqual([0, 1, 2, 3]);
    expect(both.map(({ money }) => [money.currency, money.amount])).toEqual(expected);
    expect((await list({ ...query, after: second.previous ?? "" })).items).toEqual(first.items);
    expect([first.partial, first.previous]).toEqual([false, null]);
    const last = await list({ ...query, before: own.at(-1) ?? "" });
    expect([last.items, last.next]).toEqual([[], null]);
  });

  it("filters by status, method, currency, amount and day", async () => {
    expect(await idsOf({ status: "PAID" })).toEqual([paid.orderId]);
    expect(await idsOf({ method: "qr_only" })).toEqual([]);
    expect(await idsOf({ currency: "USD" })).toEqual([]);
    expect((await idsOf({ currency: "EUR", method: "both" })).length).toBe(ids.length);
    expect(await idsOf({ min_amount: "13", max_amount: "40.00" })).toEqual([paid.orderId, ids[2], ids[3]]);
    expect(await idsOf({ min_amount: "13.01", max_amount: "39.99" })).toEqual([ids[2]]);
    expect(await idsOf({ to: "2020-01-01" })).toEqual([]);
  });

  it.each([
    ["its ID in lower case", () => paid.orderId.toLowerCase()],
    ["its transaction ID", () => paid.trxId],
    ["its reference", () => "paid cart"],
  ])("finds an order by %s", async (_, q) => {
    expect(await idsOf({ q: q() })).toEqual([paid.orderId]);
    expect(await idsOf({ q: `${q()}x` })).toEqual([]);
  });

  it("sorts amounts within their currency, and exports them in the same order", async () => {
    await createOrder(api, { reference: "dollars", amount: 1000, currency: "USD" });
    const sorted = await list({ sort: "-amount", per_page: "100" });
    const expected = sorted.items.map(({ money }) => `${money.currency},${money.amount}`);
    expect(expected[0]).toBe("USD,1000.00");
    expect(expected[1]).toMatch(/^EUR,/);
    const eur = expected.slice(1).map((item) => Number(item.slice(4)));
    expect(eur).toEqual(eur.toSorted((item, other) => other - item));
    const { text } = await shop.get("/orders.csv", { sort: "-amount", columns: "currency,amount" });
    expect(text.trim().split("\r\n").slice(1)).toEqual(expected);
  });

  it("sorts equal amounts by time, across pages", async () => {
    const equal: string[] = [];
    for (let i = 0; i < 3; i += 1)
      equal.push((await createOrder(api, { amount: 2_000, currency: "USD" })).order_id);
    for (const [sort, expected] of [
      ["amount", equal],
      ["-amount", equal.toReversed()],
    ] as const) {
      const query = { sort, currency: "USD", min_amount: "2000", per_page: "2" };
      const first = await list(query);
      const second = await list({ ...query, before: first.next ?? "" });
      expect([...first.items, ...second.items].map(({ order_id }) => order_id)).toEqual(expected);
    }
  });

  it("reports every invalid filter", async () => {
    const { fields } = errorOf(
      await shop.get("/orders", {
        status: "DONE",
        min_amount: "-1",
        before: "",
        from: "soon",
        per_page: "0",
        sort: "reference",
      }),
    );
    expect(Object.keys(fields ?? {}).sort()).toEqual([
      "before",
      "from",
      "min_amount",
      "per_page",
      "sort",
      "status",
    ]);
    expect(errorOf(await shop.get("/orders", { before: "POS-1" })).fields).toEqual({
      before: ["The before field must be a cursor from an earlier response"],
    });
  });
});

describe("order page of the console", () => {
  it("shows the API request that cancelled the order", async () => {
    const { order_id } = await createOrder(api);
    const cancelled = await api.post(`/orders/${order_id}/cancel`);
    const { entries } = dataOf(consoleTimelineResponseSchema, await shop.get(`/orders/${order_id}/timeline`));
    expect(entries.find(({ kind }) => kind === "order.cancelled")).toMatchObject({
      request_id: cancelled.headers.get("x-request-id"),
    });
  });

  const asShopper = async (page: CheckoutPage) => {
    const { email, pin } = sandbox.access.shoppers[0] ?? { email: "", pin: "" };
    await page.signIn(email, pin);
    return page.pay();
  };
  it.each([
    ["is paid by a wallet", "order.paid", asShopper],
    ["is approved in the sandbox", "order.paid", (page: CheckoutPage) => page.act("sandbox-approve")],
    ["is cancelled", "order.cancelled", (page: CheckoutPage) => page.act("cancel")],
  ] as const)("shows the request of the payment page when the order %s", async (_, kind, step) => {
    const order = await createOrder(api);
    const response = await step(openPage(server, paymentTokenOf(order)));
    const { entries } = dataOf(
      consoleTimelineResponseSchema,
      await shop.get(`/orders/${order.order_id}/timeline`),
    );
    expect(entries.find((entry) => entry.kind === kind)).toMatchObject({
      request_id: response.headers.get("x-request-id"),
    });
  });

  it("creates one refund per idempotency key, shows the refundable amount, and records the author and the reason in the audit log", async () => {
    const refund = { amount: "15.5", reason: "Came broken", idempotency_key: "form 1" };
    const first = dataOf(
      consoleRefundResponseSchema,
      await shop.post(`/orders/${paid.orderId}/refunds`, refund),
    );
    expect(first).toMatchObject({ status: "completed", money: { amount: "15.50", currency: "EUR" } });
    const again = await shop.post(`/orders/${paid.orderId}/refunds`, refund);
    expect(dataOf(consoleRefundResponseSchema, again)).toEqual(first);
    const order = dataOf(consoleOrderResponseSchema, await shop.get(`/orders/${paid.orderId}`));
    expect(order).toMatchObject({
      status: "PARTLY_REFUNDED",
      refunded: { amount: "15.50" },
      refundable: { amount: "24.50", currency: "EUR" },
      refunds: [first],
      cancellable: false,
      payer: { name: "Test shopper" },
    });
    const records = await sandbox.database.prisma.auditRecord.findMany({
      where: { subject: first.refund_id },
    });
    expect(records).toMatchObject([
      { action: "refund.create", merchantId, administratorId: user, administrator: expect.any(String) },
    ]);
    expect(JSON.parse(records[0]?.details ?? "")).toMatchObject({
      mode: "sandbox",
      order_id: paid.orderId,
      amount_minor: "1550",
      currency: "EUR",
      reason: "Came broken",
      request_id: expect.stringMatching(/^req_/),
    });
  });

  it("rejects an invalid refund and writes nothing", async () => {
    const refund = (orderId: string | undefined, fields: object) =>
      expectNoWrites(sandbox, async () => errorOf(await shop.post(`/orders/${orderId}/refunds`, fields)));
    const key = { idempotency_key: "form 2" };
    expect(await refund(paid.orderId, { amount: 24.51, ...key })).toMatchObject({ status: 422 });
    expect(await refund(paid.orderId, { amount: "1.001", reason: "x".repeat(501) })).toMatchObject({
      status: 400,
      fields: {
        amount: expect.anything(),
        reason: expect.anything(),
        idempotency_key: ["The idempotency_key field is required"],
      },
    });
    expect(await refund(ids.at(-1), key)).toMatchObject({ status: 404, texts: ["Transaction not found"] });
  });

  it("cancels a pending order once, and attributes the cancellation to the user", async () => {
    const id = ids.at(-1) ?? "";
    const cancel = () => shop.post(`/orders/${id}/cancel`, { reason: "Typed twice" });
    expect(dataOf(consoleOrderChangedResponseSchema, await cancel())).toMatchObject({
      order_id: id,
      status: "CANCELLED",
    });
    expect(errorOf(await cancel())).toMatchObject({ status: 422 });
    const { entries } = dataOf(consoleTimelineResponseSchema, await shop.get(`/orders/${id}/timeline`));
    expect(entries.map(({ kind }) => kind)).toEqual(["order.created", "order.cancelled", "event", "action"]);
    expect(entries.find(({ kind }) => kind === "action")).toMatchObject({
      action: "order.cancel",
      reason: "Typed twice",
      user: sandbox.access.merchant_user.email,
    });
  });

  it("lists the order's status changes, refunds, transfers, events, deliveries and console actions in chronological order", async () => {
    const { entries, more } = dataOf(
      consoleTimelineResponseSchema,
      await shop.get(`/orders/${paid.orderId}/timeline`),
    );
    expect(more).toBe(false);
    expect([...entries].sort((a, b) => a.at.localeCompare(b.at))).toEqual(entries);
    const kinds = new Map(entries.map((entry) => [entry.kind, entry]));
    expect(entries.map(({ kind }) => kind)).toEqual([
      ...["order.created", "order.paid", "transfer", "event", "delivery"],
      ...["refund.created", "refund.completed", "transfer", "event", "delivery", "action"],
    ]);
    expect(kinds.get("transfer")).toMatchObject({
      action: "refund",
      lines: [
        { account: "merchant", money: { amount: "-15.50", currency: "EUR" } },
        { account: "shopper", money: { amount: "15.50", currency: "EUR" } },
      ],
    });
    const second = await api.post("/refunds", { transaction_id: paid.trxId, amount: 1 });
    const { entries: later } = dataOf(
      consoleTimelineResponseSchema,
      await shop.get(`/orders/${paid.orderId}/timeline`),
    );
    expect(later.findLast(({ kind }) => kind === "refund.created")).toMatchObject({
      request_id: second.headers.get("x-request-id"),
      client_id: sandbox.access.merchant.client_id,
    });
    expect(kinds.get("order.created")?.client_id).toBe(sandbox.access.merchant.client_id);
    expect(entries.filter(({ kind }) => kind === "event").map(({ event }) => event)).toEqual([
      "pos.order.paid",
      "refund.completed",
    ]);
  });

  it("lists API requests that created, changed or tried to change the order, but no reads", async () => {
    const { order_id } = await createOrder(api);
    const path = `/orders/${order_id}`;
    await api.get(path);
    const cancelled = await api.post(`${path}/cancel`);
    const again = await api.post(`${path}/cancel`);
    await createOrder(api);
    await writeRequests(sandbox.database.pool, server.context.memory.requestLog);
    const readAll = async (of: ConsoleClient) =>
      dataOf(consoleTimelineResponseSchema, await of.get(`${path}/timeline`)).entries;
    const read = async (of: ConsoleClient) => (await readAll(of)).filter(({ kind }) => kind === "request");
    // Requests are logged at their end but listed before their effects.
    expect((await readAll(shop)).map(({ kind }) => kind)).toEqual([
      ...["request", "order.created", "request", "order.cancelled", "event", "request"],
    ]);
    const calls = await read(shop);
    expect(calls.map(({ action, http_status }) => [action, http_status])).toEqual([
      ["POST /pay/sandbox/api/v1/orders", 200],
      [`POST /pay/sandbox/api/v1${path}/cancel`, cancelled.status],
      [`POST /pay/sandbox/api/v1${path}/cancel`, again.status],
    ]);
    expect(calls[2]).toMatchObject({
      request_id: again.headers.get("x-request-id"),
      client_id: sandbox.access.merchant.client_id,
      likely_cause: null,
    });
    // Log entries of another merchant about the same ID are hidden.
    const { other_merchant } = sandbox.access;
    await sandbox.database.pool.query(
      `UPDATE api_requests SET merchant_id = (SELECT id FROM merchants WHERE name = $1) WHERE request_id = $2`,
      [other_merchant.name, again.headers.get("x-request-id")],
    );
    expect(await read(shop)).toHaveLength(2);
  });

  it("shows the action and the order status that the shop reported", async () => {
    const { orderId } = await createPaidOrder(server, api, { callback_url: "https://shop.example/hook" });
    await sandbox.executeAsSuperuser(
      `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, answer_start, request_headers)
       SELECT d.id, 1, now(), 12, 200, '{"outcome":"applied","order_status":"processing"}', '{}'
       FROM deliveries d JOIN events e ON e.id = d.event_id WHERE e.order_id = '${orderId}'`,
    );
    const { entries } = dataOf(consoleTimelineResponseSchema, await shop.get(`/orders/${orderId}/timeline`));
    expect(entries.find(({ kind }) => kind === "attempt")).toMatchObject({
      http_status: 200,
      shop_step: "applied",
      shop_order_status: "processing",
    });
  });
});
