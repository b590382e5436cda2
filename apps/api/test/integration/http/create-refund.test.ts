import { refundSchema } from "@tillgate/contract";
import { afterAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import {
  createOrder,
  createPaidOrder,
  getOrder,
  paymentTokenOf,
  REFUND_CREATED,
  readRefund,
} from "../../support/orders.js";
import { addLiveCredential, addMerchantWallet, addShopper, merchantIdOf } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { balanceOf, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();
afterAll(() => expectValidEvents(sandbox));

describe("POST /refunds", () => {
  it("refunds the whole payment if there is no amount: the response has ten keys, the order is REFUNDED, and refund and order get one event each", async () => {
    const { orderId, trxId } = await createPaidOrder(server, api);
    const refund = readRefund(await api.post("/refunds", { transaction_id: trxId }), REFUND_CREATED);
    expect(Object.keys(refund)).toEqual(Object.keys(refundSchema.shape));
    expect(Object.keys(refund)).toHaveLength(10);
    expect(refund).toEqual({
      refund_id: expect.stringMatching(/^RF-\d{8}-[A-HJ-NP-Z2-9]{6}$/),
      transaction_id: trxId,
      amount: "41.50 EUR",
      raw_amount: 41.5,
      currency: "EUR",
      status: "completed",
      reason: "",
      reference: "",
      metadata: null,
      created_at: expect.any(String),
    });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 41.5 });
    expect(await eventNamesOf(sandbox, orderId)).toEqual([
      "pos.order.paid",
      "refund.completed",
      "pos.order.refunded",
    ]);
  });

  it("allows partial refunds up to the payment's amount, and only the last refund sets the order to REFUNDED", async () => {
    const { orderId, trxId } = await createPaidOrder(server, api, { amount: 10 });
    const part = { transaction_id: trxId, reason: "one mug broken", reference: "rma 7" };
    const first = readRefund(await api.post("/refunds", { ...part, amount: "2.50" }), REFUND_CREATED);
    expect(first).toMatchObject({
      amount: "2.50 EUR",
      raw_amount: 2.5,
      reason: part.reason,
      reference: "rma 7",
    });
    expect(await getOrder(api, orderId)).toMatchObject({ status: "PAID", refunded_amount: 2.5 });
    readRefund(await api.post("/refunds", { ...part, amount: 7.49 }), REFUND_CREATED);
    expect((await getOrder(api, orderId)).status).toBe("PAID");
    const rest = readRefund(await api.post("/refunds", part), REFUND_CREATED);
    expect(rest.raw_amount).toBe(0.01);
    expect(await getOrder(api, orderId)).toMatchObject({ status: "REFUNDED", refunded_amount: 10 });
  });

  it("moves exactly the amount from the merchant's wallet to the payer's", async () => {
    const merchant = sandbox.access.merchant.client_id;
    const payer = sandbox.access.shoppers[0];
    if (!payer) throw new Error("the sandbox has no shopper");
    const order = await createOrder(api, { amount: 20 });
    const page = openPage(server, paymentTokenOf(order));
    await page.signIn(payer.email, payer.pin);
    await page.act("pay");
    const before = [await balanceOf(sandbox, merchant), await balanceOf(sandbox, payer.email)];
    const { trx_id } = await getOrder(api, order.order_id);
    await api.post("/refunds", { transaction_id: trx_id, amount: 12.34 });
    const after = [await balanceOf(sandbox, merchant), await balanceOf(sandbox, payer.email)];
    expect(after).toEqual([(before[0] ?? 0n) - 1234n, (before[1] ?? 0n) + 1234n]);
  });

  it.each([
    ["JPY", 500, 300, "300 JPY"],
    ["KWD", 1.5, 0.001, "0.001 KWD"],
  ])(
    "reads and writes amounts in %s with the currency's decimal places",
    async (currency, paid, back, text) => {
      const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
      await addMerchantWallet(sandbox, merchantId, "sandbox", currency);
      await sandbox.database.pool.query(
        `INSERT INTO accounts (id, mode, currency, kind, wallet_user_id, balance)
       SELECT gen_random_uuid(), 'sandbox', $1, 'shopper', id, 0 FROM wallet_users WHERE test_of_merchant_id = $2`,
        [currency, merchantId],
      );
      const { orderId, trxId } = await createPaidOrder(server, api, { amount: paid, currency });
      expect(
        readRefund(await api.post("/refunds", { transaction_id: trxId, amount: back }), REFUND_CREATED),
      ).toMatchObject({
        amount: text,
        raw_amount: back,
        currency,
      });
      expect((await getOrder(api, orderId)).refunded_amount).toBe(back);
      const tooFine = currency === "JPY" ? 0.5 : 0.0001;
      expect(errorOf(await api.post("/refunds", { transaction_id: trxId, amount: tooFine })).status).toBe(
        400,
      );
    },
  );

  const exceeds = { status: 422, texts: ["Refund exceeds original amount"] };

  it("rejects a refund above the refundable amount, even if nothing is left to refund, and writes nothing", async () => {
    const { trxId } = await createPaidOrder(server, api, { amount: 10 });
    const refund = (amount?: number) => api.post("/refunds", { transaction_id: trxId, amount });
    expect(errorOf(await expectNoWrites(sandbox, () => refund(10.01)))).toEqual(exceeds);
    expect((await refund(9)).status).toBe(200);
    expect(errorOf(await expectNoWrites(sandbox, () => refund(1.01)))).toEqual(exceeds);
    expect((await refund(1)).status).toBe(200);
    expect(errorOf(await expectNoWrites(sandbox, () => refund(0.01)))).toEqual(exceeds);
    expect(errorOf(await expectNoWrites(sandbox, () => refund()))).toEqual(exceeds);
  });

  it("rejects a refund above the merchant's balance", async () => {
    const order = await createOrder(api, { amount: 50, currency: "USD" });
    await openPage(server, paymentTokenOf(order)).act("sandbox-approve");
    const { trx_id } = await getOrder(api, order.order_id);
    // Withdraws all but 49.99 USD.
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'USD', m.id, i.id, m.balance - 4999, 'emptied')
       FROM accounts m, accounts i WHERE m.currency = 'USD' AND m.kind = 'merchant' AND i.currency = 'USD' AND i.kind = 'issuing'
         AND m.merchant_id = (SELECT merchant_id FROM credentials WHERE client_id = $1)`,
      [sandbox.access.merchant.client_id],
    );
    const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id: trx_id }));
    expect(errorOf(response)).toEqual({ status: 422, texts: ["Insufficient balance."] });
  });

  it("rejects a refund to a closed wallet, and accepts a refund to a deactivated payer", async () => {
    const shopper = await addShopper(sandbox, "sandbox", 5000n);
    const pay = async (amount: number) => {
      const order = await createOrder(api, { amount });
      const page = openPage(server, paymentTokenOf(order));
      await page.signIn(shopper.email, shopper.pin);
      expect((await page.act("pay")).status).toBe(200);
      return (await getOrder(api, order.order_id)).trx_id;
    };
    const first = await pay(20);
    const second = await pay(30);
    await sandbox.database.pool.query("UPDATE wallet_users SET active = false WHERE id = $1", [shopper.id]);
    readRefund(await api.post("/refunds", { transaction_id: first, amount: 1 }), REFUND_CREATED);
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'EUR', w.id, f.id, w.balance, 'closing')
       FROM accounts w, accounts f WHERE w.wallet_user_id = $1 AND f.kind = 'funding' AND f.currency = 'EUR' AND f.mode = 'sandbox'`,
      [shopper.id],
    );
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = now() WHERE wallet_user_id = $1", [
      shopper.id,
    ]);
    const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id: second }));
    expect(errorOf(response)).toEqual({ status: 422, texts: ["Transaction not refundable"] });
  });

  it("returns 404 for an order ID, a payment token, and an unknown or malformed transaction ID", async () => {
    const order = await createOrder(api);
    for (const transaction_id of [order.order_id, paymentTokenOf(order), "TRX-000000000000", "x"]) {
      const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id }));
      expect(errorOf(response)).toEqual({ status: 404, texts: ["Transaction not found"] });
    }
  });

  it("returns 404 for a payment of another merchant or mode", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const other = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const stranger of [other, live]) {
      const response = await expectNoWrites(sandbox, () =>
        stranger.post("/refunds", { transaction_id: trxId, amount: 1, idempotency_key: "stranger" }),
      );
      expect(errorOf(response)).toEqual({ status: 404, texts: ["Transaction not found"] });
    }
    readRefund(await api.post("/refunds", { transaction_id: trxId, amount: 1 }), REFUND_CREATED);
  });
});
