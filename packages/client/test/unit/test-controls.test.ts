import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPayClient, TillgateApiError } from "../../src/index.js";
import { errorReply, json, type LocalApi, sandboxClient, startLocalApi } from "./local-api.js";

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const client = () => sandboxClient(api);
const response = (message: string, data: object) => json(200, { message: { success: [message] }, data });

const CONTROL = {
  control_id: "0d1c7a3e-58ab-4a6b-9a50-6c2f2b1f7f10",
  control: "delivery_twice",
  left: 2,
  seconds: 30,
  created_at: "2026-11-24T09:30:00+00:00",
  expires_at: "2026-11-24T10:30:00+00:00",
};

describe("test controls", () => {
  it("are created, listed and cleared", async () => {
    api.replies.push(
      response("Test control created", CONTROL),
      response("Test controls retrieved", { controls: [CONTROL] }),
      response("Test controls cleared", { cleared: 1 }),
    );
    const { testControls } = client();
    expect(await testControls.create({ control: "delivery_twice", count: 2 })).toEqual(CONTROL);
    expect(await testControls.list()).toEqual([CONTROL]);
    expect(await testControls.clear()).toBe(1);
    expect(api.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /pay/sandbox/api/v1/test/controls",
      "GET /pay/sandbox/api/v1/test/controls",
      "POST /pay/sandbox/api/v1/test/controls/clear",
    ]);
  });

  it("are created without retries, because a retry could create a duplicate", async () => {
    api.replies.push(errorReply(429, "Too many requests", { "retry-after": "1" }));
    await expect(client().testControls.create({ control: "delivery_late" })).rejects.toBeInstanceOf(
      TillgateApiError,
    );
    expect(api.seen).toHaveLength(1);
  });

  it("change the expiry of an order", async () => {
    const changed = { kind: "order", id: "POS-1", expires_at: "2026-11-24T09:30:00+00:00" };
    api.replies.push(response("Expiry changed", changed));
    const input = { kind: "order", id: "POS-1", moment: "after_end" } as const;
    expect(await client().testControls.expire(input)).toEqual(changed);
    expect(JSON.parse(api.seen[0]?.body ?? "")).toEqual(input);
  });

  it("complete or fail a pending payout", async () => {
    const payout = {
      payout_id: "PO00000001",
      reference: "r",
      amount: 1,
      currency: "EUR",
      fee: 0,
      total_deducted: 1,
      exchange_rate: 1,
      receiver_amount: 1,
      receiver_currency: "EUR",
      status: "failed",
      description: null,
      metadata: null,
      trx_id: null,
      created_at: "2026-11-24T09:30:00+00:00",
      processed_at: "2026-11-24T09:30:01+00:00",
    };
    const outcomes = ["completed", "failed"] as const;
    for (const status of outcomes) {
      api.replies.splice(0, 1, response("Payout decided", { payout: { ...payout, status } }));
      expect(await client().testControls.decidePayout("PO00000001", status)).toMatchObject({ status });
    }
    expect(api.seen.map(({ method, url, body }) => [method, url, body])).toEqual(
      outcomes.map((outcome) => [
        "POST",
        "/pay/sandbox/api/v1/test/payouts/PO00000001",
        JSON.stringify({ outcome }),
      ]),
    );
  });

  it("throw in live mode without sending a request", async () => {
    const fetch = () => Promise.reject(new Error("it was sent"));
    const options = { baseUrl: "https://api.example", clientId: "ci", clientSecret: "secret of the client" };
    const { testControls } = createPayClient({ ...options, mode: "live", fetch });
    const sandboxOnly = "Test controls are not available in live mode.";
    await expect(testControls.create({ control: "delivery_late" })).rejects.toThrow(sandboxOnly);
    await expect(testControls.list()).rejects.toThrow(sandboxOnly);
    await expect(testControls.clear()).rejects.toThrow(sandboxOnly);
    const input = { kind: "order", id: "POS-1", moment: "after_end" } as const;
    await expect(testControls.expire(input)).rejects.toThrow(sandboxOnly);
    await expect(testControls.decidePayout("PO00000001", "failed")).rejects.toThrow(sandboxOnly);
  });
});
