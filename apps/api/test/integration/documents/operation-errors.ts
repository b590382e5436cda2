import { randomUUID } from "node:crypto";
import { MAX_RECEIVERS, MAX_TEST_CONTROLS } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { makeOverdue } from "../../support/orders.js";
import { addShopper, merchantIdOf } from "../../support/parties.js";
import { type Fixture, ORDER, PAYMENT, stringAt, uniqueKeys } from "./fixture.js";

const WRONG_CURSORS = ["?cursor=none", "?cursor=none&page=2"];

/**
 * Defines the tests of errors that are specific to an operation. `statusOf` fails for an undocumented
 * response.
 */
export function describeOperationErrors(opened: () => Fixture): void {
  describe("/openapi.json", () => {
    it("documents the errors of access token requests", async () => {
      const scene = opened();
      const { client_id } = scene.sandbox.access.merchant;
      expect(await scene.statusOf("createAccessToken", { body: {} })).toBe(400);
      expect(await scene.statusOf("createAccessToken", { body: { client_id, secret_id: "wrong" } })).toBe(
        400,
      );
      const { client_secret } = scene.liveAccess;
      const body = { client_id: scene.liveAccess.client_id, secret_id: client_secret };
      expect(await scene.statusOf("createAccessToken", { body })).toBe(400);
    });

    it("documents the errors of payment requests", async () => {
      const scene = opened();
      expect(await scene.statusOf("createPayment", { body: { ...PAYMENT, amount: undefined } })).toBe(400);
      expect(await scene.statusOf("createPayment", { body: { ...PAYMENT, currency: "JPY" } })).toBe(400);
      const keyed = { ...PAYMENT, idempotency_key: randomUUID() };
      await scene.call("createPayment", { body: keyed });
      const repeated = await scene.call("createPayment", { body: keyed });
      expect(repeated.headers.get("idempotent-replayed")).toBe("true");
      expect(await scene.statusOf("createPayment", { body: { ...keyed, amount: 11 } })).toBe(409);
      expect(await scene.statusOf("getPayment", { parameters: { token: "none" } })).toBe(404);
    });

    it("documents the errors of order requests", async () => {
      const scene = opened();
      for (const fields of [
        { amount: undefined },
        { amount: 0 },
        { amount: 1.234 },
        { amount: 41, currency: "JPY" },
      ])
        expect((await scene.createOrder(fields)).status).toBe(400);
      const plain = { ...ORDER, callback_url: "http://shop.example/tillgate" };
      expect(await scene.statusOf("createOrder", { body: plain, server: 1, authorization: scene.live })).toBe(
        400,
      );
      const unreachable = { ...ORDER, callback_url: "https://shop.example:8443/hook" };
      expect(
        await scene.statusOf("createOrder", { body: unreachable, server: 1, authorization: scene.live }),
      ).toBe(400);
      expect((await scene.createOrder({ callbackUrl: "https://shop.example" })).status).toBe(400);
      const twoKeys = { body: { ...ORDER, idempotency_key: "a" }, headers: { "idempotency-key": "b" } };
      expect(await scene.statusOf("createOrder", twoKeys)).toBe(400);
      const keyed = { ...ORDER, idempotency_key: randomUUID() };
      await scene.call("createOrder", { body: keyed });
      expect((await scene.createOrder(keyed)).headers.get("idempotent-replayed")).toBe("true");
      expect((await scene.createOrder({ ...keyed, amount: 1 })).status).toBe(409);
      for (const query of ["?status=paid", "?per_page=101", "?from_date=2026-02-30", ...WRONG_CURSORS])
        expect(await scene.statusOf("listOrders", { query })).toBe(400);
      for (const id of ["getOrder", "cancelOrder"])
        expect(await scene.statusOf(id, { parameters: { order_id: "POS-20261121-AAAAAA" } })).toBe(404);
      const { order_id } = await scene.createPaidOrder();
      expect(await scene.statusOf("cancelOrder", { parameters: { order_id } })).toBe(422);
      const overdue = stringAt(await scene.createOrder(), "data", "order_id");
      await makeOverdue(scene.sandbox, overdue);
      const expired = await scene.call("getOrder", { parameters: { order_id: overdue } });
      expect(stringAt(expired, "data", "status")).toBe("EXPIRED");
    });

    it("documents the errors of simulating an order's outcome", async () => {
      const scene = opened();
      const created = async (fields = {}) => stringAt(await scene.createOrder(fields), "data", "order_id");
      const play = (order_id: string, outcome?: string) =>
        scene.statusOf("simulateOrder", { parameters: { order_id }, body: { outcome } });
      expect(await play(await created())).toBe(400);
      expect(await play(await created(), "refunded")).toBe(400);
      expect(await play("POS-20261121-AAAAAA", "paid")).toBe(404);
      for (const outcome of ["paid", "cancelled", "expired"]) {
        const order = await created();
        expect(await play(order, outcome)).toBe(200);
        expect(await play(order, "declined")).toBe(422);
      }
      const inDollars = { amount: 5, currency: "USD" };
      expect(await play(await created(inDollars), "paid")).toBe(200);
      const unpaid = await created(inDollars);
      const ofTestShoppers =
        "currency = 'USD' AND wallet_user_id IN (SELECT id FROM wallet_users WHERE test_of_merchant_id IS NOT NULL)";
      await scene.withChange(
        `UPDATE accounts SET closed_at = now() WHERE ${ofTestShoppers}`,
        `UPDATE accounts SET closed_at = NULL WHERE ${ofTestShoppers}`,
        [],
        async () => expect(await play(unpaid, "paid")).toBe(422),
      );
    });

    it("documents the errors of refund requests", async () => {
      const scene = opened();
      const { trx_id } = await scene.createPaidOrder();
      const refund = (fields: Record<string, unknown>) =>
        scene.statusOf("createRefund", { body: { transaction_id: trx_id, ...fields } });
      expect(await refund({ transaction_id: undefined })).toBe(400);
      expect(await refund({ amount: 0 })).toBe(400);
      expect(await refund({ amout: 1 })).toBe(400);
      expect(await refund({ transaction_id: "TRX-000000000000" })).toBe(404);
      expect(await refund({ amount: 42 })).toBe(422);
      const key = randomUUID();
      expect(await refund({ amount: 1, idempotency_key: key })).toBe(200);
      expect(await refund({ amount: 1, idempotency_key: key })).toBe(200);
      expect(await refund({ amount: 2, idempotency_key: key })).toBe(409);
      for (const query of ["?status=PAID", "?per_page=0", "?from_date=2026-02-30", ...WRONG_CURSORS])
        expect(await scene.statusOf("listRefunds", { query })).toBe(400);
      expect(await scene.statusOf("getRefund", { parameters: { refund_id: "RF-20261121-AAAAAA" } })).toBe(
        404,
      );
    });

    it("documents the errors of refunds that cannot be booked", async () => {
      const scene = opened();
      const shopper = await addShopper(scene.sandbox, "sandbox", 5_000n);
      const order = await scene.createOrder();
      const page = scene.pageOf(order);
      await page.signIn(shopper.email, shopper.pin);
      await page.act("pay");
      const parameters = { order_id: stringAt(order, "data", "order_id") };
      const transaction_id = stringAt(await scene.call("getOrder", { parameters }), "data", "trx_id");
      const { client_id } = scene.sandbox.access.merchant;
      const merchantId = await merchantIdOf(scene.sandbox, client_id);
      const withdraw = (owner: string, column: string, reference: string) =>
        scene.execute(
          `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'EUR', w.id, f.id, w.balance, $2)
         FROM accounts w, accounts f WHERE w.${column} = $1 AND w.mode = 'sandbox' AND w.currency = 'EUR'
           AND w.kind IN ('merchant', 'shopper') AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
          [owner, reference],
        );
      await withdraw(merchantId, "merchant_id", "emptied");
      expect(await scene.statusOf("createRefund", { body: { transaction_id } })).toBe(422);
      await scene.execute(
        `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', 'EUR', f.id, w.id, 2000000, 'filled')
       FROM accounts w, accounts f WHERE w.merchant_id = $1 AND w.mode = 'sandbox' AND w.currency = 'EUR'
         AND w.kind = 'merchant' AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
        [merchantId],
      );
      await withdraw(shopper.id, "wallet_user_id", "left");
      await scene.execute("UPDATE accounts SET closed_at = now() WHERE wallet_user_id = $1", [shopper.id]);
      expect(await scene.statusOf("createRefund", { body: { transaction_id } })).toBe(422);
    });

    it("documents the errors of test webhooks and event lists", async () => {
      const scene = opened();
      for (const body of [{}, { callback_url: "tillgate" }])
        expect(await scene.statusOf("testWebhook", { body })).toBe(400);
      for (const query of ["?after=yesterday", "?types=pos.order.made", "?per_page=0", "?wait=31"])
        expect(await scene.statusOf("listEvents", { query })).toBe(400);
    });

    it("documents the errors of webhook endpoint requests", async () => {
      const scene = opened();
      const create = (fields: Record<string, unknown>) =>
        scene.statusOf("createWebhookEndpoint", { body: scene.endpointFields(fields) });
      for (const fields of [{ address: undefined }, { address: "tillgate" }, { events: undefined }])
        expect(await create(fields)).toBe(400);
      const parameters = { endpoint_id: await scene.addEndpoint() };
      const { address } = scene.endpointFields();
      expect(await create({ address })).toBe(200);
      expect(await create({ address })).toBe(409);
      expect(await scene.statusOf("changeWebhookEndpoint", { parameters, body: { address } })).toBe(409);
      expect(await scene.statusOf("changeWebhookEndpoint", { parameters, body: { address: "x" } })).toBe(400);
      expect(await scene.statusOf("rotateWebhookEndpointSecret", { parameters })).toBe(200);
      expect(await scene.statusOf("rotateWebhookEndpointSecret", { parameters })).toBe(409);
      await Promise.all(Array.from({ length: MAX_RECEIVERS }, () => create({})));
      expect(await create({})).toBe(409);
      const unknown = { endpoint_id: randomUUID() };
      const steps = ["pause", "resume", "enable", "remove", "test", "get", "change"];
      for (const id of steps.map((step) => `${step}WebhookEndpoint`).concat("rotateWebhookEndpointSecret")) {
        const body = id === "getWebhookEndpoint" ? {} : { body: {} };
        expect(await scene.statusOf(id, { parameters: unknown, ...body })).toBe(404);
      }
    });

    it("documents the errors of delivery requests", async () => {
      const scene = opened();
      for (const query of ["?status=queued", "?cursor=none", "?per_page=0"])
        expect(await scene.statusOf("listWebhookDeliveries", { query })).toBe(400);
      expect(await scene.statusOf("listWebhookDeliveries", { query: `?endpoint_id=${randomUUID()}` })).toBe(
        404,
      );
      const unknown = { delivery_id: randomUUID() };
      expect(await scene.statusOf("getWebhookDelivery", { parameters: unknown })).toBe(404);
      expect(await scene.statusOf("resendWebhookDelivery", { parameters: unknown })).toBe(404);
      const endpoint_id = await scene.addEndpoint({ events: ["pos.order.cancelled"] });
      const order_id = stringAt(await scene.createOrder(), "data", "order_id");
      await scene.call("cancelOrder", { parameters: { order_id } });
      const listed = await scene.call("listWebhookDeliveries", { query: `?endpoint_id=${endpoint_id}` });
      const [, id = ""] = /"delivery_id":"([\w-]+)"/.exec(listed.text) ?? [];
      await scene.call("removeWebhookEndpoint", { parameters: { endpoint_id } });
      expect(await scene.statusOf("resendWebhookDelivery", { parameters: { delivery_id: id } })).toBe(409);
    });

    it("documents the errors of replay requests", async () => {
      const scene = opened();
      const status = (id: string, body: unknown) => scene.statusOf(id, { body });
      const parameters = await scene.createReplay();
      const { endpoint_id } = scene.replayTarget();
      const [old, soon] = ["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"];
      for (const id of ["previewReplay", "createReplay"]) {
        for (const body of [
          {},
          { endpoint_id, callback_url: "http://93.184.216.34/own" },
          { endpoint_id, from: "yesterday" },
          { endpoint_id, from: soon },
          { endpoint_id, from: old, to: old },
        ])
          expect(await status(id, body)).toBe(400);
        expect(await status(id, { endpoint_id: randomUUID() })).toBe(404);
      }
      expect(await status("createReplay", { callback_url: "tillgate" })).toBe(400);
      expect(await status("createReplay", { endpoint_id })).toBe(409);
      const step = (name: string, which = parameters) =>
        scene.statusOf(`${name}Replay`, { parameters: which, ...(name === "get" ? {} : { body: {} }) });
      for (const name of ["get", "cancel", "resume"])
        expect(await step(name, { replay_id: randomUUID() })).toBe(404);
      for (const query of ["?cursor=none", "?per_page=0"])
        expect(await scene.statusOf("listReplays", { query })).toBe(400);
      expect(await scene.statusOf("listReplays", { query: `?endpoint_id=${randomUUID()}` })).toBe(404);

      await scene.execute("UPDATE replays SET state = 'stopped' WHERE state = 'running'");
      const keyed = { endpoint_id, to: old, idempotency_key: randomUUID() };
      const done = await scene.call("createReplay", { body: keyed });
      expect(await status("createReplay", keyed)).toBe(200);
      expect(await status("createReplay", { ...keyed, skip_failed: true })).toBe(409);
      const twoKeys = { body: keyed, headers: { "idempotency-key": "b" } };
      expect(await scene.statusOf("createReplay", twoKeys)).toBe(400);
      expect(await step("cancel", { replay_id: stringAt(done, "data", "replay_id") })).toBe(409);
      const another = stringAt(
        await scene.call("createReplay", { body: { endpoint_id } }),
        "data",
        "replay_id",
      );
      expect(await step("resume")).toBe(409);
      expect(await step("cancel", { replay_id: another })).toBe(200);
      await scene.execute(
        "UPDATE receivers SET disabled_at = now(), disabled_reason = 'failing' WHERE id = $1",
        [endpoint_id],
      );
      expect(await status("createReplay", { endpoint_id })).toBe(409);
      expect(await step("resume")).toBe(409);
      expect(await step("cancel")).toBe(200);
      expect(await step("resume")).toBe(409);
    });

    it("documents the errors of payout lists", async () => {
      const scene = opened();
      expect(await scene.statusOf("listPayouts", { query: "?status=completed" })).toBe(200);
      for (const query of ["?status=PAID", "?per_page=0", "?from_date=2026-02-30", ...WRONG_CURSORS])
        expect(await scene.statusOf("listPayouts", { query })).toBe(422);
    });

    it("documents the errors of balance entry lists", async () => {
      const scene = opened();
      const parameters = { currency: "EUR" };
      for (const query of ["?cursor=none", "?per_page=0"])
        expect(await scene.statusOf("listBalanceEntries", { parameters, query })).toBe(400);
      expect(await scene.statusOf("listBalanceEntries", { parameters: { currency: "JPY" } })).toBe(404);
    });

    it("documents the errors of report requests", async () => {
      const scene = opened();
      const day = (parameters: Record<string, string>, query = "") =>
        scene.statusOf("getReportDay", {
          parameters: { wallet: "EUR", date: "2026-01-01", ...parameters },
          query,
        });
      for (const query of ["?cursor=none", "?per_page=0"]) {
        expect(await scene.statusOf("listReportFeed", { parameters: { wallet: "EUR" }, query })).toBe(400);
        expect(await day({}, query)).toBe(400);
      }
      expect(await scene.statusOf("listReportFeed", { parameters: { wallet: "GBP" } })).toBe(404);
      expect(await day({ wallet: "GBP" })).toBe(404);
      expect(await day({ date: "2026-02-30" })).toBe(400);
      expect(await day({}, "?time_zone=Europe/Atlantis")).toBe(400);
      for (const query of ["?month=2026-13", "?month=2026-01&time_zone=Europe/Atlantis"])
        expect(await scene.statusOf("getFeeStatement", { query })).toBe(400);
    });

    it("documents the errors of order comparisons", async () => {
      const scene = opened();
      const { parameters } = await scene.validRequest("compareOrders");
      const body = { orders: [], progress: { compared: 0, skipped: 0, completed: true } };
      const order = {
        ...{ order_id: "POS-1", order_number: "1", current: true, recorded: "PAID", amount: "1.00" },
        ...{ currency: "EUR", other_trx_ids: [], shop_order: null, recorded_refund_ids: [] },
      };
      const refunds = Array.from({ length: 100 }, (_, id) => ({
        id: String(id),
        amount: "1.00",
        sent: "no",
      }));
      const refunded = Array.from({ length: 101 }, (_, number) => ({
        ...{ ...order, order_id: `POS-${number}` },
        shop_order: {
          ...{ status: "completed", counts_as: "completed", total: "100.00", currency: "EUR" },
          ...{ pays_with_tillgate: true, refunds },
        },
      }));
      const status = (change: Record<string, unknown>, day: Record<string, string> = {}) =>
        scene.statusOf("compareOrders", {
          parameters: { ...parameters, ...day },
          body: { ...body, ...change },
        });
      await status({});
      for (const change of [
        { orders: undefined },
        { orders: [order, order], progress: null },
        { orders: [order] },
        { orders: refunded, progress: null },
        { email: "ada@example.com" },
      ])
        expect([change, await status(change)]).toEqual([change, 400]);
      for (const day of ["2026-02-30", "2026-01-01", "2999-01-01"])
        expect([day, await status({}, { day })]).toEqual([day, 400]);
    });

    it.each(["getStatementCsv", "getStatementXml"])("documents the errors of %s", async (id) => {
      const scene = opened();
      const status = (query = "", wallet = "EUR") => scene.statusOf(id, { parameters: { wallet }, query });
      for (const query of [
        "?from_date=2026-02-30",
        "?to_date=soon",
        "?from_date=2026-02-02&to_date=2026-02-01",
        "?time_zone=Europe/Atlantis",
        ...(id === "getStatementCsv" ? ["?dialect=tab"] : []),
      ])
        expect([query, await status(query)]).toEqual([query, 400]);
      expect(await status("", "GBP")).toBe(404);
      const merchantId = await merchantIdOf(scene.sandbox, scene.sandbox.access.merchant.client_id);
      const other = await scene.sandbox.database.pool.connect();
      try {
        await other.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [`export ${merchantId}`]);
        expect(await status()).toBe(429);
      } finally {
        await other.query("SELECT pg_advisory_unlock_all()");
        other.release();
      }
      expect(await status()).toBe(200);
    });

    it("documents the errors of creating orders and payments in a deactivated currency", async () => {
      const scene = opened();
      const deactivated = "UPDATE currencies SET active = false WHERE code = 'EUR'";
      const activated = "UPDATE currencies SET active = true WHERE code = 'EUR'";
      await scene.withChange(deactivated, activated, [], async () => {
        expect(await scene.statusOf("createOrder", { body: ORDER })).toBe(400);
        expect(await scene.statusOf("createPayment", { body: PAYMENT })).toBe(400);
      });
    });

    it("documents the errors of recipient lookups, exhausted lookup limits and unknown payouts", async () => {
      const scene = opened();
      for (const body of [{}, { phone: "+237671234567", email: "samuel@example.com" }])
        expect(await scene.statusOf("lookupRecipient", { body })).toBe(422);
      expect(await scene.statusOf("lookupRecipient", { body: { email: "nobody@example.com" } })).toBe(404);
      expect(await scene.statusOf("lookupRecipient", { body: { email: "ivo@example.com" } })).toBe(404);
      const guessed = { ...(await scene.payoutTerms()), lookup_token: randomUUID() };
      await scene.withChange(
        "UPDATE rate_limits SET points = points + 1000 WHERE key LIKE 'unknown-recipient:%' AND $1::text <> ''",
        "UPDATE rate_limits SET points = points - 1000 WHERE key LIKE 'unknown-recipient:%' AND $1::text <> ''",
        ["sandbox"],
        async () => {
          const body = { email: "samuel@example.com" };
          expect(await scene.statusOf("lookupRecipient", { body })).toBe(429);
          expect(await scene.statusOf("quotePayout", { body: guessed })).toBe(429);
        },
      );
      expect(await scene.statusOf("getPayout", { parameters: { payout_id: "PO00000000" } })).toBe(404);
    });

    const UNAUTHORIZED = "UPDATE payout_terms SET authorized = false WHERE currency = 'USD'";
    const AUTHORIZED = "UPDATE payout_terms SET authorized = true WHERE currency = 'USD'";
    const INACTIVE = "UPDATE wallet_users SET active = false WHERE email = 'samuel@example.com'";
    const ACTIVE = "UPDATE wallet_users SET active = true WHERE email = 'samuel@example.com'";

    it.each(["quotePayout", "executePayout"])("documents the errors of %s", async (id) => {
      const scene = opened();
      const request = async (fields: Record<string, unknown>) =>
        scene.statusOf(id, { body: { ...fields, ...(id === "executePayout" ? uniqueKeys() : {}) } });
      expect(await request({ ...(await scene.payoutTerms()), lookup_token: randomUUID() })).toBe(400);
      expect(await request({ ...(await scene.payoutTerms()), lookup_token: undefined })).toBe(422);
      expect(await request(await scene.payoutTerms(10, "JPY"))).toBe(400);
      expect(await request(await scene.payoutTerms(10, "EUR", "NONE"))).toBe(400);
      expect(await request(await scene.payoutTerms(10, "EUR", "USD"))).toBe(400);
      expect(await request(await scene.payoutTerms(1, "XAF", "EUR"))).toBe(422);
      const requested = await scene.payoutTerms();
      await scene.withChange(INACTIVE, ACTIVE, [], async () => expect(await request(requested)).toBe(400));
      await scene.withChange(UNAUTHORIZED, AUTHORIZED, [], async () =>
        expect(await request(await scene.payoutTerms(10, "USD"))).toBe(400),
      );
    });

    it("documents the errors of test controls, test payout decisions and early expiry", async () => {
      const scene = opened();
      const status = (id: string, body: unknown) => scene.statusOf(id, { body });
      expect(await status("createTestControl", {})).toBe(400);
      expect(await status("createTestControl", { control: "call_never" })).toBe(400);
      expect(await status("createTestControl", { control: "delivery_late", count: 101 })).toBe(400);
      await scene.call("clearTestControls");
      for (let createdCount = 0; createdCount < MAX_TEST_CONTROLS; createdCount += 1)
        expect(await status("createTestControl", { control: "delivery_never" })).toBe(200);
      expect(await status("createTestControl", { control: "delivery_never" })).toBe(422);
      await scene.call("clearTestControls");
      const short = { parameters: { order_id: stringAt(await scene.createOrder(), "data", "order_id") } };
      await scene.call("createTestControl", { body: { control: "payment_insufficient" } });
      expect(await scene.statusOf("simulateOrder", { ...short, body: { outcome: "paid" } })).toBe(422);
      await scene.withChange(
        "UPDATE currencies SET active = false WHERE code <> 'EUR'",
        "UPDATE currencies SET active = true WHERE code <> 'EUR'",
        [],
        async () =>
          expect(
            await scene.statusOf("simulateOrder", { ...short, body: { outcome: "paid_converted" } }),
          ).toBe(422),
      );
      const { parameters = {} } = await scene.validRequest("decideTestPayout");
      const decide = (outcome: unknown, parameter = parameters) =>
        scene.statusOf("decideTestPayout", { parameters: parameter, body: { outcome } });
      expect(await decide(undefined)).toBe(400);
      expect(await decide("pending")).toBe(400);
      expect(await decide("failed", { payout_id: "PO00000000" })).toBe(404);
      await scene.withChange(INACTIVE, ACTIVE, [], async () => expect(await decide("completed")).toBe(409));
      expect(await decide("completed")).toBe(200);
      expect(await decide("failed")).toBe(409);
      const order = { kind: "order", id: "POS-20200101-AAAAAA", moment: "after_end" };
      expect(await status("expireResource", order)).toBe(404);
      expect(await status("expireResource", { ...order, kind: undefined })).toBe(400);
      expect(await status("expireResource", { ...order, kind: "payout" })).toBe(400);
      expect(await status("expireResource", { ...order, moment: "later" })).toBe(400);
    });

    it("documents the errors of payouts", async () => {
      const scene = opened();
      const payout = async (fields: Record<string, unknown>) =>
        scene.call("executePayout", { body: { ...uniqueKeys(), ...fields } });
      const quote = async () =>
        stringAt(await scene.call("quotePayout", { body: await scene.payoutTerms() }), "data", "quote_id");
      expect((await payout({ quote_id: randomUUID() })).status).toBe(400);
      expect((await payout({ quote_id: await quote(), idempotency_key: undefined })).status).toBe(422);
      const twoKeys = {
        body: { ...uniqueKeys(), quote_id: await quote() },
        headers: { "idempotency-key": "b" },
      };
      expect(await scene.statusOf("executePayout", twoKeys)).toBe(422);
      expect((await payout({ quote_id: await quote(), amount: 11 })).status).toBe(422);
      const first = { quote_id: await quote(), ...uniqueKeys() };
      expect(stringAt(await payout(first), "data", "payout", "status")).toBe("completed");
      expect((await payout(first)).headers.get("idempotent-replayed")).toBe("true");
      expect((await payout({ ...(await scene.payoutTerms()), reference: first.reference })).status).toBe(400);
      expect((await payout(await scene.payoutTerms(5_000.01))).status).toBe(400);
      const waiting = await payout(await scene.payoutTerms(2_000.01));
      expect(stringAt(waiting, "data", "payout", "status")).toBe("pending");
      for (const limit of ["daily", "monthly"])
        await scene.withChange(
          `UPDATE payout_terms SET ${limit} = 100 WHERE currency = 'EUR'`,
          `UPDATE payout_terms SET ${limit} = 5000000 WHERE currency = 'EUR'`,
          [],
          async () => expect((await payout(await scene.payoutTerms(2))).status).toBe(400),
        );
      await scene.withChange(
        "UPDATE payout_terms SET per_transaction = NULL, daily = NULL, monthly = NULL WHERE currency = 'EUR'",
        "UPDATE payout_terms SET per_transaction = 500000, daily = 1000000, monthly = 5000000 WHERE currency = 'EUR'",
        [],
        async () => expect((await payout(await scene.payoutTerms(90_000))).status).toBe(400),
      );
    });
  });
}
