import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential, addShopper, addWallet, type TestShopper } from "../../support/parties.js";
import { errorOf, fieldError, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { WalletBrowser } from "../../support/wallet.js";

const { sandbox, server, api } = await createTestApi();
let shopper: TestShopper;
let browser: WalletBrowser;
beforeAll(async () => {
  shopper = await addShopper(sandbox, "sandbox", 100_000n);
  browser = new WalletBrowser(server);
  await browser.signIn(shopper.email, shopper.pin);
});

/** Creates and pays an order. @returns the order and its transaction ID. */
async function createPaidOrder(amount: number, fields: Record<string, unknown> = {}) {
  const order = await createOrder(api, { amount, ...fields });
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin);
  expect((await page.pay()).status).toBe(200);
  const { order: seen } = await page.view();
  return { order, trxId: seen.trx_id ?? "" };
}

describe("signing in to the wallet", () => {
  it("shows no account before sign-in, and the shopper's name, phone and e-mail after it", async () => {
    const fresh = new WalletBrowser(server);
    expect(await fresh.view()).toMatchObject({ shopper: null, wallets: [], usual_mode: "sandbox" });
    expect(errorOf(await fresh.get("/activity")).reason).toBe("not_signed_in");
    for (const path of [`/activity/${randomUUID()}`, "/sign-ins"])
      expect(errorOf(await fresh.get(path)).reason).toBe("not_signed_in");
    await fresh.signIn(shopper.phone, shopper.pin);
    const { phone, email } = shopper;
    expect(await fresh.view()).toMatchObject({
      shopper: { name: "Ruth Okafor", mode: "sandbox", phone, email, wrong_pins_elsewhere: false },
    });
  });

  it("also signs in on the payment page, which still requires the PIN", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(api)), { session: browser.session ?? "" });
    expect((await page.view()).shopper).toMatchObject({ name: "Ruth Okafor", pin_needed: true });
    expect(errorOf(await expectNoWrites(sandbox, () => page.pay())).reason).toBe("pin_needed");
  });

  it("works only in the mode of the shopper's account", async () => {
    const live = await addShopper(sandbox, "live", 0n);
    const fresh = new WalletBrowser(server);
    expect(errorOf(await fresh.signInResponse(live.email, live.pin)).reason).toBe("wrong_sign_in");
    expect(errorOf(await fresh.signInResponse(shopper.email, shopper.pin, "live")).reason).toBe(
      "wrong_sign_in",
    );
    await fresh.signIn(live.email, live.pin, "live");
    expect((await fresh.view()).shopper?.mode).toBe("live");
    const { merchant } = sandbox.access;
    const order = await createOrder(
      payApi(server, await addLiveCredential(sandbox, merchant.client_id), "live"),
    );
    expect(
      (await openPage(server, paymentTokenOf(order), { session: fresh.session ?? "" }).view()).shopper?.name,
    ).toBe("Ruth Okafor");
  });

  it("counts a device's wrong PINs in the wallet and on the payment page together, and then locks sign-in and PIN change", async () => {
    const other = await addShopper(sandbox, "sandbox", 0n);
    const here = new WalletBrowser(server);
    await here.signIn(other.email, other.pin);
    const page = openPage(server, paymentTokenOf(await createOrder(api)), { device: here.device ?? "" });
    for (let i = 0; i < 3; i += 1)
      expect(errorOf(await page.signInResponse(other.email, "918273")).reason).toBe("wrong_sign_in");
    for (let i = 0; i < 2; i += 1)
      expect(errorOf(await here.signInResponse(other.phone, "918273")).reason).toBe("wrong_sign_in");
    expect(errorOf(await here.signInResponse(other.email, other.pin)).reason).toBe("device_locked");
    expect(errorOf(await here.post("/pin", { pin: other.pin, new_pin: "640281" })).reason).toBe(
      "device_locked",
    );
  });

  it("starts a session that ends on sign-out, which requires the session's form token", async () => {
    const visitor = new WalletBrowser(server);
    await visitor.signIn(shopper.email, shopper.pin);
    const { form_token } = await visitor.view();
    const other = new WalletBrowser(server);
    await other.signIn(shopper.email, shopper.pin);
    for (const token of [
      form_token,
      "forged",
      (await openPage(server, paymentTokenOf(await createOrder(api))).view()).form_token,
    ])
      expect(errorOf(await other.post("/sign-out", { form_token: token })).reason).toBe("form_rejected");
    expect(await visitor.act("/sign-out")).toEqual({ renewed_session: null, signed_out: true });
    expect((await visitor.view()).shopper).toBeNull();
    expect((await other.view()).shopper?.name).toBe("Ruth Okafor");
  });

  it.each([
    ["identifier", { identifier: "a".repeat(255), pin: "407193" }, "must not be longer than 254 characters"],
    ["pin", { identifier: "a", pin: "40719" }, "must be 6 digits"],
    ["pin", { identifier: "a", pin: "4071930" }, "must be 6 digits"],
  ])("is rejected with an invalid %s", async (field, fields, rule) => {
    const response = await new WalletBrowser(server).post("/sign-in", { mode: "sandbox", ...fields });
    expect(errorOf(response)).toMatchObject(fieldError(field, rule));
  });
});

describe("wallet activity", () => {
  it("lists payments, refunds and top-ups, newest first, with receipts", async () => {
    const { order, trxId } = await createPaidOrder(41.5, { description: "Two vases", reference: "1042" });
    const refund = { transaction_id: trxId, amount: 10 };
    expect((await api.post("/refunds", refund)).status).toBe(200);
    const { activity } = await browser.activity();
    expect(activity.slice(0, 3)).toMatchObject([
      { kind: "refund", direction: "in", amount: "10.00 EUR", description: "Two vases" },
      { kind: "payment", direction: "out", amount: "41.50 EUR", description: "Two vases" },
      { kind: "deposit", direction: "in", amount: "1000.00 EUR", merchant_name: null, description: null },
    ]);
    const [back, payment, deposit] = activity;
    expect(payment?.merchant_name).toBe(back?.merchant_name);
    expect(await browser.receipt(payment?.id ?? "")).toMatchObject({
      payment: {
        order_id: order.order_id,
        trx_id: trxId,
        reference: "1042",
        price: "41.50 EUR",
        rate: null,
        payment_url: order.payment_url,
        refunds: [{ status: "completed", amount: "10.00 EUR", received: "10.00 EUR", activity_id: back?.id }],
      },
      refund: null,
      payout: null,
    });
    expect(await browser.receipt(back?.id ?? "")).toMatchObject({
      payment: null,
      refund: { order_id: order.order_id, payment_id: payment?.id },
    });
    expect(await browser.receipt(deposit?.id ?? "")).toMatchObject({
      payment: null,
      refund: null,
      payout: null,
    });
  });

  it("is private: another shopper's entry has no receipt and is rejected as a cursor", async () => {
    const [first] = (await browser.activity()).activity;
    const stranger = new WalletBrowser(server);
    const other = await addShopper(sandbox, "sandbox", 0n);
    await stranger.signIn(other.email, other.pin);
    for (const id of [first?.id, randomUUID(), "none", "%00"])
      expect(errorOf(await stranger.get(`/activity/${id}`))).toMatchObject({
        status: 404,
        reason: "not_found",
      });
    for (const position of ["before", "after"])
      expect(errorOf(await stranger.get(`/activity?${position}=${first?.id}`))).toMatchObject(
        fieldError(position, "must be the ID of a movement from an earlier response"),
      );
    expect(await stranger.activity()).toEqual({ activity: [], next: null, previous: null });
  });

  it("has stable pages while new entries arrive, and can be filtered by currency", async () => {
    const many = await addShopper(sandbox, "sandbox", 0n);
    const francs = await addWallet(sandbox, { id: many.id, mode: "sandbox" }, "XAF", 0n);
    const { rows } = await sandbox.database.pool.query<{ id: string }>(
      "SELECT id FROM accounts WHERE wallet_user_id = $1 AND currency = 'EUR'",
      [many.id],
    );
    const deposit = async (account: string, amount: number) =>
      sandbox.database.pool.query(
        `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', a.currency, h.id, a.id, $2, $3)
         FROM accounts a JOIN accounts h ON h.kind = 'issuing' AND h.mode = a.mode AND h.currency = a.currency WHERE a.id = $1`,
        [account, amount, randomUUID()],
      );
    for (let at = 1; at <= 41; at += 1) await deposit(rows[0]?.id ?? "", at);
    await deposit(francs, 7);
    const wallet = new WalletBrowser(server);
    await wallet.signIn(many.email, many.pin);
    const cents = ({ activity }: { activity: { amount: string }[] }) =>
      activity.map(({ amount }) => Math.round(Number(amount.split(" ")[0]) * 100));
    const first = await wallet.activity("?currency=EUR");
    expect(cents(first)).toEqual(Array.from({ length: 20 }, (_, at) => 41 - at));
    expect(first.previous).toBeNull();
    await deposit(rows[0]?.id ?? "", 42);
    const second = await wallet.activity(`?currency=EUR&before=${first.next}`);
    expect(cents(second)).toEqual(Array.from({ length: 20 }, (_, at) => 21 - at));
    const third = await wallet.activity(`?currency=EUR&before=${second.next}`);
    expect([cents(third), third.next]).toEqual([[1], null]);
    const back = await wallet.activity(`?currency=EUR&after=${third.previous}`);
    expect(cents(back)).toEqual(cents(second));
    const newest = await wallet.activity(`?currency=EUR&after=${back.previous}`);
    expect(cents(newest)).toEqual(Array.from({ length: 20 }, (_, at) => 41 - at));
    expect(cents(await wallet.activity(`?currency=EUR&after=${newest.previous}`))).toEqual([42]);
    expect((await wallet.activity()).activity.map(({ amount }) => amount)).toContain("7 XAF");
    expect((await wallet.activity("?currency=XAF")).activity).toMatchObject([{ amount: "7 XAF" }]);
  });
});
