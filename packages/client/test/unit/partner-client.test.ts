import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPartnerClient } from "../../src/index.js";
import { brokenConnection, errorReply, json, type LocalApi, startLocalApi } from "./local-api.js";

const TOKEN = "tgt_test_3f9a71c2d4e5f60718293a4b5c6d7e8f";
const LOOKUP_TOKEN = "59e95974-3280-4693-a787-f7dc20956221";
const PAYOUT = {
  payout_id: "POQZ3RTPD6",
  reference: "r1",
  amount: 100,
  currency: "EUR",
  fee: 0.75,
  total_deducted: 100.75,
  exchange_rate: 1,
  receiver_amount: 100,
  receiver_currency: "EUR",
  status: "completed",
  description: null,
  metadata: null,
  trx_id: "PP6684347487",
  created_at: "2026-11-21T03:14:42+00:00",
  processed_at: "2026-11-21T03:14:42+00:00",
};

let api: LocalApi;
beforeEach(async () => {
  api = await startLocalApi();
});
afterEach(() => api.close());

const client = () => createPartnerClient({ baseUrl: api.url, apiToken: TOKEN, retryDelayMs: 1 });
const success = (data: unknown) => json(200, { message: { success: ["done"] }, data });

describe("createPartnerClient", () => {
  it("uses the API token to look up a recipient, quote, pay out, and read payouts and balances", async () => {
    const recipient = { name: "Samuel", currencies: [{ code: "EUR", symbol: "€", type: "fiat" }] };
    const quote = {
      quote_id: LOOKUP_TOKEN,
      amount: 100,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      exchange_rate: 1,
      fee: 0.75,
      total_deducted: 100.75,
      receiver_amount: 100,
      expires_at: "2026-11-21T03:19:42+00:00",
    };
    const pagination = { current_page: 2, per_page: 1, total: 2, last_page: 2 };
    const balances = [{ currency_code: "EUR", currency_symbol: "€", balance: 10 }];
    api.replies.push(
      success({ lookup_token: LOOKUP_TOKEN, recipient }),
      success(quote),
      success({ payout: PAYOUT }),
      success({ payout: PAYOUT }),
      success({ payouts: [PAYOUT], pagination, next_cursor: null }),
      success({ balances }),
    );
    const partner = client();
    const result = await partner.lookup({ phone: "+237 6 71 23 45 67" });
    expect(result.recipient).toEqual(recipient);
    const requested = {
      lookup_token: result.lookup_token,
      amount: "100",
      sender_currency: "EUR",
      receiver_currency: "EUR",
    };
    expect(await partner.quote(requested)).toEqual(quote);
    const executed = await partner.payout({ quote_id: quote.quote_id, reference: "r1" });
    expect(executed).toEqual({ payout: PAYOUT, duplicate: false });
    expect(await partner.getPayout("PO/1")).toEqual(PAYOUT);
    const listed = await partner.listPayouts({
      status: "completed",
      from_date: "2026-11-21",
      page: 2,
      per_page: 1,
    });
    expect(listed).toEqual({ payouts: [PAYOUT], pagination, next_cursor: null });
    expect(await partner.balances()).toEqual(balances);
    expect(api.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /api/partner/v1/lookup",
      "POST /api/partner/v1/quote",
      "POST /api/partner/v1/payout",
      "GET /api/partner/v1/payout/PO%2F1",
      "GET /api/partner/v1/payouts?status=completed&from_date=2026-11-21&page=2&per_page=1",
      "GET /api/partner/v1/balance",
    ]);
    expect(new Set(api.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
  });

  it("retries a payout with the same idempotency key when the response is lost, and reports it as a duplicate", async () => {
    api.replies.push(brokenConnection, success({ payout: PAYOUT, duplicate: true }));
    const { duplicate } = await client().payout({ quote_id: LOOKUP_TOKEN, reference: "r1" });
    expect(duplicate).toBe(true);
    const [first, second] = api.seen.map(({ body }) => JSON.parse(body).idempotency_key);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).toBe(first);
  });

  it("retries a call that was rejected with 429", async () => {
    api.replies.push(
      errorReply(429, "Too many requests", { "retry-after": "0" }),
      success({ payout: PAYOUT }),
    );
    await expect(client().getPayout("POQZ3RTPD6")).resolves.toEqual(PAYOUT);
  });

  it("throws on a 400 response, with the API's exact message, and does not retry the request", async () => {
    api.replies.push(errorReply(400, "Insufficient balance."));
    await expect(client().payout({ quote_id: LOOKUP_TOKEN, reference: "r1" })).rejects.toMatchObject({
      status: 400,
      messages: ["Insufficient balance."],
    });
    expect(api.seen).toHaveLength(1);
  });

  it("rejects a malformed token and an invalid base URL before any request", () => {
    expect(() => createPartnerClient({ baseUrl: api.url, apiToken: "a b\n" })).toThrow(TypeError);
    expect(() => createPartnerClient({ baseUrl: `${api.url}/api`, apiToken: TOKEN })).toThrow(
      /not have a path/,
    );
    const live = { baseUrl: api.url, apiToken: "tgt_live_0123456789" };
    expect(() => createPartnerClient(live)).toThrow("baseUrl must be an https URL in live mode");
    expect(api.seen).toEqual([]);
  });
});
