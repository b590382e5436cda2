import { consoleOrderResponseSchema, consoleRefundResponseSchema } from "@tillgate/contract";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, getOrder, paymentTokenOf, readRefund } from "../../support/orders.js";
import {
  addLiveCredential,
  addShopper,
  addWallet,
  merchantIdOf,
  type TestShopper,
} from "../../support/parties.js";
import { decideRefund, setRates } from "../../support/partner.js";
import { errorOf, payApi } from "../../support/requests.js";
import { balanceOf, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { WalletBrowser } from "../../support/wallet.js";
import { createConsoleParties, dataOf, merchantConsole } from "../console/console-client.js";

/** The seed's rate from dollars to euros, 0.92234, less its spread of 1 %. */
const RATE = "0.9131166";

let shopper: TestShopper;
let dollars: string;

const { sandbox, server, api } = await createTestApi();
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 100n);
  dollars = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "USD", 10_000n);
});
afterAll(() => expectValidEvents(sandbox));

async function openSignedIn(
  fields: Record<string, unknown> = {},
): Promise<{ id: string; token: string; page: CheckoutPage }> {
  const order = await createOrder(api, fields);
  const token = paymentTokenOf(order);
  const page = openPage(server, token);
  await page.signIn(shopper.email, shopper.pin);
  return { id: order.order_id, token, page };
}
const expireQuote = (id: string) =>
  sandbox.database.pool.query("UPDATE shopper_quotes SET expires_at = clock_timestamp() WHERE id = $1", [id]);
const usd = () => balanceOf(sandbox, shopper.email, "USD");

describe("wallets on the payment page", () => {
  it("are listed with the order's currency first, each with the amount to pay if there is a rate", async () => {
    const jpy = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "JPY", 500n);
    const { page } = await openSignedIn();
    const { shopper: shown, quote } = await page.view();
    const [euros, yen, american] = shown?.wallets ?? [];
    expect(euros).toMatchObject({
      ...{ currency: "EUR", balance: "1.00 EUR", converts: false, price: "41.50 EUR", rate: null },
      ...{ sufficient: false, missing: "40.50 EUR" },
    });
    expect(shown?.wallet).toEqual(euros);
    // There is no rate from yen to euros.
    expect(yen).toEqual({
      ...{ wallet_id: jpy, currency: "JPY", balance: "500 JPY", converts: true, price: null, rate: null },
      ...{ sufficient: false, missing: null },
    });
    expect(american).toEqual({
      ...{ wallet_id: dollars, currency: "USD", balance: "100.00 USD", converts: true, price: "45.45 USD" },
      ...{ rate: RATE, sufficient: true, missing: null },
    });
    expect(quote).toBeNull();
    expect(errorOf(await expectNoWrites(sandbox, () => page.quoteResponse(jpy))).reason).toBe("no_rate");
  });

  it("are not listed once closed, and a quote or payment from a closed wallet is rejected as wallet_closed", async () => {
    const { page } = await openSignedIn();
    const closing = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "XAF", 0n);
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = now() WHERE id = $1", [closing]);
    expect((await page.view()).shopper?.wallets.map(({ currency }) => currency)).toEqual(["EUR", "USD"]);
    expect(errorOf(await page.quoteResponse(closing)).reason).toBe("wallet_closed");
    expect(errorOf(await page.pay({ wallet_id: closing })).reason).toBe("wallet_closed");
  });

  it("are rejected like unknown wallets if they belong to another shopper", async () => {
    const stranger = await addShopper(sandbox, "sandbox", 0n);
    const theirs = await addWallet(sandbox, { id: stranger.id, mode: "sandbox" }, "USD", 100_000n);
    const { page } = await openSignedIn();
    expect(errorOf(await page.quoteResponse(theirs)).reason).toBe("no_wallet");
    expect(errorOf(await page.pay({ wallet_id: theirs })).reason).toBe("no_wallet");
    const nobody = openPage(server, page.address.split("/").pop() ?? "");
    expect(errorOf(await nobody.quoteResponse(theirs)).reason).toBe("not_signed_in");
  });
});

describe("shopper quote", () => {
  it("locks in the rate and the amount charged even if the rate changes, and is shown again when the page is reloaded", async () => {
    const { id, page } = await openSignedIn();
    const quote = await page.quote(dollars);
    expect(quote).toMatchObject({
      ...{ wallet_id: dollars, pays: "45.45 USD", receives: "41.50 EUR", rate: RATE, margin_percent: "1" },
      ...{ from_currency: "USD", to_currency: "EUR", sufficient: true, missing: null },
    });
    expect(quote.expires_in_ms).toBeGreaterThan(200_000);
    expect(quote.expires_in_ms).toBeLessThanOrEqual(300_000);
    expect((await page.view()).quote).toMatchObject({ quote_id: quote.quote_id, pays: "45.45 USD" });
    // The rate changes; the quote does not.
    await sandbox.database.pool.query(
      setRates("SELECT 'sandbox'::mode, 'USD', 'EUR', 0.5, 0, to_timestamp(0)"),
    );
    const merchant = await balanceOf(sandbox, sandbox.access.merchant.client_id);
    expect((await page.pay({ quote_id: quote.quote_id })).body).toMatchObject({ data: { status: "PAID" } });
    expect(await usd()).toBe(10_000n - 4_545n);
    expect(await balanceOf(sandbox, sandbox.access.merchant.client_id)).toBe(merchant + 4_150n);
    expect(await getOrder(api, id)).toMatchObject({ status: "PAID", raw_amount: 41.5, currency: "EUR" });
    expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.paid"]);
    const { payment } = await page.view();
    expect(payment).toEqual({ by_you: true, paid_amount: "45.45 USD", rate: RATE, received_back: null });
    const stranger = openPage(server, page.address.split("/").pop() ?? "");
    expect((await stranger.view()).payment).toMatchObject({ by_you: false, paid_amount: null, rate: null });
    // Restores the previous rate, because rates cannot be deleted.
    await sandbox.database.pool.query(
      setRates(
        `SELECT mode, base, quote, rate, spread_percent, effective_from FROM exchange_rates
         WHERE mode = 'sandbox' AND base = 'USD' AND quote = 'EUR' AND rate <> 0.5`,
      ),
    );
  });

  it("is reused when requested again before its last minute, and replaced when requested in that minute", async () => {
    const { page } = await openSignedIn();
    const first = await page.quote(dollars);
    expect((await page.quote(dollars)).quote_id).toBe(first.quote_id);
    await sandbox.database.pool.query(
      "UPDATE shopper_quotes SET expires_at = clock_timestamp() + interval '59 seconds' WHERE id = $1",
      [first.quote_id],
    );
    expect((await page.quote(dollars)).quote_id).not.toBe(first.quote_id);
  });

  it("expires no later than its order", async () => {
    const { page } = await openSignedIn({ expires_in: 60 });
    const { expires_at } = await page.quote(dollars);
    expect(expires_at).toBe((await page.view()).order.expires_at);
  });

  it("is rejected after its expiry, and a new quote is offered", async () => {
    const { page } = await openSignedIn();
    const { quote_id } = await page.quote(dollars);
    await expireQuote(quote_id);
    expect((await page.view()).quote).toBeNull();
    expect(errorOf(await page.pay({ quote_id }))).toMatchObject({ status: 422, reason: "quote_expired" });
    const { quote } = await page.view();
    expect(quote).toMatchObject({ wallet_id: dollars, pays: "45.45 USD" });
    expect(quote?.quote_id).not.toBe(quote_id);
    expect((await page.pay({ quote_id: quote?.quote_id })).status).toBe(200);
  });

  it("is required for a wallet in another currency: otherwise the payment is rejected, and the page offers a quote", async () => {
    const { page } = await openSignedIn();
    expect(errorOf(await page.pay({ wallet_id: dollars })).reason).toBe("quote_expired");
    expect((await page.view()).quote).toMatchObject({ wallet_id: dollars });
    expect(await usd()).toBe(10_000n);
  });

  it("is rejected for another order or shopper", async () => {
    const { page } = await openSignedIn();
    const other = await openSignedIn();
    const { quote_id } = await other.page.quote(dollars);
    expect(errorOf(await page.pay({ quote_id })).reason).toBe("quote_expired");
    expect((await page.view()).quote).toBeNull();
    const thief = await addShopper(sandbox, "sandbox", 0n);
    const their = openPage(server, other.token);
    await their.signIn(thief.email, thief.pin);
    expect((await their.view()).quote).toBeNull();
    expect(errorOf(await their.pay({ quote_id })).reason).toBe("quote_expired");
    expect(await usd()).toBe(10_000n);
  });

  it("cannot be created for the order's currency, with an invalid wallet ID or with another visitor's form", async () => {
    const { page } = await openSignedIn();
    const own = (await page.view()).shopper?.wallet?.wallet_id ?? "";
    for (const walletId of [own, "x", ""])
      expect(errorOf(await expectNoWrites(sandbox, () => page.quoteResponse(walletId)))).toMatchObject({
        status: 400,
        reason: "invalid_field",
      });
    const foreign = (await openPage(server, page.address.split("/").pop() ?? "").view()).form_token;
    expect(errorOf(await page.quoteResponse(dollars, foreign)).reason).toBe("form_rejected");
  });

  it("reports the shortfall if it exceeds the balance, and stays valid", async () => {
    const { page } = await openSignedIn({ amount: 100 });
    const quote = await page.quote(dollars);
    expect(quote).toMatchObject({ pays: "109.52 USD", sufficient: false, missing: "9.52 USD" });
    expect(errorOf(await page.pay({ quote_id: quote.quote_id }))).toMatchObject({
      reason: "insufficient_balance",
      missing: "9.52 USD",
    });
    expect((await page.view()).quote?.quote_id).toBe(quote.quote_id);
  });

  it("cannot be created for a cancelled order", async () => {
    const { page } = await openSignedIn();
    await page.act("cancel");
    expect(errorOf(await page.quoteResponse(dollars)).reason).toBe("cancelled");
  });

  it("is rate limited per minute", async () => {
    const strict = await sandbox.startApi({ environment: { TILLGATE_SHOPPER_QUOTES_PER_MINUTE: "2" } });
    const { token, page } = await openSignedIn();
    const limited = openPage(strict, token, { visitor: page.visitor, session: page.session ?? "" });
    for (let i = 0; i < 2; i += 1) expect((await limited.quoteResponse(dollars)).status).toBe(200);
    const response = await limited.quoteResponse(dollars);
    expect(errorOf(response)).toMatchObject({ status: 429, reason: "too_many_attempts" });
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("does not use sandbox rates in live mode: without a live rate there is no price", async () => {
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    const customer = await addShopper(sandbox, "live", 0n);
    const wallet = await addWallet(sandbox, { id: customer.id, mode: "live" }, "USD", 100_000n);
    const page = openPage(server, paymentTokenOf(await createOrder(live)));
    await page.signIn(customer.email, customer.pin);
    expect((await page.view()).shopper?.wallets[1]).toMatchObject({ price: null });
    expect(errorOf(await page.quoteResponse(wallet)).reason).toBe("no_rate");
  });
});

describe("confirmation of a payment", () => {
  it("moves the money once for concurrent confirmations of one quote, and returns 200 to every caller", async () => {
    const { token, page } = await openSignedIn();
    const second = await sandbox.startApi();
    const there = openPage(second, token, { visitor: page.visitor, session: page.session ?? "" });
    const { quote_id } = await page.quote(dollars);
    const { form_token } = await page.view();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? page : there).pay({ form_token, quote_id })),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(responses.filter(({ text }) => text.includes('"repeated":false'))).toHaveLength(1);
    expect(await usd()).toBe(10_000n - 4_545n);
  });

  it("returns PAID for an order that the shopper has paid, even with another wallet, an unknown quote or no recent PIN", async () => {
    const { page } = await openSignedIn({ amount: 1 });
    const { form_token } = await page.view();
    expect((await page.pay({ form_token })).status).toBe(200);
    await sandbox.database.pool.query(
      "UPDATE wallet_sessions SET pin_entered_at = now() - interval '1 hour'",
    );
    for (const fields of [{}, { wallet_id: dollars }, { quote_id: "00000000-0000-4000-8000-000000000000" }]) {
      const again = await expectNoWrites(sandbox, () => page.pay({ ...fields, form_token }));
      expect(again.body).toMatchObject({ data: { status: "PAID", repeated: true } });
    }
  });

  it("is rate limited per minute", async () => {
    const strict = await sandbox.startApi({ environment: { TILLGATE_CONFIRMS_PER_MINUTE: "2" } });
    const { token, page } = await openSignedIn();
    const limited = openPage(strict, token, { visitor: page.visitor, session: page.session ?? "" });
    for (let i = 0; i < 2; i += 1) expect(errorOf(await limited.pay()).reason).toBe("insufficient_balance");
    expect(errorOf(await limited.pay())).toMatchObject({ status: 429, reason: "too_many_attempts" });
  });
});

describe("refunds of a converted payment", () => {
  async function paid(): Promise<string> {
    const { id, page } = await openSignedIn();
    await page.pay({ quote_id: (await page.quote(dollars)).quote_id });
    return (await getOrder(api, id)).trx_id ?? "";
  }
  const refund = (transaction_id: string, amount?: number) =>
    api.post("/refunds", { transaction_id, ...(amount === undefined ? {} : { amount }) });

  it("are rounded down in the payer's currency, and the last refund pays back the exact remainder", async () => {
    const trx = await paid();
    expect((await refund(trx, 0.01)).status).toBe(200);
    // floor(4545 × 1 ÷ 4150) = 1
    expect(await usd()).toBe(10_000n - 4_545n + 1n);
    expect((await refund(trx, 20)).status).toBe(200);
    expect(await usd()).toBe(10_000n - 4_545n + (4_545n * 2_001n) / 4_150n);
    expect((await refund(trx)).status).toBe(200);
    expect(await usd()).toBe(10_000n);
  });

  it("show the amounts in both currencies to the payer and to the merchant", async () => {
    const { id, token, page } = await openSignedIn();
    await page.pay({ quote_id: (await page.quote(dollars)).quote_id });
    const trx = (await getOrder(api, id)).trx_id ?? "";
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    const { user } = await createConsoleParties(sandbox);
    const desk = merchantConsole(server, { user, merchantId });
    const need = (refundsNeedApproval: boolean) =>
      sandbox.database.prisma.merchant.update({ where: { id: merchantId }, data: { refundsNeedApproval } });
    for (const amount of [0.01, 9.99]) expect((await refund(trx, amount)).status).toBe(200);
    await need(true);
    expect((await refund(trx, 20)).status).toBe(200);
    await need(false);

    // floor(4545 × 1 ÷ 4150) = 1, floor(4545 × 1000 ÷ 4150) = 1095
    const view = await page.view();
    expect(view.order).toMatchObject({ refunded_amount: "10.00 EUR", refund_pending_amount: "20.00 EUR" });
    expect(view.payment).toMatchObject({ by_you: true, received_back: "10.95 USD" });
    expect((await openPage(server, token).view()).payment).toMatchObject({
      by_you: false,
      received_back: null,
    });

    const wallet = new WalletBrowser(server);
    await wallet.signIn(shopper.email, shopper.pin);
    const { activity } = await wallet.activity();
    const [newest, older, payment] = activity;
    expect([newest, older, payment]).toMatchObject([
      { kind: "refund", amount: "10.94 USD", merchant_amount: "9.99 EUR" },
      { kind: "refund", amount: "0.01 USD", merchant_amount: "0.01 EUR" },
      { kind: "payment", amount: "45.45 USD", merchant_amount: "41.50 EUR" },
    ]);
    expect((await wallet.receipt(payment?.id ?? "")).payment?.refunds).toMatchObject([
      { amount: "0.01 EUR", received: "0.01 USD" },
      { amount: "9.99 EUR", received: "10.94 USD" },
      { amount: "20.00 EUR", received: null, status: "pending" },
    ]);

    const { refunds } = dataOf(consoleOrderResponseSchema, await desk.get(`/orders/${id}`));
    const sums = refunds.map(({ status, money, received }) => [status, money.amount, received?.amount]);
    // The pending refund returns floor(4545 × 3000 ÷ 4150) − 1095.
    expect(sums).toEqual([
      ["pending", "20.00", "21.90"],
      ["completed", "9.99", "10.94"],
      ["completed", "0.01", "0.01"],
    ]);
    const item = dataOf(consoleRefundResponseSchema, await desk.get(`/refunds/${refunds[0]?.refund_id}`));
    expect(item.received).toEqual({ amount: "21.90", currency: "USD" });
  });

  it("that need approval are paid to the payer only when approved, and add up to the amount charged once the rest is refunded", async () => {
    const merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
    const trx = await paid();
    const need = (refundsNeedApproval: boolean) =>
      sandbox.database.prisma.merchant.update({ where: { id: merchantId }, data: { refundsNeedApproval } });
    await need(true);
    const ids: string[] = [];
    for (const amount of [10.01, 20.02, undefined]) {
      const { refund_id } = readRefund(await refund(trx, amount), "Refund created successfully");
      ids.push(refund_id);
    }
    await need(false);
    expect(await usd()).toBe(10_000n - 4_545n);
    await decideRefund(sandbox, ids[1] ?? "", false);
    await decideRefund(sandbox, ids[2] ?? "", true);
    await decideRefund(sandbox, ids[0] ?? "", true);
    expect(await usd()).toBe(10_000n - 4_545n + (4_545n * (4_150n - 2_002n)) / 4_150n);
    expect((await refund(trx)).status).toBe(200);
    expect(await usd()).toBe(10_000n);
  });

  it("are rejected if the payer's wallet is closed", async () => {
    const trx = await paid();
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'withdrawal', 'USD', a.id, f.id, a.balance, 'closing ' || a.id)
       FROM accounts a, accounts f WHERE a.id = $1 AND f.mode = 'sandbox' AND f.currency = 'USD' AND f.kind = 'funding'`,
      [dollars],
    );
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = now() WHERE id = $1", [dollars]);
    const response = await expectNoWrites(sandbox, () => refund(trx, 1));
    expect(errorOf(response)).toEqual({ status: 422, texts: ["Transaction not refundable"] });
  });
});
