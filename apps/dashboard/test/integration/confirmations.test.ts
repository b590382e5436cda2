import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();
const sent = () => api.changes().map(({ path, body }) => [path, JSON.parse(body)]);
const money = (amount: string, currency = "EUR") => ({ amount, currency });

/** The text and the fields of a redisplayed form's question. */
function questionIn(body: string, action: string): { text: string; fields: Record<string, string> } {
  const form = body
    .split("<form")
    .find((part) => part.includes(`data-action="${action}"`) && part.includes('data-testid="question"'));
  if (form === undefined) throw new Error(`No question in the form ${action}`);
  const fields: Record<string, string> = {};
  for (const [input] of form.matchAll(/<input type="hidden"[^>]*>/g)) {
    const [name, value] = ["name", "value"].map((key) => new RegExp(` ${key}="([^"]*)"`).exec(input)?.[1]);
    if (name !== undefined) fields[name] = (value ?? "").replaceAll("&quot;", '"');
  }
  const text = form.split('data-testid="question"')[1]?.split("<button")[0] ?? "";
  return { text: text.replace(/<[^>]*>/g, " ").replace(/[\s\u00a0\u202f]+/g, " "), fields };
}

/** The button that Enter in a field activates: the form's first button, unless it is disabled. */
function firstButtonOf(body: string, action: string): string {
  const form = body.split("<form").find((part) => part.includes(`data-action="${action}"`)) ?? "";
  return /<button[^>]*>/.exec(form)?.[0] ?? "";
}

describe("refund confirmation", () => {
  const PAGE = `/m/${MERCHANT}/live/orders/POS-1`;
  const EDGE = `/merchants/${MERCHANT}/live/orders/POS-1`;
  const order = (left: string, refunded = "0.00", payer_money: object | null = null) =>
    success({
      ...{ order_id: "POS-1", status: "PAID", money: money("41.50"), refunded: money(refunded) },
      ...{ refund_pending: money("0.00"), payment_method: "both", reference: null, order_number: "1042" },
      ...{ description: null, terminal_id: null, trx_id: "TRX-1", paid_at: "2026-05-01T10:01:00+00:00" },
      ...{ created_at: "2026-05-01T10:00:00+00:00", expires_at: "2026-05-01T10:15:00+00:00" },
      ...{ callback_url: null, payment_url: "https://pay.example/p/1", metadata: null, client_id: null },
      ...{ custom: null, locale: null, return_url: null, cancel_url: null },
      payer: { name: "Amélie", email: "a•••@example.com", phone: null },
      ...{ payer_money, refunds: [], more_refunds: false, refundable: money(left) },
      ...{ refunds_need_approval: false, cancellable: false, link: null, till: null, trace_url: null },
    });
  beforeEach(() => {
    api.responses["GET /me"] = me("owner", true);
    api.responses[`GET ${EDGE}`] = order("41.50");
    api.responses[`GET ${EDGE}/timeline`] = success({ entries: [], more: false });
    api.responses[`POST ${EDGE}/refunds`] = success({
      ...{
        refund_id: "RF-1",
        order_id: "POS-1",
        order_reference: null,
        order_number: null,
        status: "completed",
        money: money("41.50"),
        reason: null,
      },
      ...{
        received: null,
        reference: null,
        created_at: "2026-05-01T10:00:00+00:00",
        settled_at: null,
        transaction_id: "TRX-1",
      },
    });
  });
  const typed = (amount: string) => ({ amount, reason: "Broken", idempotency_key: "key-1" });

  it("is not shown for the ambiguous amount 1,000, which is rejected with both readings", async () => {
    const { status, body } = await visit().send(PAGE, "refund", typed("1,000"));
    expect([status, sent()]).toEqual([422, []]);
    expect(body.replace(/[\u00a0\u202f]/g, " ")).toContain(
      "“1,000” could mean EUR 1.00 or EUR 1,000.00. Enter 1.00 or 1000.",
    );
  });

  it("shows the full amount if the field is empty, and sends this amount even if the form is submitted twice", async () => {
    const visitor = visit();
    const response = await visitor.send(PAGE, "refund", typed(""));
    expect([response.status, sent()]).toEqual([200, []]);
    const { text, fields } = questionIn(response.body, "refund");
    expect(text).toContain("Refund the full EUR 41.50?");
    for (const shown of ["1042", "Amélie", "Broken"]) expect(text).toContain(shown);
    expect((await visitor.post(PAGE, fields)).status).toBe(303);
    const body = { amount: "41.50", reason: "Broken", idempotency_key: "key-1" };
    expect(sent()).toEqual([[`${EDGE}/refunds`, body]]);
    // Submitted again: nothing remains by now, but the amount is the confirmed one.
    api.responses[`GET ${EDGE}`] = order("0.00", "41.50");
    expect((await visitor.post(PAGE, fields)).status).toBe(303);
    expect(sent()).toEqual([1, 2].map(() => [`${EDGE}/refunds`, body]));
  });

  it("shows the parsed amount, and returns to the fields with this amount on request", async () => {
    const visitor = visit();
    const response = await visitor.send(PAGE, "refund", typed("12,5"));
    const { text, fields } = questionIn(response.body, "refund");
    expect(text).toContain("Refund EUR 12.50?");
    const changed = await visitor.post(PAGE, { ...fields, change: "1" });
    expect([changed.status, sent()]).toEqual([200, []]);
    expect(changed.body).toContain('value="12.5"');
    expect(changed.body).not.toContain('data-testid="question"');
  });

  it("is shown again if the submitted amount differs from the confirmed amount", async () => {
    const visitor = visit();
    const { fields } = questionIn((await visitor.send(PAGE, "refund", typed("2"))).body, "refund");
    const { status, body } = await visitor.post(PAGE, { ...fields, amount: "20" });
    expect([status, sent()]).toEqual([200, []]);
    expect(questionIn(body, "refund").text).toContain("Refund EUR 20.00?");
  });

  it("shows what the shop refunds and what the payer receives for a converted payment", async () => {
    api.responses[`GET ${EDGE}`] = order("31.50", "10.00", money("27498", "XAF"));
    const { body } = await visit().send(PAGE, "refund", typed("20"));
    const text = questionIn(body, "refund").text.replace(/[\u00a0\u202f]/g, " ");
    expect(text).toContain("Refund EUR 20.00?");
    // floor(27498 × 30 ÷ 41.50) − floor(27498 × 10 ÷ 41.50)
    expect(text).toContain("XAF 13,252");
    expect((await visit().send(PAGE, "refund", typed(""))).body.replace(/[\u00a0\u202f]/g, " ")).toContain(
      "XAF 20,872",
    );
  });

  it("defaults to the remaining amount after a partial refund", async () => {
    api.responses[`GET ${EDGE}`] = order("20.00", "21.50");
    const { body } = await visit().send(PAGE, "refund", typed(""));
    expect(questionIn(body, "refund").text).toContain("Refund the remaining EUR 20.00?");
  });
});

describe("approval decision", () => {
  const PAGE = "/admin/approvals";
  const REQUEST = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e77";
  const at = "2026-05-01T10:00:00+00:00";
  beforeEach(() => {
    api.responses["GET /me"] = me("administrator", true);
    api.responses["GET /administration/approvals"] = success({
      payouts: [
        {
          ...{ payout_id: "PO-1", mode: "live", merchant: "Kiln & Clover", reference: "wages" },
          ...{ money: money("1234.56"), fee: money("1.00"), received: money("809817", "XAF") },
          ...{ recipient: "Noé", recipient_active: true, created_at: at },
        },
      ],
      refunds: [
        {
          ...{ refund_id: "RF-1", mode: "live", merchant: "Kiln & Clover", order_id: "POS-1" },
          ...{
            money: money("41.50"),
            received: money("27222", "XAF"),
            recipient: "Amélie",
            reason: null,
            created_at: at,
          },
        },
      ],
      requests: [
        {
          ...{ request_id: REQUEST, kind: "deposit", mode: "live", money: money("90000.00") },
          ...{ owner: "Kiln & Clover", reference: "SEPA 1", requested_by: "x@example.com", requested_at: at },
        },
      ],
    });
    for (const [kind, id] of [
      ["payouts", "PO-1"],
      ["refunds", "RF-1"],
      ["requests", REQUEST],
    ])
      api.responses[`POST /administration/approvals/${kind}/${id}`] = success({
        ...{ id, status: "completed", password_half: null },
      });
  });

  it("is not submitted by Enter in the reason field: the form has no default button", async () => {
    const { body } = await visit().get(PAGE);
    expect(firstButtonOf(body, "decide")).toContain("disabled");
  });

  it("requires a choice between approval and rejection", async () => {
    const { status } = await visit().send(PAGE, "decide", { kind: "payouts", of: "PO-1", reason: "No" });
    expect([status, sent()]).toEqual([422, []]);
  });

  it.each([
    [
      "payouts",
      "PO-1",
      "approve",
      "Approve this payout?",
      ["EUR 1,234.56", "Kiln &amp; Clover", "Noé", "XAF 809,817"],
    ],
    [
      "payouts",
      "PO-1",
      "decline",
      "Reject this payout?",
      ["EUR 1,234.56", "Kiln &amp; Clover", "Noé", "Fraud"],
    ],
    [
      "refunds",
      "RF-1",
      "approve",
      "Approve this refund?",
      ["EUR 41.50", "Kiln &amp; Clover", "Amélie", "POS-1"],
    ],
    [
      "requests",
      REQUEST,
      "decline",
      "Reject this request?",
      ["Deposit", "EUR 90,000.00", "Kiln &amp; Clover"],
    ],
  ])(
    "is sent only after a confirmation that shows the item's details: %s %s, %s",
    async (kind, id, decision, question, facts) => {
      const visitor = visit();
      const response = await visitor.send(PAGE, "decide", { kind, of: id, reason: "Fraud", decision });
      expect([response.status, sent()]).toEqual([200, []]);
      const { text, fields } = questionIn(response.body, "decide");
      for (const shown of [question, ...facts]) expect(text).toContain(shown);
      expect((await visitor.post(PAGE, fields)).status).toBe(303);
      expect(sent()).toEqual([
        [`/administration/approvals/${kind}/${id}`, { approve: decision === "approve", reason: "Fraud" }],
      ]);
    },
  );

  it("is sent without confirmation if the item is already decided, so that the API rejects it", async () => {
    api.responses["POST /administration/approvals/payouts/PO-2"] = rejection(409, "already_decided");
    api.responses["GET /administration/audit"] = success({ records: [], next: null });
    const { status } = await visit().send(PAGE, "decide", {
      kind: "payouts",
      of: "PO-2",
      decision: "approve",
    });
    expect(status).toBe(409);
  });
});

describe("administration form with amounts", () => {
  const currency = { code: "EUR", name: "Euro", symbol: "€", digits: 2, type: "fiat", active: true };
  beforeEach(() => {
    api.responses["GET /me"] = me("administrator", true);
    api.responses["GET /administration/fees"] = success({ fees: [] });
    api.responses["GET /administration/limits"] = success({ limits: [] });
    api.responses["GET /administration/rates/live"] = success({ rates: [] });
    api.responses["GET /administration/currencies"] = success({
      currencies: [{ ...currency, single_administrator_limit: money("10000.00") }],
    });
    const id = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e78";
    api.responses["POST /administration/funds"] = success({
      ...{ outcome: "requested", id, money: money("1000.00"), owner: "Kiln & Clover GmbH" },
    });
    api.responses["POST /administration/fees"] = success({});
    api.responses["POST /administration/limits"] = success({ changed: true });
    api.responses["POST /administration/rates/live"] = success({ rates: 1 });
    api.responses["POST /administration/currencies/EUR/single-limit"] = success({
      ...{ outcome: "set", request_id: null, limit: money("25000.00") },
    });
  });
  const deposit = { kind: "deposit", mode: "live", owner: "merchant", currency: "EUR", reference: "SEPA 1" };

  it.each([
    ["/admin/funds", "move", { ...deposit, wallet: "Kiln", amount: "1,000" }],
    ["/admin/fees", "set", { mode: "live", currency: "EUR", fixed: "1,000", percent: "0", merchant: "" }],
    ["/admin/fees", "set", { mode: "live", currency: "EUR", fixed: "0", percent: "2.500", merchant: "" }],
    [
      "/admin/limits",
      "set",
      { mode: "live", merchant: "Kiln", currency: "EUR", authorized: "keep", daily: "1,000" },
    ],
    ["/admin/rates/live", "set", { base: "EUR", quote: "XAF", rate: "655,957", spread_percent: "" }],
    ["/admin/currencies", "limit", { of: "EUR", amount: "1.000" }],
  ])("rejects an ambiguous amount at %s", async (page, action, fields) => {
    const { status, body } = await visit().send(page, action, fields);
    expect([status, sent()]).toEqual([422, []]);
    expect(body).toContain("could mean");
  });

  it("asks for confirmation of a live deposit, and shows the owner that the API found", async () => {
    const visitor = visit();
    const response = await visitor.send("/admin/funds", "move", {
      ...deposit,
      wallet: "Kiln",
      amount: "1,000.00",
    });
    const { text, fields } = questionIn(response.body, "move");
    for (const shown of [
      "Record a deposit of EUR 1,000.00 into Kiln &amp; Clover GmbH’s wallet?",
      "SEPA 1",
      "Live",
      "must approve",
    ])
      expect(text).toContain(shown);
    const asks = {
      ...{ kind: "deposit", mode: "live", currency: "EUR", merchant: "Kiln" },
      ...{ amount: "1000.00", reference: "SEPA 1" },
    };
    expect(sent()).toEqual([["/administration/funds", { ...asks, dry_run: true }]]);
    await visitor.post("/admin/funds", fields);
    expect(sent().at(-1)).toEqual(["/administration/funds", asks]);
  });

  it.each([
    [
      "/admin/fees",
      "set",
      { mode: "live", currency: "eur", fixed: "0.5", percent: "1,5", merchant: "" },
      "Charge EUR 0.50 plus 1.5% of the amount per payout?",
    ],
    [
      "/admin/rates/live",
      "set",
      { base: "eur", quote: "xaf", rate: "655.9570", spread_percent: "1" },
      "Set the rate to 1 EUR = 655.957 XAF?",
    ],
    [
      "/admin/currencies",
      "limit",
      { of: "EUR", amount: "25,000.00" },
      "Allow a single administrator to move up to EUR 25,000.00?",
    ],
    [
      "/admin/limits",
      "set",
      {
        mode: "live",
        merchant: "Kiln",
        currency: "EUR",
        authorized: "keep",
        daily: "12,500.00",
        monthly: "-",
      },
      "EUR 12,500.00",
    ],
  ])("asks for confirmation with the parsed values at %s", async (page, action, fields, question) => {
    const visitor = visit();
    const response = await visitor.send(page, action, fields);
    expect([response.status, sent()]).toEqual([200, []]);
    const shown = questionIn(response.body, action);
    expect(shown.text).toContain(question);
    expect((await visitor.post(page, shown.fields)).status).toBe(303);
    expect(sent()).toHaveLength(1);
  });
});

describe("amount filter of a list", () => {
  const PAGE = `/m/${MERCHANT}/live/orders`;
  const empty = success({
    items: [],
    next: null,
    previous: null,
    partial: false,
    looked_to: null,
    totals: { count: 0, sums: [], partial: false },
  });
  beforeEach(() => {
    api.responses["GET /me"] = me("owner", true);
    api.responses[`GET /merchants/${MERCHANT}/live/orders`] = empty;
    api.responses[`GET /merchants/${MERCHANT}/live/views`] = success({ views: [] });
  });

  it("accepts an amount in the same notation as forms, and converts it for exports", async () => {
    const { body } = await visit().get(`${PAGE}?currency=EUR&min_amount=1%2C000.50`);
    expect(body).toContain('value="1,000.50"');
    expect(body).toContain("orders.csv?currency=EUR&amp;min_amount=1000.50");
  });

  it("reports an ambiguous amount", async () => {
    const { body } = await visit().get(`${PAGE}?currency=EUR&min_amount=1%2C000`);
    expect(body).toContain("Please correct: minimum amount.");
  });
});

describe("repeating a payout", () => {
  const PAYOUT = "/payouts/PO-1";
  it("starts with the same recipient, amount and received currency", async () => {
    const edge = `/merchants/${MERCHANT}/live${PAYOUT}`;
    api.responses = {
      "GET /me": me("owner", true),
      [`GET ${edge}`]: success({
        ...{ payout_id: "PO-1", status: "completed", reference: "wages", description: null },
        ...{
          money: money("1234.5"),
          fee: money("1.00"),
          total: money("1235.50"),
          received: money("80", "XAF"),
        },
        ...{ rate: "655.957", trx_id: "TRX-1", created_at: "2026-05-01T10:00:00+00:00", processed_at: null },
        ...{ metadata: null, recipient: { name: "Noé", email: null, phone: null }, trace_url: null },
      }),
      [`GET ${edge}/timeline`]: success({ entries: [], more: false }),
      [`GET /merchants/${MERCHANT}/live/wallets`]: success({ wallets: [], openable: [] }),
      [`POST ${edge}/lookup`]: success({
        lookup_token: "6e35bc83-3ccd-473e-b9c4-160aa69c66c3",
        recipient: {
          name: "Noé",
          currencies: ["EUR", "XAF"].map((code) => ({ code, symbol: code, type: "FIAT" })),
        },
      }),
    };
    const visitor = visit();
    const { status, to } = await visitor.send(`/m/${MERCHANT}/live${PAYOUT}`, "again", {});
    expect([status, to]).toEqual([303, `/m/${MERCHANT}/live/payouts/new`]);
    const { body } = await visitor.get(to ?? "");
    expect(body).toContain("Noé");
    expect(body).toMatch(/name="amount"[^>]*value="1,?234.5/);
    expect(body).toMatch(/name="receiver_currency".*value="XAF" selected/s);
    expect(sent()).toEqual([[`${edge}/lookup`, {}]]);
  });
});
