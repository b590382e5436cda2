import { createPartnerClient, createPayClient, TillgateApiError } from "@tillgate/client";
import type { EventList } from "@tillgate/contract";
import { expect, it } from "vitest";
import { createOrder } from "../../support/orders.js";
import { payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server } = await createTestApi();
const { client_id: clientId, client_secret: clientSecret, api_token: apiToken } = sandbox.access.merchant;
const pay = createPayClient({ baseUrl: server.url, clientId, clientSecret, mode: "sandbox" });
const partner = createPartnerClient({ baseUrl: server.url, apiToken });
const merchant = payApi(server, sandbox.access.merchant);

async function all<Item>(
  items: AsyncIterable<Item>,
  meanwhile: (position: number) => Promise<unknown>,
): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    await meanwhile(found.length);
  }
  return found;
}
const nothing = async (): Promise<void> => undefined;

it("paging through orders, refunds, payouts and entries returns each item once, even if an order is created while orders are listed", async () => {
  const created: string[] = [];
  const refunds: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const { order_id: id } = await createOrder(merchant, { amount: 10 + at, currency: "EUR" });
    const { trx_id: trxId } = await pay.orders.simulate(id, "paid");
    created.unshift(id);
    const refund = await pay.refunds.create({ transaction_id: trxId ?? "", amount: "1.00" });
    refunds.unshift(refund.refund_id);
  }
  const added = async (position: number) => {
    if (position === 2) await createOrder(merchant, { amount: 1, currency: "EUR" });
  };
  const orders = await all(pay.orders.all({ per_page: 2 }), added);
  expect(orders.map(({ order_id: id }) => id)).toEqual(created);
  const found = await all(pay.refunds.all({ per_page: 2 }), nothing);
  expect(found.map(({ refund_id: id }) => id)).toEqual(refunds);
  // The first page now, and the rest from its cursor later.
  const { value: front } = await pay.refunds.pages({ per_page: 2 })[Symbol.asyncIterator]().next();
  const rest = await all(pay.refunds.all({ per_page: 2, cursor: front.next }), nothing);
  expect([...front.items, ...rest].map(({ refund_id: id }) => id)).toEqual(refunds);

  const payouts: string[] = [];
  for (let at = 0; at < 3; at += 1) {
    const { lookup_token: token } = await partner.lookup({ phone: "+237 671 23 45 67" });
    const { payout } = await partner.payout({
      lookup_token: token,
      amount: "1.00",
      sender_currency: "EUR",
      receiver_currency: "XAF",
      reference: `payout ${at}`,
    });
    payouts.unshift(payout.payout_id);
  }
  const paidOut = await all(partner.allPayouts({ per_page: 2 }), nothing);
  expect(paidOut.map(({ payout_id: id }) => id)).toEqual(payouts);

  const [first, second] = [
    await all(pay.balances.allEntries("EUR", { per_page: 4 }), nothing),
    (await pay.balances.list()).find(({ currency }) => currency === "EUR"),
  ];
  expect(first[0]?.balance).toBe(second?.balance);
  // Each balance is the previous one plus the entry.
  for (const [at, entry] of first.slice(0, -1).entries())
    expect(Math.round(entry.raw_balance * 100)).toBe(
      Math.round((first[at + 1]?.raw_balance ?? 0) * 100) + Math.round(entry.raw_amount * 100),
    );
  expect(new Set(first.map(({ entry_id: id }) => id)).size).toBe(first.length);
  expect(first.filter(({ kind }) => kind === "refund").map(({ refund_id: id }) => id)).toEqual(refunds);
});

it("paging through GET /events returns each event once, oldest first, including events written in the meantime", async () => {
  const order = async (): Promise<string> => {
    const { order_id: id } = await createOrder(merchant, { amount: 2, currency: "EUR" });
    await pay.orders.simulate(id, "paid");
    return id;
  };
  /**
   * Repeats walks until an event of the order `last()` is found, because a walk stops before events that wait
   * for earlier transactions.
   */
  const walkTo = async (last: () => string, onPage: (page: EventList) => unknown, after?: string) => {
    const walked: EventList["events"] = [];
    for (let position = after; !walked.some(({ order_id: id }) => id === last()); )
      for await (const page of pay.events.pages({ ...(position && { after: position }), per_page: 3 })) {
        position = page.next;
        walked.push(...page.events);
        await onPage(page);
      }
    return walked;
  };
  for (let createdCount = 0; createdCount < 10; createdCount += 1) await order();
  const pages: EventList[] = [];
  let late = "";
  const walked = await walkTo(
    () => late,
    async (page) => {
      if (pages.push(page) === 2) late = await order();
    },
  );
  expect(pages.length).toBeGreaterThan(3);
  expect(Math.max(...pages.map(({ events }) => events.length))).toBe(3);
  const written = await sandbox.database.prisma.event.findMany({
    orderBy: [{ turn: "asc" }, { number: "asc" }],
  });
  expect(walked.map(({ id, body }) => [id, body])).toEqual(written.map(({ id, body }) => [id, body]));
  expect(pages.at(-1)?.has_more).toBe(false);
  const [first] = pages;
  const behind = await walkTo(() => late, nothing, first?.next);
  expect(behind).toEqual(walked.slice(first?.events.length));
});

it("GET /orders rejects another list's cursor and a cursor with a page number, and the entry list rejects a currency without a wallet", async () => {
  const { next_cursor: place } = await pay.balances.entries("EUR", { per_page: 1 });
  const statusOf = async (query: string) => (await merchant.get(`/orders?${query}`)).status;
  expect(place).not.toBeNull();
  expect(await statusOf(`cursor=${place}`)).toBe(400);
  expect(await statusOf("cursor=POS-20261121-AAAAAA")).toBe(400);
  const { next_cursor: own } = await pay.orders.list({ per_page: 1 });
  expect(await statusOf(`cursor=${own}`)).toBe(200);
  expect(await statusOf(`cursor=${own}&page=2`)).toBe(400);
  await expect(pay.balances.entries("JPY")).rejects.toBeInstanceOf(TillgateApiError);
});
