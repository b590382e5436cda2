import { afterEach, beforeEach, expect, it } from "vitest";
import { errorReply, json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

it("comparisons.send sends the shop's orders for the day, retries after an error, and returns the differences", async () => {
  const difference = {
    ...{ subject: "order", subject_id: "POS-1", field: "state", kind: "missing_at_tillgate", repair: null },
    ...{ text: "Payment POS-1 doesn’t exist.", advice: "Contact us.", values: { tillgate_order: "POS-1" } },
    accepted: false,
  };
  const data = { orders: [{ order_id: "POS-1", differences: [difference] }] };
  api.replies.push(
    errorReply(503, "unavailable"),
    json(200, { message: { success: ["Orders compared"] }, data }),
  );
  const input = { orders: [], progress: { compared: 0, skipped: 0, completed: true } };
  expect(await sandboxClient(api).comparisons.send("2026-11-21", input)).toEqual(data);
  expect(api.seen.map(({ method, url, body }) => [method, url, JSON.parse(String(body))])).toEqual(
    Array(2).fill(["PUT", "/pay/sandbox/api/v1/comparisons/2026-11-21", input]),
  );
});
