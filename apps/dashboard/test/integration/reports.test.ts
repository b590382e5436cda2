import { beforeEach, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const HOME = `/m/${MERCHANT}/sandbox`;
const EDGE = `/merchants/${MERCHANT}/sandbox`;
beforeEach(() => {
  api.responses["GET /me"] = me("finance");
});
const open = async (path: string) =>
  (await new Visitor(started.origin).signedIn().get(`${HOME}${path}`)).body
    .replaceAll(/<!-- -->/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("\u00a0", " ");

const TOTALS = {
  opening_balance: "10.00",
  credits: "40.00",
  debits: "5.00",
  fees: "0.50",
  closing_balance: "44.50",
  entry_count: 3,
};

const entry = (known: object) => ({
  ...{ entry_id: "1", type: "payment", currency: "EUR", gross: "40.00", fee: "0.00", net: "40.00" },
  ...{ balance: "50.00", order_id: null, trx_id: null, refund_id: null, payout_id: null, reference: null },
  ...{ order_number: null, metadata: null, corrects_entry_id: null, created_at: "2025-11-21T10:00:00+00:00" },
  ...known,
});

const day = (known: object) => ({
  ...{ wallet: "EUR", currency: "EUR", date: "2025-11-21", time_zone: "UTC" },
  ...{ starts_at: "2025-11-21T00:00:00+00:00", ends_at: "2025-11-22T00:00:00+00:00", closed: true },
  ...TOTALS,
  ...{ entries: [], next_cursor: null },
  ...known,
});

it("the reports page links the chosen wallet's months to their days, and links to older months and other wallets", async () => {
  const wallets = ["EUR", "EUR-held"].map((wallet) => ({
    ...{ wallet, currency: "EUR", balance: "44.50", first_entry_at: "2024-01-01T00:00:00+00:00" },
  }));
  api.responses[`GET ${EDGE}/reports`] = success({ wallets });
  const months = [{ period: "2025-11", ...TOTALS }];
  api.responses[`GET ${EDGE}/reports/EUR/months`] = success({ currency: "EUR", months, next: "2025-11" });
  const body = await open("/reports");
  expect(body).toContain(`href="${HOME}/reports/EUR/months/2025-11"`);
  expect(body).toContain(`href="${HOME}/reports?before=2025-11"`);
  expect(body).toContain(`href="${HOME}/reports?wallet=EUR-held"`);
  for (const amount of ["EUR 10.00", "EUR 40.00", "EUR 5.00", "EUR 0.50", "EUR 44.50"])
    expect(body).toContain(amount);
});

it("the reports page shows an empty state for a merchant without wallets", async () => {
  api.responses[`GET ${EDGE}/reports`] = success({ wallets: [] });
  expect(await open("/reports")).toContain('data-testid="empty"');
});

it("the page of a month has a row for each day with entries, and offers the month's statement as a file and in print", async () => {
  const days = ["2025-11-20", "2025-11-21"].map((period) => ({ period, ...TOTALS }));
  api.responses[`GET ${EDGE}/reports/EUR/months/2025-11`] = success({ currency: "EUR", total: TOTALS, days });
  const body = await open("/reports/EUR/months/2025-11");
  for (const { period } of days) expect(body).toContain(`href="${HOME}/reports/EUR/days/${period}"`);
  expect(body).toContain(`href="${HOME}/wallets/EUR/print?from=2025-11-01&to=2025-11-21"`);
  expect(body).toContain(`action="${HOME}/wallets/EUR/statement.csv"`);
  expect(body).toContain('name="from" value="2025-11-01"');
  expect(body).toContain('name="to" value="2025-11-21"');

  api.responses[`GET ${EDGE}/reports/EUR-held/months/2025-11`] = success({
    ...{ currency: "EUR", total: TOTALS, days },
  });
  const held = await open("/reports/EUR-held/months/2025-11");
  expect(held).toContain(`action="${HOME}/wallets/EUR-held/statement.csv"`);
  expect(held).toContain(`href="${HOME}/wallets/EUR-held/print?from=2025-11-01&to=2025-11-21"`);

  const quiet = [{ period: "2025-11-20", ...TOTALS, entry_count: 0 }, ...days.slice(1)];
  api.responses[`GET ${EDGE}/reports/EUR/months/2025-11`] = success({
    ...{ currency: "EUR", total: TOTALS, days: quiet },
  });
  expect(await open("/reports/EUR/months/2025-11")).not.toContain(`${HOME}/reports/EUR/days/2025-11-20`);

  const future = { currency: "EUR", total: TOTALS, days: [] };
  api.responses[`GET ${EDGE}/reports/EUR/months/2999-01`] = success(future);
  expect(await open("/reports/EUR/months/2999-01")).toContain('data-testid="empty"');
});

it("the printed statement of a held balance has “on hold” in its title, and links back to the reports of the held balance", async () => {
  const money = { amount: "10.00", currency: "EUR" };
  const period = { opening: money, closing: money, total: 0, items: [] };
  api.responses[`GET ${EDGE}/wallets/EUR-held/statement/period`] = success(period);
  const body = await open("/wallets/EUR-held/print");
  expect(body).toContain("Statement of EUR on hold");
  expect(body).toContain(`href="${HOME}/reports?wallet=EUR-held"`);
  expect(body).toContain(`action="${HOME}/wallets/EUR-held/print"`);
  expect(body).not.toContain(`href="${HOME}/wallets/EUR-held"`);
});

it("the page of a day shows whether the day is final, and links payments, refunds and payouts to their pages", async () => {
  const path = `GET ${EDGE}/reports/EUR/days/2025-11-21`;
  api.responses[path] = success(
    day({
      entries: [
        entry({ order_id: "O-1", reference: "cart 1" }),
        entry({ entry_id: "2", type: "refund", order_id: "O-1", refund_id: "RF-1", net: "-5.00" }),
        entry({ entry_id: "3", type: "payout", payout_id: "PO-1", fee: "0.50" }),
        entry({ entry_id: "4", type: "top_up" }),
      ],
      next_cursor: "next",
    }),
  );
  const body = await open("/reports/EUR/days/2025-11-21");
  for (const [place, text] of [
    ["orders/O-1", "Payment"],
    ["refunds/RF-1", "Refund"],
    ["payouts/PO-1", "Payout"],
  ])
    expect(body).toContain(`<a href="${HOME}/${place}">${text}</a>`);
  expect(body).toContain("Test funds");
  // A refund without a reference shows the reference of its order.
  expect(body).toContain('<td data-title="Reference">O-1</td>');
  expect(body).toContain('<time dateTime="2025-11-21T10:00:00+00:00">10:00:00 UTC</time>');
  expect(body).toContain("Final. Later corrections");
  expect(body).toContain(`href="${HOME}/reports/EUR/days/2025-11-21?before=next"`);
  for (const other of ["2025-11-20", "2025-11-22"])
    expect(body).toContain(`href="${HOME}/reports/EUR/days/${other}"`);

  api.responses[path] = success(day({ closed: false, entry_count: 0 }));
  const empty = await open("/reports/EUR/days/2025-11-21");
  expect(empty).toContain("Not final yet");
  expect(empty).toContain("No movements on this day");
  expect(empty).not.toContain("statement.csv");
});

it("the fees page has a row for each month and currency with fees, and links each row to the month's statement", async () => {
  const totals = ["EUR", "USD"].map((currency) => ({ currency, fees: "12.50" }));
  const months = [{ month: "2025-11", number: "TEST-FEES-2025-11-4A5DE1C26D0E", totals }];
  api.responses[`GET ${EDGE}/reports/fees`] = success({ months, next: "2025-11" });
  const body = await open("/reports/fees");
  expect(body.split(`href="${HOME}/reports/fees/2025-11"`)).toHaveLength(3);
  for (const amount of ["EUR 12.50", "USD 12.50"]) expect(body).toContain(amount);
  expect(body).toContain(`href="${HOME}/reports/fees?before=2025-11"`);

  api.responses[`GET ${EDGE}/reports/fees`] = success({ months: [], next: "2025-11" });
  expect(await open("/reports/fees")).toContain("No fees in these 12 months");
});

it("a fee statement has its number, days, state and totals, and can be printed", async () => {
  const statement = {
    ...{ number: "TEST-FEES-2025-11-4A5DE1C26D0E-EUROPE-PARIS", month: "2025-11", time_zone: "Europe/Paris" },
    ...{ starts_at: "2025-10-31T23:00:00+00:00", ends_at: "2025-11-30T23:00:00+00:00", closed: true },
    totals: [{ currency: "EUR", fees: "12.50" }],
  };
  api.responses[`GET ${EDGE}/reports/fees/2025-11`] = success(statement);
  const body = await open("/reports/fees/2025-11");
  for (const text of [
    statement.number,
    "1 November 2025 – Sunday, 30 November 2025",
    "Final",
    "Fees in EUR",
    "EUR 12.50",
  ])
    expect(body).toContain(text);
  expect(body).toContain("data-print");

  api.responses[`GET ${EDGE}/reports/fees/2025-11`] = success({ ...statement, closed: false, totals: [] });
  const empty = await open("/reports/fees/2025-11");
  expect(empty).toContain("Not final yet");
  expect(empty).toContain("No fees were charged");
});

it("the reports page and its link in the navigation are hidden from roles without the right to view reports", async () => {
  api.responses["GET /me"] = me("viewer");
  api.responses[`GET ${EDGE}/reports`] = success({ wallets: [] });
  const body = await open("/reports");
  expect(body).not.toContain(`href="${HOME}/reports"`);
  expect(body).not.toContain('data-testid="empty"');
});
