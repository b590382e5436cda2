import { consoleHomeResponseSchema, HOME_DAYS } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import {
  addPartner,
  addRecipient,
  decidePayout,
  decideRefund,
  lookUpRecipient,
  PENDING,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { pool } = sandbox.database;
let parties: ConsoleParties;
let shop: ConsoleClient;
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, parties);
});

const home = async (of = shop) => dataOf(consoleHomeResponseSchema, await of.get("/home"));
const todaySums = async (of = shop) => {
  const { sums } = await home(of);
  return Object.fromEntries(sums.map(({ currency, days }) => [currency, days.at(-1)]));
};

describe("GET /home of the console", () => {
  it("returns no sums, no orders and no completed setup steps for an unused live mode", async () => {
    const other = merchantConsole(server, { user: parties.administrator, merchantId, mode: "live" });
    expect(await home(other)).toMatchObject({
      sums: [],
      orders: { paid: 0, expired: 0, cancelled: 0, pending: 0 },
      attention: [],
      setup: {
        key: false,
        client_id: null,
        endpoint: false,
        order: false,
        order_id: null,
        order_payable: false,
        paid: false,
        delivered: false,
      },
    });
    expect((await home()).setup).toMatchObject({ key: true, order: false, paid: false });
  });

  it("includes today's payments and refunds immediately, before and after counters are rolled up", async () => {
    const { trxId } = await createPaidOrder(server, api, { amount: 30 });
    await createPaidOrder(server, api, { amount: 12.5 });
    const cancelled = await createOrder(api);
    await api.post(`/orders/${cancelled.order_id}/cancel`);
    await api.post("/refunds", { transaction_id: trxId, amount: 30 });
    const expected = { payments: "42.50", refunds: "30.00", payouts: "0.00" };
    expect((await todaySums()).EUR).toMatchObject(expected);
    await pool.query("SELECT roll_up_counters(10000)");
    expect((await todaySums()).EUR).toMatchObject(expected);
    const { sums, orders, setup, wallets } = await home();
    expect(sums[0]?.days).toHaveLength(HOME_DAYS);
    expect(orders).toEqual({ paid: 2, expired: 0, cancelled: 1, pending: 0 });
    expect(setup).toMatchObject({ order: true, paid: true, delivered: false });
    expect(wallets.find(({ currency }) => currency === "EUR")).toMatchObject({
      digits: 2,
      held: { amount: "0.00" },
    });
  });

  it("lists pending approvals, failing endpoints, nearly exhausted limits, and payments whose webhook failed or is late", async () => {
    const partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 1_000n, daily: 6_000n } } });
    const console_ = merchantConsole(server, { user: parties.administrator, merchantId: partner.merchantId });
    const partners = partnerApi(server, partner.token);
    const recipient = await addRecipient(sandbox);
    await partners.post("/payout", {
      lookup_token: await lookUpRecipient(partners, recipient),
      amount: 50,
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: "salary",
      idempotency_key: "salary",
    });
    expect((await home(console_)).attention).toEqual([
      expect.objectContaining({
        kind: "payout_waiting",
        title: "salary",
        money: { amount: "50.00", currency: "EUR" },
      }),
      expect.objectContaining({ kind: "limit_nearly_reached", id: "day" }),
    ]);
    expect((await home(console_)).wallets).toMatchObject([
      { balance: { amount: "949.50" }, held: { amount: "50.50" } },
    ]);

    await shop.post("/receivers", { address: "https://shop.example/all", events: ["pos.order.paid"] });
    const paid = await createPaidOrder(server, api, { reference: "lost hook" });
    await sandbox.executeAsSuperuser(
      `SET session_replication_role = replica;
       UPDATE receivers SET failures_in_row = 3, failing_since = now() WHERE merchant_id = '${merchantId}';
       UPDATE deliveries SET status = 'failed', given_up_because = 'attempts_over', settled_at = now()
         WHERE event_id IN (SELECT id FROM events WHERE order_id = '${paid.orderId}');
       INSERT INTO timeline_entries (merchant_id, mode, kind, details)
         SELECT e.merchant_id, e.mode, 'delivery.given_up', jsonb_build_object('delivery_id', d.id, 'event', e.name, 'order_id', e.order_id)
         FROM events e JOIN deliveries d ON d.event_id = e.id WHERE e.order_id = '${paid.orderId}'`,
    );
    const { attention } = await home();
    expect(attention.map(({ kind, title }) => [kind, title])).toEqual([
      ["endpoint_failing", "https://shop.example/all"],
      ["payment_not_delivered", "lost hook"],
    ]);
    // A delivery that is still being retried is listed from the time it is late until it arrives.
    const kindsAt = async (status: "pending" | "delivered", paidAt: string) => {
      await sandbox.executeAsSuperuser(
        `SET session_replication_role = replica;
         DELETE FROM timeline_entries WHERE kind = 'delivery.given_up';
         UPDATE deliveries SET status = '${status}', given_up_because = NULL,
             settled_at = ${status === "delivered" ? "now()" : "NULL"}
           WHERE event_id IN (SELECT id FROM events WHERE order_id = '${paid.orderId}');
         UPDATE orders SET paid_at = now() - interval '${paidAt}' WHERE id = '${paid.orderId}'`,
      );
      const found = (await home()).attention.filter(({ kind }) => kind === "payment_not_delivered");
      return found.map(({ id }) => id);
    };
    expect(await kindsAt("pending", "4 minutes 50 seconds")).toEqual([]);
    expect(await kindsAt("pending", "5 minutes 10 seconds")).toEqual([paid.orderId]);
    expect(await kindsAt("delivered", "5 minutes 10 seconds")).toEqual([]);
  });

  it("counts payouts and refunds on the day on which they are approved, even if they were created a day earlier", async () => {
    const { merchantId: id, token } = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 1_000n } } });
    const partners = partnerApi(server, token);
    const pending = await partners.post("/payout", {
      lookup_token: await lookUpRecipient(partners, await addRecipient(sandbox)),
      ...{ amount: 50, sender_currency: "EUR", receiver_currency: "EUR" },
      ...{ reference: "rent", idempotency_key: "rent" },
    });
    const payout = readPayout(pending, PENDING).payout_id;
    const other = parties.otherId;
    const otherApi = payApi(server, sandbox.access.other_merchant);
    const { trxId } = await createPaidOrder(server, otherApi, { amount: 30 });
    await pool.query("UPDATE merchants SET refunds_need_approval = true WHERE id = $1", [other]);
    const refund = readRefund(
      await otherApi.post("/refunds", { transaction_id: trxId, amount: 3 }),
      REFUND_CREATED,
    ).refund_id;
    await sandbox.plantRows(
      `SET session_replication_role = replica;
       UPDATE payouts SET created_at = created_at - interval '1 day' WHERE id = '${payout}';
       UPDATE refunds SET created_at = created_at - interval '1 day' WHERE id = '${refund}';
       UPDATE count_deltas SET starts_at = starts_at - interval '1 day' WHERE merchant_id IN ('${id}', '${other}') AND kind <> 'order';
       UPDATE quarter_hour_sums SET starts_at = starts_at - interval '1 day' WHERE merchant_id IN ('${id}', '${other}') AND kind <> 'order'`,
    );
    await decidePayout(sandbox, payout, true);
    await decideRefund(sandbox, refund, true);
    const lastDays = async (merchant: string, kind: "refunds" | "payouts") => {
      const { sums } = await home(
        merchantConsole(server, { user: parties.administrator, merchantId: merchant }),
      );
      const days = sums.find(({ currency }) => currency === "EUR")?.days ?? [];
      return days.slice(-2).map((day) => day[kind]);
    };
    for (const counters of ["before", "after"]) {
      if (counters === "after") await pool.query("SELECT roll_up_counters(10000)");
      expect([counters, await lastDays(id, "payouts")]).toEqual([counters, ["0.00", "50.00"]]);
      expect([counters, await lastDays(other, "refunds")]).toEqual([counters, ["0.00", "3.00"]]);
    }
  });
});
