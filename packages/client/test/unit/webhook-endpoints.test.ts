import { afterEach, beforeEach, expect, it } from "vitest";
import { errorReply, json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const webhooks = () => sandboxClient(api).webhooks;

const ID = "7d1f1f0e-6b0c-4c0e-9a2f-2f6f0d5f8a11";
const ENDPOINT = {
  endpoint_id: ID,
  address: "https://shop.example/tillgate",
  events: ["pos.order.paid"],
  state: "active",
  disabled_reason: null,
  disabled_at: null,
  verified_at: null,
  last_success_at: null,
  last_failure_at: null,
  likely_cause: null,
  failures_in_row: 0,
  failing_since: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-21T09:30:00+00:00",
};
const deliveryOf = (delivery_id: string) => ({
  delivery_id,
  event_id: "evt_1",
  event: "pos.order.paid",
  endpoint_id: ID,
  address: "https://shop.example/tillgate",
  status: "failed",
  given_up_because: "attempts_over",
  attempts: 11,
  next_attempt_at: null,
  created_at: "2026-11-21T09:35:00+00:00",
  settled_at: "2026-11-24T13:35:00+00:00",
});
const IDS = [
  "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e51",
  "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e52",
  "0c2b8a52-3e3c-4f77-8d0a-9b1a2c3d4e53",
] as const;
const response = (data: object) => json(200, { message: { success: ["Done"] }, data });
const calls = () =>
  api.seen.map(({ method, url, body }) => `${method} ${url.replace("/pay/sandbox/api/v1", "")} ${body}`);

it("webhooks.endpoints calls the path of each action", async () => {
  const { endpoints } = webhooks();
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwq0Ycjv1Vv0A=";
  api.replies.push(response({ ...ENDPOINT, secret }));
  const { address } = ENDPOINT;
  expect((await endpoints.create({ address, events: ["pos.order.paid"] })).secret).toBe(secret);
  expect((await endpoints.rotateSecret(ID)).secret).toBe(secret);
  expect(await endpoints.get(ID)).toEqual(ENDPOINT);
  await endpoints.change("a/b", { address });
  for (const step of ["pause", "resume", "enable", "remove"] as const) await endpoints[step](ID);
  expect(calls()).toEqual([
    `POST /webhooks/endpoints {"address":"${address}","events":["pos.order.paid"]}`,
    `POST /webhooks/endpoints/${ID}/rotate-secret {}`,
    `GET /webhooks/endpoints/${ID} `,
    `POST /webhooks/endpoints/a%2Fb {"address":"${address}"}`,
    ...["pause", "resume", "enable", "remove"].map((step) => `POST /webhooks/endpoints/${ID}/${step} {}`),
  ]);
});

it("webhooks.endpoints lists endpoints and does not retry a test", async () => {
  api.replies.push(response({ endpoints: [ENDPOINT] }), errorReply(503, "Down"));
  expect(await webhooks().endpoints.list()).toEqual([ENDPOINT]);
  await expect(webhooks().endpoints.test(ID)).rejects.toMatchObject({ status: 503, attempts: 1 });
});

it("webhooks.deliveries.all fetches each page only when it is needed", async () => {
  api.replies.push(
    response({ deliveries: [deliveryOf(IDS[0]), deliveryOf(IDS[1])], next_cursor: IDS[1] }),
    response({ deliveries: [], next_cursor: IDS[2] }),
    response({ deliveries: [deliveryOf(IDS[2])], next_cursor: null }),
  );
  const result: string[] = [];
  const requested: number[] = [];
  for await (const { delivery_id } of webhooks().deliveries.all({ status: "failed", per_page: 2 })) {
    result.push(delivery_id);
    requested.push(api.seen.length);
  }
  expect(result).toEqual(IDS);
  expect(requested).toEqual([1, 1, 3]);
  expect(calls()).toEqual([
    "GET /webhooks/deliveries?status=failed&per_page=2 ",
    `GET /webhooks/deliveries?status=failed&per_page=2&cursor=${IDS[1]} `,
    `GET /webhooks/deliveries?status=failed&per_page=2&cursor=${IDS[2]} `,
  ]);
});

it("webhooks.deliveries.all starts from a cursor and throws the error of the failed page", async () => {
  api.replies.push(
    response({ deliveries: [deliveryOf(IDS[1])], next_cursor: IDS[1] }),
    errorReply(400, "The cursor field must be the next_cursor from an earlier response"),
  );
  const found: string[] = [];
  const walk = async () => {
    for await (const one of webhooks().deliveries.all({ cursor: IDS[0] })) found.push(one.delivery_id);
  };
  await expect(walk()).rejects.toMatchObject({ status: 400 });
  expect(found).toEqual([IDS[1]]);
  expect(calls()[0]).toBe(`GET /webhooks/deliveries?cursor=${IDS[0]} `);
});

it("webhooks.deliveries returns a delivery with its attempts and resends it", async () => {
  const attempt = {
    number: 11,
    started_at: "2026-11-24T13:34:00+00:00",
    latency_ms: 15_000,
    http_status: null,
    error: "timeout",
    likely_cause: "the server was slow",
    answer_start: null,
  };
  api.replies.push(
    response({ ...deliveryOf(IDS[0]), history: [attempt] }),
    response({ delivery_id: IDS[0], already_waiting: false }),
  );
  expect((await webhooks().deliveries.get(IDS[0])).history).toEqual([attempt]);
  expect(await webhooks().deliveries.resend(IDS[0])).toEqual({ delivery_id: IDS[0], already_waiting: false });
  expect(calls()[1]).toBe(`POST /webhooks/deliveries/${IDS[0]}/resend {}`);
});
