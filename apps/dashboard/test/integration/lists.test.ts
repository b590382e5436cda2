import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Console, startConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const HOME = `/m/${MERCHANT}/sandbox`;
const money = (amount: string) => ({ amount, currency: "EUR" });
const ORDER = {
  order_id: "POS-1",
  status: "PAID",
  money: money("4.00"),
  refunded: money("1.25"),
  refund_pending: money("0.00"),
  payment_method: "both",
  reference: "cart 7",
  order_number: null,
  description: null,
  terminal_id: "counter",
  trx_id: "TRX-1",
  created_at: "2026-05-01T10:00:00+00:00",
  expires_at: "2026-05-01T10:15:00+00:00",
  paid_at: "2026-05-01T10:01:00+00:00",
};

let started: Console;
beforeAll(async () => {
  started = await startConsole();
  started.api.answers["GET /me"] = me();
  started.api.answers[`GET /merchants/${MERCHANT}/sandbox/orders`] = success({
    items: [ORDER],
    next: "POS-1",
    previous: null,
    partial: false,
  });
});
afterAll(() => started.stop());

const open = async (query: string) =>
  (await new Visitor(started.origin).signedIn().get(`${HOME}/orders${query}`)).body;
const headsOf = (body: string) =>
  [...body.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, text]) => text?.replace(/<[^>]*>/g, ""));
const linksOf = (body: string, ending: string) =>
  [...body.matchAll(/href="([^"]*)"/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => href.includes(ending));

describe("the columns of a list", () => {
  const usual = ["Order", "Amount", "Status", "Method", "Created"];

  it.each([
    ["", usual],
    ["?columns=trx_id,paid_at", ["Order", "Transaction", "Paid"]],
    ["?columns=paid_at&columns=trx_id", ["Order", "Paid", "Transaction"]],
    ["?columns=trx_id,nonsense,trx_id,__proto__", ["Order", "Transaction"]],
    ["?columns=order_id", ["Order"]],
    ["?columns=nonsense", usual],
    ["?columns=", usual],
  ])("of the address %s are those it knows, in its order, once each", async (query, heads) => {
    expect(headsOf(await open(query))).toEqual(heads);
  });

  it("stay with the filters, and the filters with them", async () => {
    const body = await open("?status=PAID&columns=trx_id,paid_at");
    expect(body).toContain('<input type="hidden" name="columns" value="order_id,trx_id,paid_at"/>');
    expect(body).toContain('<input type="hidden" name="status" value="PAID"/>');
    expect(linksOf(body, "before=")).toEqual([
      `${HOME}/orders?status=PAID&columns=trx_id%2Cpaid_at&before=POS-1`,
    ]);
  });

  it("are those of an export as shown, an amount with its currency; the other has all", async () => {
    const body = await open("?q=cart&before=POS-2&columns=refunded_amount,amount");
    expect(linksOf(body, "orders.csv")).toEqual([
      `${HOME}/orders.csv?q=cart&columns=order_id%2Crefunded_amount%2Ccurrency%2Camount`,
      `${HOME}/orders.csv?q=cart&columns=all`,
    ]);
  });
});
