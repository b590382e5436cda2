import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TillgateApiError, TillgateConnectionError } from "../../src/index.js";
import { errorReply, json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const client = (timeoutMs?: number) => sandboxClient(api, timeoutMs);

const RESULT = { delivered: false, http_status: null, latency_ms: 7, error: "dns", location: null };
const reply = (message: string, data: object) => json(200, { message: { success: [message] }, data });

describe("webhooks.test", () => {
  it("returns the result of a failed test instead of throwing", async () => {
    api.replies.push(reply("Test event sent", RESULT));
    expect(await client().webhooks.test({ callback_url: "https://shop.example/hook" })).toEqual(RESULT);
    expect(api.seen).toMatchObject([{ method: "POST", url: "/pay/sandbox/api/v1/webhooks/test" }]);
    expect(JSON.parse(api.seen[0]?.body ?? "")).toEqual({ callback_url: "https://shop.example/hook" });
  });

  it("is not retried, even after a 429 with Retry-After", async () => {
    api.replies.push(errorReply(429, "Too many requests", { "retry-after": "1" }));
    const failed = client().webhooks.test({ callback_url: "https://shop.example/hook" });
    await expect(failed).rejects.toBeInstanceOf(TillgateApiError);
    expect(api.seen).toHaveLength(1);
  });

  it("waits longer for the endpoint than the client's timeout", async () => {
    api.replies.push((response, request) => {
      setTimeout(() => reply("Test event sent", RESULT)(response, request), 60);
    });
    expect(await client(20).webhooks.test({ callback_url: "https://shop.example/hook" })).toEqual(RESULT);
  });
});

describe("events", () => {
  const LIST = {
    events: [
      {
        id: "evt_1",
        event: "pos.order.paid",
        created_at: "2026-11-21T09:31:12+00:00",
        order_id: "POS-20261121-7KQ2MX",
        body: '{"id":"evt_1"}',
      },
    ],
    next: "5.7",
    has_more: false,
  };

  it("list() sends its filters and omits filters that are not set", async () => {
    api.replies.push(reply("Events retrieved", LIST));
    expect(await client().events.list()).toEqual(LIST);
    await client().events.list({
      after: "5.6",
      types: ["pos.order.paid", "refund.failed"],
      per_page: 3,
      wait: 1,
    });
    expect(api.seen.map(({ url }) => url)).toEqual([
      "/pay/sandbox/api/v1/events",
      "/pay/sandbox/api/v1/events?after=5.6&per_page=3&wait=1&types=pos.order.paid%2Crefund.failed",
    ]);
  });

  it("pages() iterates up to the newest event, requesting each page with the previous page's cursor", async () => {
    api.replies.push(reply("Events retrieved", { ...LIST, has_more: true }));
    api.replies.push(reply("Events retrieved", { ...LIST, next: "5.9" }));
    const positions = [];
    for await (const { next } of client().events.pages({ after: "5.6", per_page: 1 })) positions.push(next);
    expect(positions).toEqual(["5.7", "5.9"]);
    expect(api.seen.map(({ url }) => url.split("?")[1])).toEqual([
      "after=5.6&per_page=1",
      "after=5.7&per_page=1",
    ]);
  });

  it("list() can wait longer than the client's timeout for events, and can be aborted", async () => {
    api.replies.push((response, request) => {
      setTimeout(() => reply("Events retrieved", LIST)(response, request), 60);
    });
    expect(await client(20).events.list({ wait: 30 })).toEqual(LIST);
    const leave = new AbortController();
    const requested = client().events.list({ wait: 30 }, { signal: leave.signal });
    leave.abort();
    await expect(requested).rejects.toBeInstanceOf(TillgateConnectionError);
  });
});
