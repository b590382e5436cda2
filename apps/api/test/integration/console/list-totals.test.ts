import {
  consoleOrderListResponseSchema,
  consolePayoutListResponseSchema,
  consoleRefundListResponseSchema,
  consoleStatementResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, createPaidOrder } from "../../support/orders.js";
import { createTestApi } from "../../support/test-api.js";
import { type ConsoleClient, createConsoleParties, dataOf, merchantConsole } from "./console-client.js";

const { sandbox, server, api } = await createTestApi();
let shop: ConsoleClient;
let partly: { orderId: string; trxId: string };

beforeAll(async () => {
  shop = merchantConsole(server, await createConsoleParties(sandbox));
  partly = await createPaidOrder(server, api, { amount: 100, reference: "cart 7" });
  const whole = await createPaidOrder(server, api, { amount: 20, reference: "cart 8" });
  await createPaidOrder(server, api, { amount: 30, payment_method: "qr_only" });
  await createOrder(api, { amount: 5000, currency: "XAF" });
  await api.post("/refunds", { transaction_id: partly.trxId, amount: 12.5 });
  await api.post("/refunds", { transaction_id: whole.trxId, amount: 20 });
});

const orders = async (query: Record<string, string>) =>
  dataOf(consoleOrderListResponseSchema, await shop.get("/orders", query));
const euros = (amount: string) => ({ amount, currency: "EUR" });
const all = { count: 4, sums: [euros("150.00"), { amount: "5000", currency: "XAF" }], partial: false };
const today = new Date().toISOString().slice(0, 10);

describe("list totals", () => {
  it.each([
    ["all rows", {}, all],
    ["a status", { status: "PAID" }, { count: 2, sums: [euros("130.00")], partial: false }],
    ["a date range", { from: today, to: today }, all],
    ["an empty date range", { to: "2020-01-01" }, { count: 0, sums: [], partial: false }],
    [
      "a currency",
      { currency: "XAF" },
      { count: 1, sums: [{ amount: "5000", currency: "XAF" }], partial: false },
    ],
    ["a payment method", { method: "qr_only" }, { count: 1, sums: [euros("30.00")], partial: false }],
    [
      "an amount range",
      { min_amount: "25", currency: "EUR" },
      { count: 2, sums: [euros("130.00")], partial: false },
    ],
    ["a search", { q: "cart" }, { count: 2, sums: [euros("120.00")], partial: false }],
    ["the whole list on each page", { per_page: "1" }, all],
    ["the whole list in another order", { sort: "-amount", per_page: "1" }, all],
  ] as const)(
    "include the count of the matching orders and their sum per currency: %s",
    async (_, query, totals) => {
      for (const fold of [false, true]) {
        if (fold) await sandbox.database.pool.query("SELECT roll_up_counters(10000)");
        expect((await orders(query)).totals).toEqual(totals);
      }
    },
  );

  it("contain the count and sum of refunds, and are zero for payouts if there are none", async () => {
    const refunds = dataOf(consoleRefundListResponseSchema, await shop.get("/refunds"));
    expect(refunds.totals).toEqual({ count: 2, sums: [euros("32.50")], partial: false });
    const payouts = dataOf(consolePayoutListResponseSchema, await shop.get("/payouts"));
    expect(payouts.totals).toEqual({ count: 0, sums: [], partial: false });
  });
});

it("order lists show which orders are partially refunded, and can be filtered by that status", async () => {
  const { items, totals } = await orders({ status: "PARTLY_REFUNDED" });
  expect(items.map(({ order_id, status }) => [order_id, status])).toEqual([
    [partly.orderId, "PARTLY_REFUNDED"],
  ]);
  expect(totals).toEqual({ count: 1, sums: [euros("100.00")], partial: false });
  const states = (await orders({})).items.map(({ status }) => status);
  expect(states).toEqual(["PENDING", "PAID", "REFUNDED", "PARTLY_REFUNDED"]);
  const { text } = await shop.get("/orders.csv", { status: "PARTLY_REFUNDED", columns: "order_id,status" });
  expect(text).toBe(`order_id,status\r\n${partly.orderId},PARTLY_REFUNDED\r\n`);
});

it("refunds show the order's reference in lists, exports and statements", async () => {
  const refunds = dataOf(consoleRefundListResponseSchema, await shop.get("/refunds", { q: partly.orderId }));
  expect(refunds.items).toMatchObject([{ order_reference: "cart 7", order_number: null }]);
  const { text } = await shop.get("/refunds.csv", {
    q: partly.orderId,
    columns: "order_reference,order_number",
  });
  expect(text).toBe("order_reference,order_number\r\ncart 7,\r\n");
  const statement = dataOf(consoleStatementResponseSchema, await shop.get("/wallets/EUR/statement"));
  expect(statement.items.filter(({ refund_id: id }) => id !== null)).toMatchObject([
    { order_reference: "cart 8" },
    { order_reference: "cart 7" },
  ]);
});
