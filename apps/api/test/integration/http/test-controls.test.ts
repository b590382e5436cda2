import { randomUUID } from "node:crypto";
import {
  DEFAULT_DELAY_SECONDS,
  MAX_CONTROL_COUNT,
  MAX_DELAY_SECONDS,
  MAX_TEST_CONTROLS,
  type TestControl,
  testControlListResponseSchema,
  testControlResponseSchema,
} from "@tillgate/contract";
import { afterEach, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, getOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import {
  addPartner,
  addRecipient,
  lookUpRecipient,
  partnerApi,
  readPayout,
  readQuote,
} from "../../support/partner.js";
import { errorCodeOf, errorOf, fieldError, type PayApi, payApi } from "../../support/requests.js";
import { eventNamesOf, expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();
const other = payApi(server, sandbox.access.other_merchant);

afterEach(async () => {
  for (const one of [api, other]) expect((await one.post("/test/controls/clear")).status).toBe(200);
});

async function createControl(fields: Record<string, unknown>, by: PayApi = api): Promise<TestControl> {
  const { status, body, text } = await by.post("/test/controls", fields);
  expect({ status, text }).toMatchObject({ status: 200 });
  return testControlResponseSchema.parse(body).data;
}
const listControls = async (by: PayApi = api): Promise<TestControl[]> =>
  testControlListResponseSchema.parse((await by.get("/test/controls")).body).data.controls;

const newOrder = (reference: string, by: PayApi = api) =>
  by.post("/orders", { amount: 5, currency: "EUR", reference });
const ordersOf = async (reference: string) =>
  (
    await sandbox.database.pool.query<{ id: string }>("SELECT id FROM orders WHERE reference = $1", [
      reference,
    ])
  ).rows.length;

describe("a test control on requests", () => {
  it("returns 503 with Retry-After the given number of times without creating an order, and then stops", async () => {
    await createControl({ control: "call_unavailable", count: 2 });
    for (const left of [1, 0]) {
      const rejected = await newOrder("503");
      expect([rejected.status, rejected.headers.get("tillgate-test-control")]).toEqual([
        503,
        "call_unavailable",
      ]);
      expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await listControls()).map((control) => control.left)).toEqual(left > 0 ? [left] : []);
    }
    expect((await newOrder("503")).status).toBe(200);
    expect(await ordersOf("503")).toBe(1);
  });

  it("returns 429 with Retry-After", async () => {
    await createControl({ control: "call_rate_limited" });
    const rejected = await newOrder("429");
    expect(errorCodeOf(rejected).code).toBe("too_many_requests");
    expect(rejected.headers.get("retry-after")).toBe("1");
    expect(await ordersOf("429")).toBe(0);
  });

  it("disconnects after the given time without creating an order", async () => {
    await createControl({ control: "call_timeout", seconds: 1 });
    const startedAt = performance.now();
    await expect(newOrder("cut")).rejects.toThrow();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(950);
    expect(await ordersOf("cut")).toBe(0);
  });

  it("drops the response after the request is processed, and a retry with the same key returns the same order", async () => {
    await createControl({ control: "call_answer_lost" });
    const request = { amount: 5, currency: "EUR", reference: "lost", idempotency_key: "answer lost" };
    await expect(api.post("/orders", request)).rejects.toThrow();
    const repeat = await api.post("/orders", request);
    expect([repeat.status, repeat.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(await ordersOf("lost")).toBe(1);
  });

  it("applies to the Partner API, and takes effect before newer controls", async () => {
    const partner = await addPartner(sandbox);
    const { pool } = sandbox.database;
    for (const control of ["call_unavailable", "call_rate_limited"])
      await pool.query(
        "INSERT INTO test_controls (merchant_id, control, remaining, seconds) VALUES ($1, $2, 1, 1)",
        [partner.merchantId, control],
      );
    const calls = partnerApi(server, partner.token);
    expect((await calls.get("/balance")).status).toBe(503);
    expect((await calls.get("/balance")).status).toBe(429);
    expect((await calls.get("/balance")).status).toBe(200);
  });

  it("does not affect other merchants", async () => {
    await createControl({ control: "call_unavailable", count: 5 });
    expect((await newOrder("foreign", other)).status).toBe(200);
    expect(await listControls(other)).toEqual([]);
  });

  it("does not affect the /test routes, so that it can be cleared", async () => {
    await createControl({ control: "call_unavailable", count: 5 });
    await createControl({ control: "delivery_twice" });
    expect(await listControls()).toHaveLength(2);
    expect((await api.post("/test/controls/clear")).body).toMatchObject({ data: { cleared: 2 } });
    expect((await newOrder("cleared")).status).toBe(200);
  });

  it("affects one of twenty concurrent requests if it has one use left", async () => {
    await createControl({ control: "call_unavailable" });
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.get("/orders")));
    expect(responses.map(({ status }) => status).filter((status) => status !== 200)).toEqual([503]);
  });
});

describe("a test control on payments", () => {
  const approve = async (orderId: string) => {
    const { payment_url } = await getOrder(api, orderId);
    return openPage(server, payment_url?.split("/pay/")[1] ?? "").act("sandbox-approve");
  };

  it("rejects one payment as insufficient_balance and moves no money; the next payment succeeds", async () => {
    const { order_id } = await createOrder(api);
    await createControl({ control: "payment_insufficient" });
    const rejected = await expectNoWrites(sandbox, () => approve(order_id));
    expect([rejected.status, errorCodeOf(rejected).code]).toEqual([422, "insufficient_balance"]);
    expect((await getOrder(api, order_id)).status).toBe("PENDING");
    expect((await approve(order_id)).status).toBe(200);
    expect((await getOrder(api, order_id)).status).toBe("PAID");
  });

  it("makes the given number of payments debit a wallet in another currency, including simulated payments", async () => {
    await createControl({ control: "payment_converted", count: 2 });
    const currencies = async (id: string) =>
      (
        await sandbox.database.pool.query<{ payer_currency: string }>(
          "SELECT payer_currency FROM orders WHERE id = $1",
          [id],
        )
      ).rows.map(({ payer_currency }) => payer_currency);
    const [first, second, third] = [await createOrder(api), await createOrder(api), await createOrder(api)];
    expect((await approve(first.order_id)).status).toBe(200);
    for (const { order_id } of [second, third])
      expect((await api.post(`/orders/${order_id}/simulate`, { outcome: "paid" })).status).toBe(200);
    expect(await currencies(first.order_id)).toEqual(await currencies(second.order_id));
    expect(await currencies(first.order_id)).not.toEqual(["EUR"]);
    expect(await currencies(third.order_id)).toEqual(["EUR"]);
    expect(await listControls()).toEqual([]);
  });
});

describe("a test control on payouts", () => {
  const merchant = partnerApi(server, sandbox.access.merchant.api_token);
  const send = async (key: string = randomUUID()) => ({
    lookup_token: await lookUpRecipient(merchant, await addRecipient(sandbox)),
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: key,
    idempotency_key: key,
  });
  const decide = (id: string, outcome?: unknown, by: PayApi = api) =>
    by.post(`/test/payouts/${id}`, { outcome });
  async function createPendingPayout() {
    await createControl({ control: "payout_waits" });
    return readPayout(await merchant.post("/payout", await send()), "Payout pending approval.");
  }

  it("makes one payout pending, and is not consumed by a retry of an earlier payout", async () => {
    const request = await send();
    const created = readPayout(await merchant.post("/payout", request), "Payout completed.");
    await createControl({ control: "payout_waits" });
    expect((await merchant.post("/payout", request)).headers.get("idempotent-replayed")).toBe("true");
    const held = readPayout(await merchant.post("/payout", await send()), "Payout pending approval.");
    expect([created.status, held.status]).toEqual(["completed", "pending"]);
    readPayout(await merchant.post("/payout", await send()), "Payout completed.");
  });

  it.each([
    ["completed", "payout.completed"],
    ["failed", "payout.failed"],
  ])(
    "lets a pending payout be decided as %s with its event, after which a retry writes nothing and a different outcome is rejected",
    async (outcome, event) => {
      const { payout_id: id } = await createPendingPayout();
      const decided = readPayout(await decide(id, outcome), "Payout decided");
      expect(decided.status).toBe(outcome);
      const again = await expectNoWrites(sandbox, () => decide(id, outcome));
      expect(readPayout(again, "Payout decided")).toEqual(decided);
      const other = await decide(id, outcome === "failed" ? "completed" : "failed");
      expect([other.status, errorCodeOf(other).code]).toEqual([409, "already_decided"]);
      const { rows } = await sandbox.database.pool.query("SELECT name FROM events WHERE payout_id = $1", [
        id,
      ]);
      expect(rows).toEqual([{ name: event }]);
      const records = await sandbox.database.prisma.auditRecord.findMany({ where: { subject: id } });
      const action = outcome === "completed" ? "test_payout.approve" : "test_payout.reject";
      expect(records).toMatchObject([{ action, administrator: sandbox.access.merchant.client_id }]);
      expect(JSON.parse(records[0]?.details ?? "")).toMatchObject({
        mode: "sandbox",
        currency: "EUR",
        amount_minor: "100",
        request_id: expect.any(String),
      });
    },
  );

  it("lets concurrent decisions settle a pending payout once", async () => {
    const { payout_id: id } = await createPendingPayout();
    const outcomes = ["completed", "failed", "completed", "failed"];
    const responses = await Promise.all(outcomes.map((outcome) => decide(id, outcome)));
    const won = readPayout(await merchant.get(`/payout/${id}`), "Payout details.").status;
    expect(responses.map(({ status }) => status)).toEqual(
      outcomes.map((outcome) => (outcome === won ? 200 : 409)),
    );
    const { rows } = await sandbox.database.pool.query("SELECT name FROM events WHERE payout_id = $1", [id]);
    expect(rows).toEqual([{ name: `payout.${won}` }]);
  });

  it("does not allow a decision on another merchant's payout or with an invalid outcome", async () => {
    const { payout_id: id } = await createPendingPayout();
    expect(errorCodeOf(await decide(id, "failed", other)).code).toBe("payout_not_found");
    expect(errorCodeOf(await decide("PO00000000", "failed")).code).toBe("payout_not_found");
    expect(errorCodeOf(await decide(id, "pending")).param).toBe("outcome");
    expect(errorCodeOf(await decide(id)).param).toBe("outcome");
    readPayout(await decide(id, "failed"), "Payout decided");
  });
});

describe("POST /test/controls", () => {
  it("reports each invalid field", async () => {
    expect(errorOf(await api.post("/test/controls", {}))).toEqual(fieldError("control", "is required"));
    expect(errorCodeOf(await api.post("/test/controls", { control: "call_never" })).param).toBe("control");
    const control = "delivery_late";
    for (const count of [0, MAX_CONTROL_COUNT + 1, 1.5])
      expect(errorOf(await api.post("/test/controls", { control, count }))).toEqual(
        fieldError("count", `must be a whole number from 1 to ${MAX_CONTROL_COUNT}`),
      );
    for (const seconds of [0, MAX_DELAY_SECONDS + 1])
      expect(errorCodeOf(await api.post("/test/controls", { control, seconds })).param).toBe("seconds");
    expect(await listControls()).toEqual([]);
  });

  it("accepts the smallest and largest values, and applies defaults to omitted fields", async () => {
    const most = { control: "delivery_late", count: MAX_CONTROL_COUNT, seconds: MAX_DELAY_SECONDS };
    expect(await createControl(most)).toMatchObject({
      control: "delivery_late",
      left: MAX_CONTROL_COUNT,
      seconds: MAX_DELAY_SECONDS,
    });
    expect(await createControl({ control: "call_timeout", count: 1, seconds: 1 })).toMatchObject({
      left: 1,
      seconds: 1,
    });
    expect(await createControl({ control: "delivery_never" })).toMatchObject({
      left: 1,
      seconds: DEFAULT_DELAY_SECONDS,
    });
  });

  it("rejects more than twenty controls, even if created concurrently", async () => {
    const responses = await Promise.all(
      Array.from({ length: MAX_TEST_CONTROLS + 5 }, () =>
        api.post("/test/controls", { control: "delivery_never" }),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(MAX_TEST_CONTROLS);
    const rejections = responses.filter(({ status }) => status !== 200);
    expect(new Set(rejections.map((response) => errorCodeOf(response).code))).toEqual(
      new Set(["too_many_test_controls"]),
    );
  });

  it("creates a control that has no effect after it expires", async () => {
    await createControl({ control: "call_unavailable" });
    await sandbox.database.pool.query("UPDATE test_controls SET expires_at = clock_timestamp()");
    expect(await listControls()).toEqual([]);
    expect((await newOrder("over")).status).toBe(200);
  });
});

describe("POST /test/time", () => {
  const passTime = (kind: string, id: string, moment: string, by: PayApi = api) =>
    by.post("/test/time", { kind, id, moment });
  const NOTHING = "nothing_that_ends";

  it("expires an order, with its event", async () => {
    const { order_id } = await createOrder(api);
    expect((await passTime("order", order_id, "after_end")).status).toBe(200);
    expect((await getOrder(api, order_id)).status).toBe("EXPIRED");
    expect(await eventNamesOf(sandbox, order_id)).toEqual(["pos.order.expired"]);
    expect(errorCodeOf(await passTime("order", order_id, "after_end")).code).toBe(NOTHING);
  });

  it("brings an order to just before its expiry, but does not extend its validity", async () => {
    const { order_id, expires_at } = await createOrder(api);
    expect((await passTime("order", order_id, "before_end")).status).toBe(200);
    const near = await getOrder(api, order_id);
    expect(near.status).toBe("PENDING");
    expect(Date.parse(near.expires_at)).toBeLessThan(Date.parse(expires_at));
    await passTime("order", order_id, "before_end");
    expect((await getOrder(api, order_id)).expires_at).toBe(near.expires_at);
  });

  it("expires quotes and lookup tokens, but not a used quote", async () => {
    const merchant = partnerApi(server, sandbox.access.merchant.api_token);
    const lookup_token = await lookUpRecipient(merchant, await addRecipient(sandbox));
    const quote = async () =>
      readQuote(
        await merchant.post("/quote", {
          lookup_token,
          amount: 1,
          sender_currency: "EUR",
          receiver_currency: "EUR",
        }),
      );
    const [used, ended] = [await quote(), await quote()];
    const pay = (quote_id: string) =>
      merchant.post("/payout", { quote_id, reference: quote_id, idempotency_key: quote_id });
    readPayout(await pay(used.quote_id), "Payout completed.");
    expect(errorCodeOf(await passTime("quote", used.quote_id, "after_end")).code).toBe(NOTHING);
    expect((await passTime("quote", ended.quote_id, "after_end")).status).toBe(200);
    expect(errorCodeOf(await pay(ended.quote_id)).code).toBe("invalid_quote");
    expect((await passTime("lookup_token", lookup_token, "after_end")).status).toBe(200);
    const late = { lookup_token, amount: 1, sender_currency: "EUR", receiver_currency: "EUR" };
    expect(errorCodeOf(await merchant.post("/quote", late)).code).toBe("invalid_lookup_token");
  });

  it("rejects objects of another merchant, credentials that do not expire, and unknown or malformed IDs", async () => {
    const { order_id } = await createOrder(api);
    for (const [kind, id, by] of [
      ["order", order_id, other],
      ["order", "POS-20200101-AAAAAA", api],
      ["quote", "no id", api],
      ["lookup_token", "00000000-0000-4000-8000-000000000000", api],
      ["credential", sandbox.access.merchant.client_id, api],
      ["credential", sandbox.access.merchant.client_id, other],
    ] as const)
      expect(errorCodeOf(await passTime(kind, id, "after_end", by)).code).toBe(NOTHING);
    expect((await getOrder(api, order_id)).status).toBe("PENDING");
  });

  it("reports each invalid field", async () => {
    expect(errorCodeOf(await passTime("payout", "x", "after_end")).param).toBe("kind");
    expect(errorCodeOf(await passTime("order", "x", "later")).param).toBe("moment");
    expect(errorCodeOf(await passTime("order", "x".repeat(65), "after_end")).param).toBe("id");
    expect(errorCodeOf(await passTime("order", "", "after_end")).param).toBe("id");
  });
});

describe("test controls in live mode", () => {
  it("are not available (404), and sandbox controls do not affect live requests", async () => {
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const path of ["/test/controls", "/test/controls/clear", "/test/time", "/test/payouts/PO00000000"])
      for (const response of [await live.post(path, { control: "call_unavailable" }), await live.get(path)])
        expect([path, response.status]).toEqual([path, 404]);
    await createControl({ control: "call_unavailable", count: 3 });
    expect((await live.get("/orders")).status).toBe(200);
    expect((await listControls()).map(({ left }) => left)).toEqual([3]);
  });
});
