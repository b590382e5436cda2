import { randomBytes, randomUUID } from "node:crypto";
import {
  type Mode,
  successEnvelope,
  walletConversionResponseSchema,
  walletConversionSchema,
  walletCurrenciesSchema,
  walletTransferResponseSchema,
} from "@tillgate/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential, addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf, fieldError, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { WalletBrowser } from "../../support/wallet.js";

const { sandbox, server, api } = await createTestApi();
const PIN = "640281";

const freshEmail = () => `new-${randomBytes(6).toString("hex")}@example.com`;
const signUpFields = (change: Record<string, unknown> = {}) => ({
  mode: "sandbox",
  name: "Nora Lind",
  email: freshEmail(),
  pin: PIN,
  currency: "EUR",
  ...change,
});

let shopper: TestShopper;
let browser: WalletBrowser;
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 10_000n);
  browser = new WalletBrowser(server);
  await browser.signIn(shopper.email, shopper.pin);
});

const balances = async () =>
  Object.fromEntries((await browser.view()).wallets.map(({ currency, balance }) => [currency, balance]));
const topUp = (fields: Record<string, unknown> = {}) =>
  browser.post("/top-ups", { currency: "EUR", amount: "12.50", key: randomUUID(), ...fields });
const quote = (fields: Record<string, unknown> = {}) =>
  browser.post("/conversions", { from_currency: "EUR", to_currency: "XAF", amount: "10", ...fields });
async function quoteConversion(fields: Record<string, unknown> = {}) {
  const { status, text, body } = await quote(fields);
  expect({ status, text }).toMatchObject({ status: 200 });
  return successEnvelope(walletConversionResponseSchema.strict()).parse(body).data.conversion;
}

describe("POST /checkout/v1/wallet/shoppers", () => {
  it("signs the shopper in with a funded wallet that can pay the given order without the PIN again", async () => {
    const order = await createOrder(api, { amount: 41.5 });
    const fresh = new WalletBrowser(server);
    const fields = signUpFields({ order_token: paymentTokenOf(order), amount: "41.50" });
    await fresh.signUp(fields);
    expect(await fresh.view()).toMatchObject({
      shopper: { name: "Nora Lind", mode: "sandbox", email: fields.email },
      wallets: [{ currency: "EUR", balance: "41.50 EUR" }],
    });
    const page = openPage(server, paymentTokenOf(order), { session: fresh.session ?? "" });
    expect((await page.view()).shopper).toMatchObject({ pin_needed: false });
    expect((await page.pay()).status).toBe(200);
    await new WalletBrowser(server).signIn(fields.email, PIN);
  });

  it("requires a phone or e-mail, and rejects one that is already taken, in any notation", async () => {
    const fresh = new WalletBrowser(server);
    for (const change of [
      { email: shopper.email.toUpperCase() },
      { email: undefined, phone: shopper.phone },
      { email: undefined, phone: shopper.phone.replace("+", "00") },
    ])
      expect(errorOf(await fresh.post("/shoppers", signUpFields(change))).reason).toBe("identifier_taken");
    expect(errorOf(await fresh.post("/shoppers", signUpFields({ email: "" })))).toMatchObject(
      fieldError("email", "is required without a phone number"),
    );
    const phone = `+3362${String(Math.floor(Math.random() * 1e7)).padStart(7, "0")}`;
    await fresh.signUp(signUpFields({ email: undefined, phone: phone.replace("+", "00") }));
    expect((await fresh.view()).shopper).toMatchObject({ phone, email: null });
  });

  it.each([
    ["name", { name: "n".repeat(121) }, "must not be longer than 120 characters"],
    ["name", { name: " " }, "is required"],
    ["email", { email: "nobody" }, "must be an e-mail address"],
    ["phone", { phone: "12" }, "must be a phone number with its country code"],
    ["pin", { pin: "64028" }, "must be 6 digits"],
    ["currency", { currency: "ZZZ" }, "must be an active currency"],
    ["amount", { amount: "0" }, "must be greater than zero"],
  ])("rejects an invalid %s and writes nothing", async (field, change, rule) => {
    const rejected = await expectNoWrites(sandbox, () =>
      new WalletBrowser(server).post("/shoppers", signUpFields(change)),
    );
    expect(errorOf(rejected)).toMatchObject(fieldError(field, rule));
  });

  it("accepts a name of 120 characters and rejects a guessable PIN", async () => {
    const fresh = new WalletBrowser(server);
    expect(errorOf(await fresh.post("/shoppers", signUpFields({ pin: "121212" }))).reason).toBe(
      "trivial_pin",
    );
    await fresh.signUp(signUpFields({ name: "n".repeat(120) }));
  });
});

describe("GET /checkout/v1/wallet/currencies", () => {
  it("lists the active currencies", async () => {
    const codes = async () => {
      const { currencies } = await browser.read("/currencies", walletCurrenciesSchema.strict());
      return currencies.map(({ currency }) => currency);
    };
    const setActive = (active: boolean) =>
      sandbox.database.prisma.currency.update({ where: { code: "KWD" }, data: { active } });
    expect(await codes()).toEqual(expect.arrayContaining(["EUR", "KWD", "XAF"]));
    await setActive(false);
    expect(await codes()).not.toContain("KWD");
    await setActive(true);
  });
});

describe("resetting a forgotten PIN", () => {
  it("requires the country code of an ambiguous phone number", async () => {
    const fields = { mode: "sandbox", identifier: "06 12 34 56 78", new_pin: PIN };
    const response = await new WalletBrowser(server).post("/pin-resets", fields);
    expect(errorOf(response)).toMatchObject({ status: 422, reason: "phone_without_country" });
  });

  it("works while the e-mail address is locked, and ends an earlier session", async () => {
    const stranger = new WalletBrowser(server);
    for (let times = 0; times < 5; times += 1) await stranger.signInResponse(shopper.email, "918273");
    const fresh = new WalletBrowser(server);
    await fresh.signUp({ mode: "sandbox", identifier: shopper.email, new_pin: PIN }, "/pin-resets");
    expect((await fresh.view()).shopper).not.toBeNull();
    expect((await browser.view()).shopper).toBeNull();
    await browser.signIn(shopper.phone, PIN);
  });

  it("hides the name, contacts and balances, and all activity from before the reset", async () => {
    const { key } = { key: randomUUID() };
    const { body } = await topUp({ key });
    const { activity_id: before } = successEnvelope(walletTransferResponseSchema.strict()).parse(body).data;
    const { name, phone, email } = (await browser.view()).shopper ?? {};
    const fresh = new WalletBrowser(server);
    await fresh.signUp({ mode: "sandbox", identifier: shopper.email, new_pin: PIN }, "/pin-resets");
    const view = await fresh.view();
    expect(view.shopper).toMatchObject({
      ...{ hidden: true, name: `${name?.[0]}•••` },
      ...{ email: expect.stringMatching(/^.•••@/), phone: expect.stringMatching(/^.{3}•••.{2}$/) },
    });
    const seen = JSON.stringify([view, await fresh.activity()]);
    for (const text of [name, phone, email]) expect(seen).not.toContain(text);
    expect(view.wallets.map(({ balance }) => balance)).toEqual(
      view.wallets.map(({ currency }) => `••• ${currency}`),
    );
    expect((await fresh.activity()).activity).toEqual([]);
    expect((await fresh.get(`/activity/${before}`)).status).toBe(404);
    // Later activity is visible.
    const paid = await fresh.post("/top-ups", { currency: "EUR", amount: "1.00", key: randomUUID() });
    expect(paid.status).toBe(200);
    expect((await fresh.activity()).activity.map(({ amount }) => amount)).toEqual(["1.00 EUR"]);
    // The error does not reveal the shortfall.
    const fields = { from_currency: "EUR", to_currency: "XAF", amount: "99999999.00" };
    const short = errorOf(await fresh.post("/conversions", fields));
    expect([short.reason, short.missing]).toEqual(["insufficient_balance", undefined]);
  });

  it("is rejected for an unknown shopper or with a guessable PIN", async () => {
    const reset = (fields: Record<string, unknown>) =>
      browser.post("/pin-resets", { mode: "sandbox", identifier: shopper.email, new_pin: PIN, ...fields });
    expect(errorOf(await reset({ identifier: freshEmail() }))).toMatchObject({
      status: 404,
      reason: "unknown_shopper",
    });
    expect(errorOf(await reset({ new_pin: "000000" })).reason).toBe("trivial_pin");
    expect((await browser.view()).shopper).not.toBeNull();
  });
});

describe("wallet top-up", () => {
  it("adds the amount once per idempotency key, and opens a wallet in another currency", async () => {
    const key = randomUUID();
    for (let times = 0; times < 2; times += 1) {
      const { body } = await topUp({ key });
      const { activity_id } = successEnvelope(walletTransferResponseSchema.strict()).parse(body).data;
      expect(await browser.receipt(activity_id)).toMatchObject({ kind: "deposit", amount: "12.50 EUR" });
    }
    expect((await topUp({ currency: "XAF", amount: "5000" })).status).toBe(200);
    expect(await balances()).toEqual({ EUR: "112.50 EUR", XAF: "5000 XAF" });
  });

  it.each([
    ["amount", { amount: "0" }, "must be greater than zero"],
    ["amount", { amount: "0.001" }, "must have at most 2 decimals"],
    ["currency", { currency: "ZZZ" }, "must be an active currency"],
    ["key", { key: "none" }, "must be an id"],
  ])("is rejected with an invalid %s", async (field, change, rule) => {
    expect(errorOf(await expectNoWrites(sandbox, () => topUp(change)))).toMatchObject(
      fieldError(field, rule),
    );
  });
});

describe("wallet conversion", () => {
  it("quotes a price, then moves exactly that amount once", async () => {
    const conversion = await quoteConversion();
    const [francs = ""] = conversion.gets.split(" ");
    expect(Number(francs)).toBe(Math.floor(Number(conversion.rate) * 10));
    expect(conversion.margin_percent).toBe("1");
    expect(conversion).toMatchObject({ gives: "10.00 EUR", activity_id: null });
    expect(await balances()).toEqual({ EUR: "100.00 EUR" });
    const confirm = async () => {
      const { body, status } = await browser.post(`/conversions/${conversion.id}/confirm`);
      expect(status).toBe(200);
      return successEnvelope(walletConversionResponseSchema.strict()).parse(body).data.conversion.activity_id;
    };
    const [first, second] = await Promise.all([confirm(), confirm()]);
    expect(first).toBe(second);
    expect(await confirm()).toBe(first);
    expect(await balances()).toEqual({ EUR: "90.00 EUR", XAF: `${francs} XAF` });
    const { activity } = await browser.activity();
    expect(activity[0]).toMatchObject({
      id: first,
      kind: "conversion",
      direction: "out",
      amount: "10.00 EUR",
      counter_amount: `${francs} XAF`,
    });
    expect(activity.filter(({ kind }) => kind === "conversion")).toHaveLength(1);
    expect((await browser.activity("?currency=XAF")).activity).toMatchObject([
      { kind: "conversion", direction: "in", amount: `${francs} XAF`, counter_amount: "10.00 EUR" },
    ]);
    expect(await browser.receipt(first ?? "")).toMatchObject({
      conversion: { rate: conversion.rate, from_currency: "EUR", to_currency: "XAF" },
    });
  });

  it("is rejected with an insufficient balance, a missing wallet, or an invalid currency or amount", async () => {
    expect(errorOf(await quote({ amount: "100.01" }))).toMatchObject({
      reason: "insufficient_balance",
      missing: "0.01 EUR",
    });
    expect(errorOf(await quote({ from_currency: "USD" })).reason).toBe("no_wallet");
    expect(errorOf(await quote({ to_currency: "EUR" }))).toMatchObject(
      fieldError("to_currency", "must be another currency"),
    );
    expect(errorOf(await quote({ to_currency: "ZZZ" }))).toMatchObject(
      fieldError("to_currency", "must be an active currency"),
    );
    expect(errorOf(await quote({ amount: "0" }))).toMatchObject(
      fieldError("amount", "must be greater than zero"),
    );
  });

  it("is rejected after the quote expires, and for another shopper", async () => {
    const { id } = await quoteConversion();
    const stranger = new WalletBrowser(server);
    const other = await addShopper(sandbox, "sandbox", 0n);
    await stranger.signIn(other.email, other.pin);
    for (const path of [`/conversions/${id}`, `/conversions/${randomUUID()}`, "/conversions/none"]) {
      expect(errorOf(await stranger.get(path))).toMatchObject({ status: 404, reason: "not_found" });
      expect(errorOf(await stranger.post(`${path}/confirm`))).toMatchObject({
        status: 404,
        reason: "not_found",
      });
    }
    await sandbox.database.pool.query(
      "UPDATE conversions SET expires_at = clock_timestamp() - interval '1 second' WHERE id = $1",
      [id],
    );
    const late = await expectNoWrites(sandbox, () => browser.post(`/conversions/${id}/confirm`));
    expect(errorOf(late).reason).toBe("conversion_expired");
    expect(
      (await browser.read(`/conversions/${id}`, walletConversionSchema.strict())).activity_id,
    ).toBeNull();
  });
});

describe("wallet in live mode", () => {
  const live: Mode = "live";

  it("cannot be created by a shopper, even for a live order, and the shopper cannot reset the PIN", async () => {
    const { merchant } = sandbox.access;
    const order = await createOrder(
      payApi(server, await addLiveCredential(sandbox, merchant.client_id), live),
      {},
    );
    const somebody = await addShopper(sandbox, live, 0n);
    const fresh = new WalletBrowser(server);
    for (const [path, fields] of [
      ["/shoppers", signUpFields({ mode: live })],
      ["/shoppers", signUpFields({ order_token: paymentTokenOf(order) })],
      ["/pin-resets", { mode: live, identifier: somebody.email, new_pin: PIN }],
    ] as const)
      expect(errorOf(await expectNoWrites(sandbox, () => fresh.post(path, fields))).reason).toBe(
        "sandbox_only",
      );
    await fresh.signIn(somebody.email, somebody.pin, live);
  });

  it("cannot be topped up or converted", async () => {
    const somebody = await addShopper(sandbox, live, 5_000n);
    browser = new WalletBrowser(server);
    await browser.signIn(somebody.email, somebody.pin, live);
    for (const call of [topUp, quote, () => browser.post(`/conversions/${randomUUID()}/confirm`)])
      expect(errorOf(await expectNoWrites(sandbox, () => call())).reason).toBe("sandbox_only");
    expect(await balances()).toEqual({ EUR: "50.00 EUR" });
  });
});

it("wallet forms are rejected with a forged form token, and top-ups and conversions also when signed out", async () => {
  const nobody = new WalletBrowser(server);
  const top = { currency: "EUR", amount: "1", key: randomUUID() };
  const convert = { from_currency: "EUR", to_currency: "XAF", amount: "1" };
  for (const [path, fields] of [
    ["/top-ups", top],
    ["/conversions", convert],
    [`/conversions/${randomUUID()}/confirm`, {}],
  ] as const) {
    expect(errorOf(await nobody.post(path, fields)).reason).toBe("not_signed_in");
    expect(errorOf(await browser.post(path, { ...fields, form_token: "forged" })).reason).toBe(
      "form_rejected",
    );
  }
  for (const [path, fields] of [
    ["/shoppers", signUpFields()],
    ["/pin-resets", { mode: "sandbox", identifier: shopper.email, new_pin: PIN }],
  ] as const)
    expect(errorOf(await nobody.post(path, { ...fields, form_token: "forged" })).reason).toBe(
      "form_rejected",
    );
});
