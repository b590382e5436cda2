import { afterEach, beforeEach, expect, it } from "vitest";
import { json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const replays = () => sandboxClient(api).webhooks.replays;
const response = (data: object) => json(200, { message: { success: ["Done"] }, data });
const calls = () => api.seen.map(({ method, url }) => `${method} ${url.replace("/pay/sandbox/api/v1", "")}`);
const IDS = ["5b0c2a1e-7f52-4d6e-8a0b-3c9d1e2f4a60", "5b0c2a1e-7f52-4d6e-8a0b-3c9d1e2f4a61"] as const;
const replayOf = (replay_id: string) => ({
  replay_id,
  endpoint_id: "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11",
  callback_url: null,
  from: "2026-11-20T00:00:00+00:00",
  to: "2026-11-21T00:00:00+00:00",
  events: ["pos.order.paid"],
  skip_failed: false,
  state: "running",
  total: 3,
  sent: 1,
  failed: 0,
  cursor: "2231.17",
  event_id: "evt_1",
  delivery_id: "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e51",
  created_at: "2026-11-21T09:35:00+00:00",
  ended_at: null,
});
const [first, second] = IDS.map(replayOf);

it("replays.preview returns the count, and replays.create retries a 503 with the same body and idempotency key", async () => {
  const seen = { total: 0, more: false, by_event: [], first_at: null, last_at: null, first: [] };
  api.replies.push(response(seen), json(503, {}), response(first ?? {}));
  const range = { endpoint_id: first?.endpoint_id ?? "", events: ["pos.order.paid"] as const };
  expect(await replays().preview(range)).toEqual(seen);
  expect(await replays().create({ ...range, skip_failed: true })).toEqual(first);
  expect(calls()).toEqual([
    "POST /webhooks/replays/preview",
    "POST /webhooks/replays",
    "POST /webhooks/replays",
  ]);
  const bodies = api.seen.slice(1).map(({ body }) => JSON.parse(body));
  expect(bodies[0]).toEqual({ ...range, skip_failed: true, idempotency_key: expect.any(String) });
  expect(bodies[1]).toEqual(bodies[0]);
});

it("replays.get, cancel and resume each call the path of their action", async () => {
  api.replies.push(response(first ?? {}));
  for (const step of ["get", "cancel", "resume"] as const) await replays()[step]("a/b");
  expect(calls()).toEqual([
    "GET /webhooks/replays/a%2Fb",
    "POST /webhooks/replays/a%2Fb/cancel",
    "POST /webhooks/replays/a%2Fb/resume",
  ]);
});

it("replays.all iterates over every page", async () => {
  api.replies.push(
    response({ replays: [first], next_cursor: IDS[0] }),
    response({ replays: [second], next_cursor: null }),
  );
  const walked = [];
  for await (const replay of replays().all({ per_page: 1 })) walked.push(replay.replay_id);
  expect(walked).toEqual([...IDS]);
  expect(calls()).toEqual([
    "GET /webhooks/replays?per_page=1",
    `GET /webhooks/replays?per_page=1&cursor=${IDS[0]}`,
  ]);
});
