import { randomUUID } from "node:crypto";
import {
  eventListResponseSchema,
  MAX_REPLAY_EVENTS,
  type Replay,
  type ReplayState,
  replayListResponseSchema,
  replayPreviewResponseSchema,
  replayResponseSchema,
} from "@tillgate/contract";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REDATE_BOOKS } from "../../../../../scripts/testing/administration.js";
import { startOutbox } from "../../../src/events/outbox/worker.js";
import { startListener } from "../../../src/platform/listener.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { createOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import {
  type ApiResponse,
  errorCodeOf,
  errorOf,
  fieldError,
  type PayApi,
  payApi,
} from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const environment = { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" };
const { sandbox, merchantId, server, api } = await createTestApi({ environment });
const { pool } = sandbox.database;
const REPLAYS = "/webhooks/replays";
const NOT_FOUND = { status: 404, texts: ["Replay not found"] };
const NAMES = ["pos.order.cancelled"];

let receiver: FaultServer;
/** IDs of the cancelled orders' events, in the order of `GET /events`. */
let eventIds: string[];
beforeAll(async () => {
  receiver = await startFaultServer();
  await startOutboxProcess();
  for (let createdCount = 0; createdCount < 4; createdCount += 1) {
    const { order_id } = await createOrder(api);
    await api.post(`/orders/${order_id}/cancel`);
  }
  eventIds = await waitUntil("the events are listed", async () => {
    const { body } = await api.get("/events", { types: NAMES.join(), per_page: "100" });
    const { events } = eventListResponseSchema.parse(body).data;
    return events.length === 4 && events.map(({ id }) => id);
  });
});
afterAll(async () => {
  await outboxProcess?.close();
  await receiver.close();
});

let outboxProcess: { close(): Promise<void> } | undefined;
async function startOutboxProcess(): Promise<void> {
  const listener = startListener({ directUrl: sandbox.url, log: server.context.log });
  const outbox = startOutbox(server.context, listener);
  outboxProcess = {
    async close() {
      await outbox.close();
      await listener.close();
    },
  };
}

const replayOf = ({ status, body, text }: ApiResponse): Replay => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return replayResponseSchema.parse(body).data;
};
const previewOf = ({ status, body, text }: ApiResponse) => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return replayPreviewResponseSchema.parse(body).data;
};
const addEndpoint = async (path: string): Promise<string> => {
  const { body } = await api.post("/webhooks/endpoints", { address: receiver.urlOf(path), events: NAMES });
  return String(Object(Object(body).data).endpoint_id);
};
const startReplay = async (fields: object, by: PayApi = api): Promise<Replay> =>
  replayOf(await by.post(REPLAYS, fields));
const getReplay = async (id: string): Promise<Replay> => replayOf(await api.get(`${REPLAYS}/${id}`));
const waitForState = (id: string, state: ReplayState): Promise<Replay> =>
  waitUntil(`the replay is ${state}`, async () => {
    const replay = await getReplay(id);
    return replay.state === state && replay;
  });
const receivedIds = (path: string): string[] =>
  receiver.requestsTo(path).map(({ headers }) => String(headers["webhook-id"]));
const makeRetriesDue = () =>
  pool.query("UPDATE deliveries SET next_attempt_at = clock_timestamp() WHERE status = 'pending'");

describe("a replay to an endpoint", () => {
  it("sends every previewed event in order, and again in another replay", async () => {
    const endpoint_id = await addEndpoint("/ok?order");
    const preview = previewOf(await api.post(`${REPLAYS}/preview`, { endpoint_id }));
    expect(preview).toMatchObject({ total: 4, more: false, by_event: [{ event: NAMES[0], count: 4 }] });
    expect(preview.first.map(({ id }) => id)).toEqual(eventIds);
    expect(receivedIds("/ok?order")).toEqual([]);
    const first = await startReplay({ endpoint_id });
    expect(first).toMatchObject({ total: 4, skip_failed: false, callback_url: null, events: NAMES });
    const done = await waitForState(first.replay_id, "completed");
    expect(done).toMatchObject({ sent: 4, failed: 0, event_id: null, delivery_id: null });
    expect(receivedIds("/ok?order")).toEqual(eventIds);
    const { replay_id } = await startReplay({ endpoint_id });
    await waitForState(replay_id, "completed");
    expect(receivedIds("/ok?order")).toEqual([...eventIds, ...eventIds]);
    const replays = receiver.requestsTo("/ok?order").map(({ headers }) => headers["x-tillgate-replay"]);
    // Each replay ID is signed.
    for (const { headers } of receiver
      .requestsTo("/ok?order")
      .filter(({ headers }) => headers["x-tillgate-replay"]))
      expect(headers["x-tillgate-replay-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(replays).toEqual([...eventIds.map(() => first.replay_id), ...eventIds.map(() => replay_id)]);
    // The replay's cursor is a cursor of the event list.
    const behind = await api.get("/events", { after: String(done.cursor), types: NAMES.join() });
    expect(eventListResponseSchema.parse(behind.body).data.events).toEqual([]);
    const { rows } = await pool.query(
      "SELECT action FROM audit_records WHERE merchant_id = $1 AND subject = $2 ORDER BY id",
      [merchantId, endpoint_id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "receiver.create",
      "receiver.replay",
      "receiver.replay",
    ]);
  });

  it("starts once per idempotency key, even for concurrent requests", async () => {
    const endpoint_id = await addEndpoint("/ok?key");
    const body = { endpoint_id, idempotency_key: randomUUID() };
    const responses = await Promise.all([1, 2, 3].map(() => api.post(REPLAYS, body)));
    expect(new Set(responses.map((response) => replayOf(response).replay_id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get("idempotent-replayed") === "true")).toHaveLength(2);
    expect(errorOf(await api.post(REPLAYS, { ...body, skip_failed: true })).status).toBe(409);
    await waitForState(replayOf(await api.post(REPLAYS, body)).replay_id, "completed");
    expect(receivedIds("/ok?key")).toEqual(eventIds);
  });

  it("retries a failing event before the next events, and resumes after a restart of the outbox", async () => {
    const path = "/fails-twice?order";
    const endpoint_id = await addEndpoint(path);
    const { rows } = await pool.query("SELECT created_at FROM events WHERE id = $1", [eventIds[2]]);
    const to = rows[0].created_at.toISOString();
    const { replay_id, total } = await startReplay({ endpoint_id, to });
    expect(total).toBe(2);
    expect(errorCodeOf(await api.post(REPLAYS, { endpoint_id })).code).toBe("replay_under_way");
    const [first = "", second = ""] = eventIds;
    const attempts = (count: number) =>
      waitUntil(`${count} attempts are made`, async () => {
        if (receiver.requestsTo(path).length >= count) return true;
        await makeRetriesDue();
        return false;
      });
    await attempts(2);
    expect(await getReplay(replay_id)).toMatchObject({
      state: "running",
      sent: 0,
      event_id: first,
      cursor: null,
    });
    await outboxProcess?.close();
    await startOutboxProcess();
    await attempts(6);
    await waitForState(replay_id, "completed");
    expect(receivedIds(path)).toEqual([first, first, first, second, second, second]);
  });

  it("with skip_failed, skips events that cannot be delivered", async () => {
    const endpoint_id = await addEndpoint("/500?skip");
    const { replay_id } = await startReplay({ endpoint_id, skip_failed: true });
    expect(await waitForState(replay_id, "completed")).toMatchObject({ sent: 0, failed: 4 });
    expect(receivedIds("/500?skip")).toEqual(eventIds);
  });

  it("stops when the endpoint is disabled, even with skip_failed, and resumes from there once the endpoint is enabled", async () => {
    const endpoint_id = await addEndpoint("/410?stop");
    const { replay_id } = await startReplay({ endpoint_id, skip_failed: true });
    expect(await waitForState(replay_id, "stopped")).toMatchObject({ sent: 0, event_id: eventIds[0] });
    const resume = () => api.post(`${REPLAYS}/${replay_id}/resume`);
    expect(errorCodeOf(await resume()).code).toBe("receiver_inactive");
    expect(errorCodeOf(await api.post(REPLAYS, { endpoint_id })).code).toBe("receiver_inactive");
    await api.post(`/webhooks/endpoints/${endpoint_id}`, { address: receiver.urlOf("/ok?well") });
    await api.post(`/webhooks/endpoints/${endpoint_id}/enable`);
    replayOf(await resume());
    expect(await waitForState(replay_id, "completed")).toMatchObject({ sent: 4 });
    expect(receivedIds("/ok?well")).toEqual(eventIds);
    for (const step of ["resume", "cancel"])
      expect(errorCodeOf(await api.post(`${REPLAYS}/${replay_id}/${step}`)).code).toBe("replay_over");
  });

  it("is cancelled once, after which another replay can start", async () => {
    const endpoint_id = await addEndpoint("/500?cancel");
    const { replay_id } = await startReplay({ endpoint_id });
    const cancel = () => api.post(`${REPLAYS}/${replay_id}/cancel`);
    const cancelled = replayOf(await cancel());
    expect(cancelled).toMatchObject({ state: "cancelled", event_id: null });
    expect(replayOf(await cancel())).toEqual(cancelled);
    const another = await startReplay({ endpoint_id });
    await api.post(`${REPLAYS}/${another.replay_id}/cancel`);
    const listed = async (query: Record<string, string>) =>
      replayListResponseSchema.parse((await api.get(REPLAYS, { endpoint_id, ...query })).body).data;
    const { replays, next_cursor } = await listed({ per_page: "1" });
    expect(replays.map((item) => item.replay_id)).toEqual([another.replay_id]);
    const rest = await listed({ per_page: "1", cursor: String(next_cursor) });
    expect(rest.replays).toEqual([cancelled]);
    expect(rest.next_cursor).toBeNull();
  });

  it("is completed immediately if there is nothing to send", async () => {
    const endpoint_id = await addEndpoint("/ok?nothing");
    const range = { from: "2020-01-01T00:00:00Z", to: "2020-01-02T00:00:00Z" };
    expect(await startReplay({ endpoint_id, ...range })).toMatchObject({
      state: "completed",
      total: 0,
      cursor: null,
    });
  });
});

it("a replay to a URL signs its events with the caller's client secret", async () => {
  const { replay_id, callback_url } = await startReplay({
    callback_url: receiver.urlOf("/ok?address"),
    events: NAMES,
  });
  expect(callback_url).toBe(receiver.urlOf("/ok?address"));
  expect(await waitForState(replay_id, "completed")).toMatchObject({ sent: 4, endpoint_id: null });
  expect(receivedIds("/ok?address")).toEqual(eventIds);
  const signed = new Webhook(sandbox.access.merchant.client_secret, { format: "raw" });
  for (const { body, headers } of receiver.requestsTo("/ok?address")) {
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(signed.verify(body.toString(), sent)).toMatchObject({ event: NAMES[0] });
  }
});

describe("/webhooks/replays", () => {
  it("names the invalid field in the error and starts no replay", async () => {
    const endpoint_id = await addEndpoint("/ok?fields");
    const callback_url = receiver.urlOf("/ok?fields");
    const range = { from: "2026-01-02T00:00:00Z", to: "2026-01-02T00:00:00Z" };
    const wrong: [object, string, string][] = [
      [{}, "callback_url", "is required when endpoint_id is absent"],
      [{ endpoint_id, callback_url }, "callback_url", "must not be sent together with endpoint_id"],
      [{ callback_url: "shop" }, "callback_url", "must be an absolute http or https URL without credentials"],
      [{ endpoint_id, ...range }, "to", "must be later than from"],
      [{ endpoint_id, from: "yesterday" }, "from", "must be an ISO 8601 time"],
      [{ endpoint_id, from: "2100-01-01T00:00:00Z" }, "from", "must not be later than now"],
      [{ endpoint_id, events: ["pos.order.made"] }, "events", "must be event names"],
    ];
    for (const path of [REPLAYS, `${REPLAYS}/preview`])
      for (const [fields, field, rule] of wrong)
        expect(errorOf(await api.post(path, fields))).toEqual(fieldError(field, rule));
    const { replays } = replayListResponseSchema.parse((await api.get(REPLAYS, { endpoint_id })).body).data;
    expect(replays).toEqual([]);
  });

  it("rejects endpoints and replays of another merchant or mode, and unknown replays", async () => {
    const stranger = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    const endpoint_id = await addEndpoint("/500?own");
    const { replay_id } = await startReplay({ endpoint_id });
    for (const other of [stranger, live]) {
      expect(errorOf(await other.get(`${REPLAYS}/${replay_id}`))).toEqual(NOT_FOUND);
      for (const step of ["cancel", "resume"])
        expect(errorOf(await other.post(`${REPLAYS}/${replay_id}/${step}`))).toEqual(NOT_FOUND);
      expect(errorOf(await other.post(REPLAYS, { endpoint_id })).status).toBe(404);
      expect(errorOf(await other.get(REPLAYS, { cursor: replay_id })).status).toBe(400);
    }
    expect(errorCodeOf(await live.post(REPLAYS, { callback_url: receiver.urlOf("/ok") })).param).toBe(
      "callback_url",
    );
    expect((await getReplay(replay_id)).state).toBe("running");
    await api.post(`${REPLAYS}/${replay_id}/cancel`);
    expect(errorOf(await api.get(`${REPLAYS}/${randomUUID()}`))).toEqual(NOT_FOUND);
  });

  it("rejects ranges with more events than one replay may send", async () => {
    const endpoint_id = await addEndpoint("/ok?many");
    const client = await pool.connect();
    try {
      await client.query("SET ROLE NONE; SET session_replication_role = replica");
      await client.query(
        `INSERT INTO events (id, mode, merchant_id, name, order_id, body, turn, created_at)
         SELECT 'evt_' || replace(gen_random_uuid()::text, '-', ''), mode, merchant_id, name, 'of old ' || nth, body, 1, '2021-05-05'
         FROM events, generate_series(1, $2) AS nth WHERE id = $1`,
        [eventIds[0], MAX_REPLAY_EVENTS],
      );
      const range = { endpoint_id, from: "2021-01-01T00:00:00Z", to: "2022-01-01T00:00:00Z" };
      const preview = async () => previewOf(await api.post(`${REPLAYS}/preview`, range));
      expect(await preview()).toMatchObject({ total: MAX_REPLAY_EVENTS, more: false });
      await client.query("UPDATE events SET created_at = '2021-05-06' WHERE id = $1", [eventIds[3]]);
      expect(await preview()).toMatchObject({ total: MAX_REPLAY_EVENTS, more: true });
      expect(errorOf(await api.post(REPLAYS, range))).toEqual(
        fieldError("from", `must be later: a replay sends at most ${MAX_REPLAY_EVENTS} events`),
      );
      await client.query(`DELETE FROM events WHERE order_id LIKE 'of old %'; ${REDATE_BOOKS}`);
    } finally {
      client.release(true);
    }
  });
});
