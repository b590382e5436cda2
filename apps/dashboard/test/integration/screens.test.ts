import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, REFUND, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const HOME = `/m/${MERCHANT}/sandbox`;
const EDGE = `/merchants/${MERCHANT}/sandbox`;
beforeEach(() => {
  api.responses["GET /me"] = me();
});
const open = async (path: string) =>
  (await new Visitor(started.origin).signedIn().get(`${HOME}${path}`)).body.replaceAll(/<!-- -->/g, "");

/** A timeline entry with only the given fields set. */
const entry = (known: object) => ({
  ...{
    at: "2026-05-01T10:00:00+00:00",
    id: "1",
    request_id: null,
    client_id: null,
    user: null,
    action: null,
  },
  ...{ reason: null, money: null, lines: [], event: null, address: null, status: null, attempt: null },
  ...{
    http_status: null,
    error: null,
    likely_cause: null,
    shop_step: null,
    shop_order_status: null,
    latency_ms: null,
  },
  ...known,
});
const attempt = (delivery: string, number: number, status: number) =>
  entry({
    kind: "attempt",
    id: delivery,
    attempt: number,
    http_status: status,
    address: `https://${delivery}.example`,
  });

describe("timeline", () => {
  it("groups the attempts of a delivery under the last attempt", async () => {
    api.responses[`GET ${EDGE}/refunds/RF-1`] = success(REFUND);
    api.responses[`GET ${EDGE}/refunds/RF-1/timeline`] = success({
      entries: [
        entry({ kind: "refund.created" }),
        ...[1, 2, 3].map((number) => attempt("first", number, 500)),
        attempt("second", 1, 200),
        attempt("first", 4, 204),
      ],
      more: false,
    });
    const body = await open("/refunds/RF-1");
    const kinds = [...body.matchAll(/<li data-kind="([^"]*)"/g)].map(([, kind]) => kind);
    expect(kinds).toEqual(["refund.created", "attempt", "attempt"]);
    expect(body.match(/<details class="more"><summary>3 earlier attempts<\/summary>/g)).toHaveLength(1);
    expect(body).toMatch(/attempt 4 · Response 204/);
    for (const number of [1, 2, 3]) expect(body).toMatch(new RegExp(`attempt ${number} · Response 500`));
  });
});

describe("till", () => {
  it.each([
    ["4.00", "EUR", "usual"],
    ["12345.00", "EUR", "long"],
    ["10000000000000", "XAF", "longest"],
  ])("displays %s %s at size '%s'", async (amount, currency, size) => {
    const till = {
      ...{ till_id: "T-1", name: "Counter", terminal_id: "counter", currency, digits: 2, paused: false },
      ...{ code_url: "https://pay.example/t/1", created_at: "2026-05-01T10:00:00+00:00" },
    };
    const order = {
      ...{
        order_id: "POS-1",
        status: "PENDING",
        money: { amount, currency },
        description: null,
        trx_id: null,
      },
      ...{ payment_url: "https://pay.example/pay/1", expires_in_ms: 60_000 },
      ...{ created_at: "2026-05-01T10:00:00+00:00", paid_at: null },
    };
    api.responses[`GET ${EDGE}/tills/T-1`] = success({ till, open: order });
    api.responses[`GET ${EDGE}/tills/T-1/orders/POS-1`] = success({ order });
    expect(await open("/tills/T-1?order=POS-1")).toContain(`<h1 class="till-sum" data-size="${size}"`);
  });
});

describe("empty state", () => {
  it("offers to clear the filter if it excludes all deliveries", async () => {
    api.responses[`GET ${EDGE}/deliveries`] = success({ deliveries: [], next: null });
    const failed = await open("/webhooks/deliveries?status=failed");
    expect(failed).toContain("No matches");
    expect(failed).toContain(`href="${HOME}/webhooks/deliveries">Clear all</a>`);
    expect(await open("/webhooks/deliveries")).not.toContain("No matches");
  });

  it("distinguishes having no merchants from having no matches", async () => {
    api.responses["GET /me"] = me("administrator", true);
    api.responses["GET /administration/merchants"] = success({ merchants: [] });
    const read = async (path: string) => (await new Visitor(started.origin).signedIn().get(path)).body;
    expect(await read("/admin/merchants?search=")).toContain("No merchants yet");
    expect(await read("/admin/merchants?search=Kiln")).toContain("No matches");
  });

  it("does not claim that nothing matches after a partial scan of API calls", async () => {
    api.responses[`GET ${EDGE}/requests`] = success({ items: [], next: "7", partial: true });
    api.responses[`GET ${EDGE}/credentials`] = success({ credentials: [] });
    const body = await open("/developers/requests?status=5xx");
    expect(body).toContain("No matches so far");
    expect(body).not.toContain("<h2>No matches</h2>");
  });
});

it("the payout list formats rates for the page's language and labels its total as excluding fees", async () => {
  const money = { amount: "5.00", currency: "EUR" };
  api.responses[`GET ${EDGE}/views`] = success({ views: [] });
  api.responses[`GET ${EDGE}/payouts`] = success({
    items: [
      {
        ...{
          payout_id: "PO1",
          status: "completed",
          reference: "wages",
          description: null,
          money,
          fee: money,
        },
        ...{
          total: money,
          received: { amount: "3275", currency: "XAF" },
          rate: "1655.9570000001",
          trx_id: null,
        },
        ...{ created_at: "2026-05-01T10:00:00+00:00", processed_at: null },
      },
    ],
    ...{ next: null, previous: null, partial: false, looked_to: null },
    totals: { count: 1, sums: [money], partial: false },
  });
  const body = await open("/payouts?columns=rate");
  expect(body).toContain("1,655.9570000001");
  expect(body.replaceAll("\u00a0", " ")).toContain(
    '1 result</strong> · <span class="sum">EUR 5.00</span> (excluding fees)',
  );
});
