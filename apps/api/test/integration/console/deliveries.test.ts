import {
  backfillResponseSchema,
  consoleEventListResponseSchema,
  consoleEventResponseSchema,
  deliveryListResponseSchema,
  deliveryResponseSchema,
  missedEventsResponseSchema,
  receiverSecretResponseSchema,
  replayListResponseSchema,
  replayPreviewResponseSchema,
  replayResponseSchema,
  resendFailedResponseSchema,
  resendResponseSchema,
  timelineResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder } from "../../support/orders.js";
import { errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

let parties: ConsoleParties;
let api: ConsoleClient;
let shop: PayApi;
let receiverId: string;
/** IDs of cancelled orders, oldest first. */
const orders: string[] = [];

const addReceiver = async (address: string) =>
  dataOf(
    receiverSecretResponseSchema,
    await api.post("/receivers", { address, events: ["pos.order.cancelled"] }),
  ).receiver_id;

async function cancelOrder(fields: Record<string, unknown> = {}, by = shop): Promise<string> {
  const { order_id } = await createOrder(by, fields);
  expect((await by.post(`/orders/${order_id}/cancel`)).status).toBe(200);
  return order_id;
}

const execute = (sql: string, values: unknown[] = []) => sandbox.database.pool.query(sql, values);

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  api = merchantConsole(server, parties);
  shop = payApi(server, sandbox.access.merchant);
  receiverId = await addReceiver("https://shop.example/hook");
  for (let i = 0; i < 5; i++) orders.push(await cancelOrder());
  const ofOther = { callback_url: "https://other.example/callback" };
  await cancelOrder(ofOther, payApi(server, sandbox.access.other_merchant));
});

const deliveries = async (query: Record<string, string> = {}) =>
  dataOf(deliveryListResponseSchema, await api.get(`/receivers/${receiverId}/deliveries`, query));
const events = async (query: Record<string, string> = {}) =>
  dataOf(consoleEventListResponseSchema, await api.get("/events", query));

/** Reads a whole list in pages of two. @returns its items */
async function allPages<Item>(
  read: (query: Record<string, string>) => Promise<{ next?: unknown }>,
  items: (page: { next?: unknown }) => Item[],
): Promise<Item[]> {
  const found: Item[] = [];
  let before: string | undefined;
  do {
    const page = await read({ per_page: "2", ...(before === undefined ? {} : { before }) });
    expect(items(page).length).toBeLessThanOrEqual(2);
    found.push(...items(page));
    before = typeof page.next === "string" ? page.next : undefined;
  } while (before !== undefined);
  return found;
}

const listed = (name: string) => (page: object) => {
  const items: unknown = Reflect.get(page, name);
  if (!Array.isArray(items)) throw new Error(`the page has no ${name}`);
  return items;
};

describe("console delivery lists", () => {
  it("list only the merchant's events, newest first, page by page without gaps", async () => {
    const all = await allPages(events, listed("events"));
    expect(all.map(({ order_id }) => order_id)).toEqual([...orders].reverse());
  });

  it("list an endpoint's deliveries newest first, page by page, and only failed deliveries on request", async () => {
    const all = await allPages(deliveries, listed("deliveries"));
    expect(all).toHaveLength(orders.length);
    const created = all.map(({ created_at }) => created_at);
    expect(created).toEqual([...created].sort().reverse());
    const [newest] = all;
    await execute(
      "UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'attempts_over' WHERE id = $1",
      [newest.delivery_id],
    );
    const failed = listed("deliveries")(await deliveries({ status: "failed" }));
    expect(failed).toMatchObject([{ delivery_id: newest.delivery_id, given_up_because: "attempts_over" }]);
  });

  it("list the timeline newest first, each entry with its likely cause", async () => {
    await execute(
      `INSERT INTO timeline_entries (merchant_id, mode, kind, receiver_id, details)
       SELECT $1, 'sandbox', 'receiver.warning', $2, jsonb_build_object('error_kind', 'status', 'http_status', s) FROM unnest(ARRAY[401, 404, 500]) s`,
      [parties.merchantId, receiverId],
    );
    await execute(
      "INSERT INTO timeline_entries (merchant_id, mode, kind, details) VALUES ($1, 'sandbox', 'delivery.given_up', '{}')",
      [parties.otherId],
    );
    const read = async (query: Record<string, string>) =>
      dataOf(timelineResponseSchema, await api.get("/timeline", query));
    const all = await allPages(read, listed("entries"));
    expect(all.map(({ details }) => details.http_status)).toEqual([500, 404, 401]);
    expect(all[2].likely_cause).toContain("uses the current secret");
    for (const { likely_cause } of all) expect(likely_cause).toMatch(/./);
  });

  it.each([
    ["/events", "before", "evt_none", "must be a cursor from an earlier response"],
    ["/timeline", "before", "x", "must be a cursor from an earlier response"],
    ["/timeline", "before", "", "must be a cursor from an earlier response"],
    ["/events", "per_page", "0", "must be a whole number from 1 to 100"],
    ["/events", "per_page", "101", "must be a whole number from 1 to 100"],
    [
      "deliveries",
      "before",
      "00000000-0000-4000-8000-000000000000",
      "must be a cursor from an earlier response",
    ],
    ["deliveries", "status", "delivered", "must be failed"],
  ])("reject %s?%s=%s", async (path, field, value, rest) => {
    const address = path === "deliveries" ? `/receivers/${receiverId}/deliveries` : path;
    expect(errorOf(await api.get(address, { [field]: value }))).toEqual(fieldError(field, rest));
  });
});

describe("event and delivery details", () => {
  it("show every destination, including the order's callback_url, and each attempt with its likely cause", async () => {
    const order = await cancelOrder({ callback_url: "https://shop.example/callback" });
    const [event] = listed("events")(await events());
    const shown = dataOf(consoleEventResponseSchema, await api.get(`/events/${event.id}`));
    expect(shown).toMatchObject({ order_id: order, body: event.body });
    expect(shown.deliveries.map(({ address, receiver_id }) => [address, receiver_id]).sort()).toEqual([
      ["https://shop.example/callback", null],
      ["https://shop.example/hook", receiverId],
    ]);
    const id = shown.deliveries[0]?.delivery_id ?? "";
    await execute(
      `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, error_kind, answer_start, request_headers)
       VALUES ($1, 1, now(), 20, 404, 'status', 'nothing here', '{}'), ($1, 2, now(), 30, NULL, 'dns', NULL, '{}')`,
      [id],
    );
    const { history } = dataOf(deliveryResponseSchema, await api.get(`/deliveries/${id}`));
    expect(history).toMatchObject([
      { number: 2, error: "dns", likely_cause: expect.stringContaining("resolve") },
      {
        number: 1,
        http_status: 404,
        answer_start: "nothing here",
        likely_cause: expect.stringContaining("nothing at this URL"),
      },
    ]);
  });
});

describe("missed events of an endpoint", () => {
  it("are counted, and each is sent once", async () => {
    const late = await addReceiver("https://shop.example/late");
    const count = async (query = {}) =>
      dataOf(missedEventsResponseSchema.strict(), await api.get(`/receivers/${late}/missed`, query));
    const missed = await count();
    expect(missed).toMatchObject({ given_up: 0, more: false, first: expect.any(String) });
    expect(missed.never_sent).toBeGreaterThan(0);
    expect(await count({ to: "2020-01-01T00:00:00Z" })).toMatchObject({ never_sent: 0, first: null });
    const range = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };
    const sendMissed = async () =>
      dataOf(backfillResponseSchema.strict(), await api.post(`/receivers/${late}/send-missed`, range));
    expect(await sendMissed()).toEqual({ sent: missed.never_sent, more: false });
    expect(await sendMissed()).toEqual({ sent: 0, more: false });
    expect(await count()).toMatchObject({ never_sent: 0 });
    expect(errorOf(await api.post(`/receivers/${late}/send-missed`, {}))).toMatchObject({ status: 400 });
    await api.post(`/receivers/${late}/remove`);
  });
});

describe("replay in the console", () => {
  it("is previewed, started once per idempotency key, listed and cancelled, with audit records", async () => {
    const endpoint = await addReceiver("https://replays.example/hook");
    const path = `/receivers/${endpoint}/replays`;
    const preview = dataOf(replayPreviewResponseSchema, await api.get(`${path}/preview`));
    expect(preview.total).toBe(preview.by_event[0]?.count);
    expect(preview.total).toBeGreaterThanOrEqual(orders.length);
    const past = await api.get(`${path}/preview`, { to: "2020-01-01T00:00:00Z" });
    expect(dataOf(replayPreviewResponseSchema, past).total).toBe(0);
    const start = async () =>
      dataOf(replayResponseSchema, await api.post(path, { idempotency_key: `once ${endpoint}` }));
    const replay = await start();
    expect(replay).toMatchObject({ state: "running", total: preview.total, endpoint_id: endpoint });
    expect(await start()).toEqual(replay);
    expect(errorOf(await api.post(path, {}))).toMatchObject({ status: 409 });
    const listed = async () => dataOf(replayListResponseSchema, await api.get(path)).replays;
    expect(await listed()).toEqual([replay]);
    const step = `/replays/${replay.replay_id}`;
    const cancelled = dataOf(replayResponseSchema, await api.post(`${step}/cancel`));
    expect(cancelled.state).toBe("cancelled");
    expect(await listed()).toEqual([cancelled]);
    expect(errorOf(await api.post(`${step}/resume`))).toMatchObject({ status: 409 });
    const records = await sandbox.database.prisma.auditRecord.findMany({
      where: { subject: endpoint },
      orderBy: { id: "asc" },
    });
    expect(records.slice(1).map(({ action }) => action)).toEqual([
      "receiver.replay",
      "receiver.replay_cancel",
    ]);
    await api.post(`/receivers/${endpoint}/remove`);
  });

  it("is rejected if the request also contains a callback_url", async () => {
    const body = { callback_url: "https://else.example/hook" };
    expect(errorOf(await api.post(`/receivers/${receiverId}/replays`, body))).toEqual(
      fieldError("callback_url", "must not be sent together with endpoint_id"),
    );
  });
});

describe("resending in the console", () => {
  const failAll = () =>
    execute(
      `UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'attempts_over' WHERE receiver_id = $1`,
      [receiverId],
    );
  const statusOf = async (id: string) =>
    (await sandbox.database.prisma.delivery.findUniqueOrThrow({ where: { id } })).status;

  it("schedules a delivery once for repeated requests, with one audit record", async () => {
    await failAll();
    const [first] = listed("deliveries")(await deliveries());
    const resend = async () =>
      dataOf(resendResponseSchema, await api.post(`/deliveries/${first.delivery_id}/resend`));
    expect(await resend()).toEqual({ delivery_id: first.delivery_id, already_waiting: false });
    expect(await resend()).toEqual({ delivery_id: first.delivery_id, already_waiting: true });
    expect(await statusOf(first.delivery_id)).toBe("queued");
    const records = await sandbox.database.prisma.auditRecord.findMany({
      where: { subject: first.delivery_id },
    });
    expect(records.map(({ action }) => action)).toEqual(["receiver.resend_delivery"]);
  });

  it("resends the failed deliveries in a range to one endpoint or to all, but not another merchant's", async () => {
    await failAll();
    await execute(
      "UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'attempts_over' WHERE merchant_id = $1",
      [parties.otherId],
    );
    const count = orders.length + 1;
    const range = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00+02:00" };
    const past = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
    const request = async (path: string, body: unknown) =>
      dataOf(resendFailedResponseSchema.strict(), await api.post(path, body));
    expect(await request(`/receivers/${receiverId}/resend`, past)).toEqual({
      resent: 0,
      skipped: 0,
      more: false,
    });
    expect(await request(`/receivers/${receiverId}/resend`, range)).toEqual({
      resent: count,
      skipped: 0,
      more: false,
    });
    expect(await request("/resend", range)).toEqual({ resent: 0, skipped: 0, more: false });
    await failAll();
    expect(await request("/resend", range)).toMatchObject({ resent: count });
    const { rows } = await execute("SELECT status::text FROM deliveries WHERE merchant_id = $1", [
      parties.otherId,
    ]);
    expect(rows).toEqual([{ status: "failed" }]);
  });

  it.each([
    ["from", { to: "2026-01-01T00:00:00Z" }, "is required"],
    ["to", { from: "2026-01-01T00:00:00Z" }, "is required"],
    ["from", { from: "yesterday", to: "2026-01-01T00:00:00Z" }, "must be an ISO 8601 time"],
    ["to", { from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }, "must be later than from"],
  ])("rejects a range with an invalid %s", async (field, body, rest) => {
    expect(errorOf(await api.post("/resend", body))).toEqual(fieldError(field, rest));
  });
});
