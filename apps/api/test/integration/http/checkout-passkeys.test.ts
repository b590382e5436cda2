import { createHash } from "node:crypto";
import { passkeyOptionsResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyConfirmations } from "../../../src/checkout/verify-confirmations.js";
import { revokeShopperPasskey } from "../../../src/checkout/wallet/passkeys.js";
import { PAY_URL } from "../../support/api-process.js";
import { Authenticator } from "../../support/authenticator.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential, addShopper, addWallet, type TestShopper } from "../../support/parties.js";
import { type ApiResponse, errorOf, type PayApi, payApi } from "../../support/requests.js";
import { balanceOf, eventNamesOf, expectNoWrites, expectValidEvents } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { prisma, pool } = sandbox.database;
const CONFIRMATION_REJECTED = {
  status: 401,
  texts: ["The passkey was not accepted. Try again"],
  reason: "passkey_refused",
};

let live: PayApi;
let shopper: TestShopper;
let passkey: Authenticator;
/** The page that the shopper's browser opened last. It has the current session. */
let lastPage: CheckoutPage;
/** Set if a test changed the shopper, so that the next test gets a new shopper. */
let shopperChanged = true;
beforeAll(async () => {
  live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
});
beforeEach(async () => {
  if (!shopperChanged) return;
  shopper = await addShopper(sandbox, "sandbox", 10_000_000n);
  passkey = new Authenticator(PAY_URL);
  lastPage = await payWithPinAndAddPasskey(shopper, passkey);
  shopperChanged = false;
});
afterAll(() => expectValidEvents(sandbox));

const optionsOf = ({ status, text, body }: ApiResponse) => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return passkeyOptionsResponseSchema.parse(body).data.options;
};

/** Opens a new order's page without a session. */
async function openAsStranger(of = api): Promise<{ id: string; page: CheckoutPage }> {
  const order = await createOrder(of);
  return { id: order.order_id, page: openPage(server, paymentTokenOf(order)) };
}

/** Opens a new order's page in the shopper's browser. No PIN is entered for the order. */
async function openAsShopper(of = api): Promise<{ id: string; page: CheckoutPage }> {
  const { id, page } = await openAsStranger(of);
  page.session = lastPage.session;
  if (of === api) lastPage = page;
  return { id, page };
}

async function addPasskey(
  page: CheckoutPage,
  credential: { create: Authenticator["create"] } = passkey,
): Promise<ApiResponse> {
  const options = optionsOf(await page.form("passkeys/start"));
  return page.form("passkeys", { credential: credential.create(options) });
}

async function payWithPinAndAddPasskey(who: TestShopper, credential: Authenticator): Promise<CheckoutPage> {
  const { page } = await openAsStranger();
  await page.signIn(who.email, who.pin);
  expect((await page.pay()).status).toBe(200);
  expect(await addPasskey(page, credential)).toMatchObject({ status: 200 });
  return page;
}

const startConfirmation = async (page: CheckoutPage, fields: object = {}) =>
  optionsOf(await page.form("passkey/start", fields));
const textOf = async ({ challenge }: { challenge: string }) =>
  (await prisma.paymentChallenge.findUniqueOrThrow({ where: { challenge } })).text;
const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");
const verifyStored = () => verifyConfirmations(server.context);

describe("adding a passkey", () => {
  it("is offered on the receipt of a payment by PIN, even to a shopper with a passkey, until a passkey is added on that device", async () => {
    const { page } = await openAsStranger();
    await page.signIn(shopper.email, shopper.pin);
    await page.pay();
    expect((await page.view()).shopper).toMatchObject({ passkey: true, passkey_offered: true });
    const options = optionsOf(await page.form("passkeys/start"));
    expect(options).toMatchObject({
      rp: { id: "pay.example.test", name: "Tillgate" },
      attestation: "none",
      authenticatorSelection: { userVerification: "required" },
      excludeCredentials: [{ type: "public-key" }],
    });
    const credential = new Authenticator(PAY_URL).create(options);
    expect((await page.form("passkeys", { credential })).status).toBe(200);
    expect((await page.view()).shopper).toMatchObject({ passkey: true, passkey_offered: false });
    // The same response is not accepted twice.
    expect(errorOf(await expectNoWrites(sandbox, () => page.form("passkeys", { credential })))).toEqual(
      CONFIRMATION_REJECTED,
    );
    lastPage = page;
    const next = await openAsShopper();
    expect((await next.page.view()).shopper).toMatchObject({
      ...{ pin_needed: true, passkey: true, passkey_offered: false },
    });
  });

  it("requires a PIN entered for this order", async () => {
    const { page } = await openAsShopper();
    for (const step of ["passkeys/start", "passkeys"]) {
      const fields = { credential: passkey.create({ challenge: "AA" }) };
      expect(errorOf(await expectNoWrites(sandbox, () => page.form(step, fields))).reason).toBe("pin_needed");
    }
    const stranger = await openAsStranger();
    expect(errorOf(await stranger.page.form("passkeys/start")).reason).toBe("not_signed_in");
  });

  it("is rejected for another origin or relying party, without user verification, or if it is already registered", async () => {
    const { page } = await openAsStranger();
    await page.signIn(shopper.email, shopper.pin);
    const expectRejected = async (credential: { create: Authenticator["create"] }) =>
      expect(errorOf(await expectNoWrites(sandbox, () => addPasskey(page, credential)))).toEqual(
        CONFIRMATION_REJECTED,
      );
    await expectRejected(new Authenticator("https://evil.example.test", "pay.example.test"));
    await expectRejected(new Authenticator(PAY_URL, "example.test"));
    const unverified = new Authenticator(PAY_URL);
    await expectRejected({ create: (options) => unverified.create(options, { verified: false }) });
    await expectRejected(passkey);
  });

  it("is rejected if the shopper already has ten passkeys", async () => {
    shopperChanged = true;
    const { page } = await openAsStranger();
    await page.signIn(shopper.email, shopper.pin);
    const had = await prisma.walletPasskey.findMany({ where: { walletUserId: shopper.id } });
    const [kept] = had;
    if (!kept) throw new Error("the shopper has no passkey");
    for (let at = had.length; at < 9; at += 1)
      await prisma.walletPasskey.create({
        data: {
          ...kept,
          id: crypto.randomUUID(),
          credentialId: `other-${shopper.id}-${at}`,
          createdAt: new Date(0),
        },
      });
    const options = optionsOf(await page.form("passkeys/start"));
    expect((await addPasskey(page, new Authenticator(PAY_URL))).status).toBe(200);
    expect(errorOf(await page.form("passkeys/start"))).toMatchObject({
      status: 409,
      reason: "too_many_passkeys",
    });
    // This registration starts before the limit is reached and finishes after it.
    await prisma.walletSession.updateMany({
      where: { walletUserId: shopper.id },
      data: { passkeyChallenge: options.challenge, passkeyChallengeUntil: new Date(Date.now() + 60_000) },
    });
    const late = new Authenticator(PAY_URL).create(options);
    expect(errorOf(await page.form("passkeys", { credential: late })).reason).toBe("too_many_passkeys");
  });
});

describe("a device on which a shopper with a passkey has signed in", () => {
  /** Opens a new order's page in the shopper's browser, as after the session has expired. */
  async function openAfterSession(of = api, fields: object = {}) {
    const order = await createOrder(of, { ...fields });
    const page = openPage(server, paymentTokenOf(order));
    page.device = lastPage.device;
    return { id: order.order_id, page };
  }

  it("shows a masked name, and pays with a passkey signature without signing in", async () => {
    const { id, page } = await openAfterSession();
    const view = await page.view();
    expect(view).toMatchObject({ shopper: null, recognised: { name: "R•••" } });
    expect(JSON.stringify(view)).not.toContain(shopper.email);
    const before = await balanceOf(sandbox, shopper.email);
    const options = await startConfirmation(page);
    const paid = await page.pay({ passkey: passkey.sign(options) });
    expect(paid.body).toMatchObject({ data: { status: "PAID", repeated: false, renewed_session: null } });
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4_150n);
    expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.paid"]);
    expect(await page.view()).toMatchObject({ shopper: null, recognised: null, payment: { by_you: false } });
    expect(await verifyStored()).toMatchObject({ sound: true, violations: [] });
  });

  it("is recognized after sign-out, and can pay with the passkey on a form loaded before the session cookie was deleted", async () => {
    const { page } = await openAfterSession();
    const ended = openPage(server, paymentTokenOf(await createOrder(api)));
    await ended.signIn(shopper.email, shopper.pin);
    lastPage.device = ended.device;
    page.device = ended.device;
    page.session = ended.session;
    await ended.act("sign-out");
    const { form_token, recognised } = await page.view();
    expect(recognised).not.toBeNull();
    // The response deletes the cookie of an expired session.
    page.session = undefined;
    expect(errorOf(await page.pay({ form_token })).reason).toBe("not_signed_in");
    const options = await startConfirmation(page);
    expect((await page.pay({ form_token, passkey: passkey.sign(options) })).status).toBe(200);
  });

  it("is not recognized without its cookie or in the other mode, and pays only with its passkey's signature for the order", async () => {
    const stranger = await openAsStranger();
    expect((await stranger.page.view()).recognised).toBeNull();
    expect(errorOf(await stranger.page.form("passkey/start")).reason).toBe("not_signed_in");
    expect((await (await openAfterSession(live)).page.view()).recognised).toBeNull();
    const { page } = await openAfterSession();
    expect(errorOf(await expectNoWrites(sandbox, () => page.pay())).reason).toBe("not_signed_in");
    expect(errorOf(await expectNoWrites(sandbox, () => page.pay({ pin: shopper.pin }))).reason).toBe(
      "not_signed_in",
    );
    const options = await startConfirmation(page);
    const forged = new Authenticator(PAY_URL).sign(options);
    expect(errorOf(await expectNoWrites(sandbox, () => page.pay({ passkey: forged })))).toEqual(
      CONFIRMATION_REJECTED,
    );
    // A signature for one order does not pay another.
    const other = await openAfterSession();
    const signed = passkey.sign(options);
    expect(errorOf(await expectNoWrites(sandbox, () => other.page.pay({ passkey: signed })))).toEqual(
      CONFIRMATION_REJECTED,
    );
  });

  it("does not reveal the shortfall if the balance is insufficient", async () => {
    const { page } = await openAfterSession(api, { amount: 99_999_999 });
    const options = await startConfirmation(page);
    const response = errorOf(await page.pay({ passkey: passkey.sign(options) }));
    expect(response.reason).toBe("insufficient_balance");
    expect(JSON.stringify(response)).not.toMatch(/missing|EUR/);
  });
});

describe("payment confirmed by a passkey", () => {
  it("moves the money once, and stores the signed data", async () => {
    const { id, page } = await openAsShopper();
    const { session } = page;
    const before = await balanceOf(sandbox, shopper.email);
    expect(errorOf(await page.pay()).reason).toBe("pin_needed");
    const options = await startConfirmation(page);
    expect(options).toMatchObject({
      ...{
        rpId: "pay.example.test",
        userVerification: "required",
        allowCredentials: [{ type: "public-key" }],
      },
    });
    const text = await textOf(options);
    expect(options.challenge).toBe(challengeOf(text));
    for (const line of [
      `order: "${id}"`,
      `payee: "${merchantId}"`,
      'amount: "41.50 EUR"',
      'debit: "41.50 EUR"',
      `shopper: "${shopper.id}"`,
    ])
      expect(text.split("\n")).toContain(line);
    const signed = passkey.sign(options);
    const response = await page.pay({ passkey: signed });
    expect(response.body).toMatchObject({ data: { status: "PAID", repeated: false } });
    // The session was rotated, as after a PIN.
    expect(page.session).not.toBe(session);
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4150n);
    expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.paid"]);
    const stored = await prisma.paymentConfirmation.findUniqueOrThrow({ where: { orderId: id } });
    expect(stored).toMatchObject({ text, origin: PAY_URL, credentialId: signed.id });
    expect(await verifyStored()).toMatchObject({ sound: true, violations: [] });
    expect(await verifyConfirmations(server.context, { orderId: id })).toMatchObject({ checked: 1 });
    // A retry returns the same status, and moves no money.
    const again = await expectNoWrites(sandbox, () => page.pay({ passkey: signed }));
    expect(again.body).toMatchObject({ data: { status: "PAID", repeated: true } });
  });

  it("binds the signature to the amount charged in another currency", async () => {
    const dollars = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "USD", 10_000n);
    const { id, page } = await openAsShopper();
    const { quote_id } = await page.quote(dollars);
    const options = await startConfirmation(page, { quote_id });
    expect((await textOf(options)).split("\n")).toContain('debit: "45.45 USD"');
    // The signature binds dollars, so it cannot pay euros.
    const signed = passkey.sign(options);
    expect(errorOf(await expectNoWrites(sandbox, () => page.pay({ passkey: signed })))).toEqual(
      CONFIRMATION_REJECTED,
    );
    expect((await page.pay({ quote_id, passkey: signed })).status).toBe(200);
    expect(await verifyConfirmations(server.context, { orderId: id })).toMatchObject({
      checked: 1,
      sound: true,
    });
  });

  it("moves the money once for concurrent payments with one signature", async () => {
    const { id, page } = await openAsShopper();
    const signed = passkey.sign(await startConfirmation(page));
    const before = await balanceOf(sandbox, shopper.email);
    const { form_token } = await page.view();
    const responses = await Promise.all([1, 2, 3].map(() => page.pay({ passkey: signed, form_token })));
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4150n);
    expect(await eventNamesOf(sandbox, id)).toEqual(["pos.order.paid"]);
  });

  it("cannot be started without a session, with an insufficient balance or without a passkey", async () => {
    const nobody = await openAsStranger();
    expect(errorOf(await nobody.page.form("passkey/start")).reason).toBe("not_signed_in");
    const other = await addShopper(sandbox, "sandbox", 0n);
    await nobody.page.signIn(other.email, other.pin);
    expect(errorOf(await nobody.page.form("passkey/start")).reason).toBe("insufficient_balance");
    const rich = await addShopper(sandbox, "sandbox", 100_000n);
    await nobody.page.signIn(rich.email, rich.pin);
    expect(errorOf(await nobody.page.form("passkey/start")).reason).toBe("passkey_refused");
  });
});

describe("invalid passkey signature for a payment", () => {
  /** Expects that a forged signature is rejected and the order stays pending. */
  async function rejected(
    forge: (options: { challenge: string }, page: CheckoutPage) => unknown,
  ): Promise<void> {
    const { id, page } = await openAsShopper();
    const created = await forge(await startConfirmation(page), page);
    const response = await expectNoWrites(sandbox, () => page.form("pay", { passkey: created }));
    expect(errorOf(response)).toEqual(CONFIRMATION_REJECTED);
    expect(await eventNamesOf(sandbox, id)).toEqual([]);
    expect((await page.view()).order.status).toBe("PENDING");
  }

  it.each([
    ["a different amount", /amount: "41\.50 EUR"/, 'amount: "4.15 EUR"'],
    ["a different debited amount", /debit: "41\.50 EUR"/, 'debit: "4.15 EUR"'],
    ["a different currency", /amount: "41\.50 EUR"/, 'amount: "41.50 USD"'],
    ["a different payee", /payee: "[^"]+"/, 'payee: "11111111-1111-4111-8111-111111111111"'],
    ["a different order", /order: "[^"]+"/, 'order: "POS-20261124-AAAAAA"'],
    ["a different expiry", /expires: "[^"]+"/, 'expires: "2099-01-01T00:00:00.000Z"'],
  ])("is rejected if the signed text has %s", async (_what, shown, instead) => {
    await rejected(async (options) => {
      const text = await textOf(options);
      expect(text).toMatch(shown);
      return passkey.sign({ challenge: challengeOf(text.replace(shown, instead)) });
    });
  });

  it("is rejected if it was made for another order", async () => {
    const other = await openAsShopper();
    await rejected(async () => passkey.sign(await startConfirmation(other.page)));
  });

  it("is rejected if it was already used", async () => {
    const before = await openAsShopper();
    const signed = passkey.sign(await startConfirmation(before.page));
    expect((await before.page.pay({ passkey: signed })).status).toBe(200);
    await rejected(() => signed);
    // The challenge itself is used up, not only the order.
    await rejected(async (options) => {
      await prisma.paymentChallenge.update({
        where: { challenge: options.challenge },
        data: { usedAt: new Date() },
      });
      return passkey.sign(options);
    });
  });

  it.each([
    ["it was made at another origin", { origin: "https://pay.example.test.evil.example" }],
    ["it is for another relying party", { rpId: "example.test" }],
    ["the user was not verified", { verified: false }],
  ])("is rejected if %s", (_what, forged) => rejected((options) => passkey.sign(options, forged)));

  it("is rejected if the counter did not increase, as with a copied passkey", async () => {
    const { page } = await openAsShopper();
    expect((await page.pay({ passkey: passkey.sign(await startConfirmation(page)) })).status).toBe(200);
    await rejected((options) => {
      passkey.counter -= 1;
      return passkey.sign(options);
    });
  });

  it("is rejected after the challenge expires", () =>
    rejected(async (options) => {
      const signed = passkey.sign(options);
      await pool.query("UPDATE payment_challenges SET expires_at = clock_timestamp() WHERE challenge = $1", [
        options.challenge,
      ]);
      return signed;
    }));

  it("is rejected if it was made with another shopper's or an unknown passkey", async () => {
    const other = new Authenticator(PAY_URL);
    await payWithPinAndAddPasskey(await addShopper(sandbox, "sandbox", 100_000n), other);
    await rejected((options) => other.sign(options));
    await rejected((options) => new Authenticator(PAY_URL).sign(options));
  });

  it("is rejected if it was made with another key under a registered passkey's ID", () =>
    rejected((options) => {
      const { id, rawId } = passkey.sign(options);
      return { ...new Authenticator(PAY_URL).sign(options), id, rawId };
    }));

  it("is rejected if it was made with a passkey of the other mode", async () => {
    const buyer = await addShopper(sandbox, "live", 100_000n);
    const { page } = await openAsStranger(live);
    await page.signIn(buyer.email, buyer.pin);
    expect((await addPasskey(page, new Authenticator(PAY_URL))).status).toBe(200);
    const response = await expectNoWrites(sandbox, async () =>
      page.form("pay", { passkey: passkey.sign(await startConfirmation(page)) }),
    );
    expect(errorOf(response)).toEqual(CONFIRMATION_REJECTED);
    // Sandbox sessions are invalid on a live page.
    const foreign = await openAsShopper(live);
    expect(errorOf(await foreign.page.form("passkey/start")).reason).toBe("not_signed_in");
  });

  it("is rejected if the passkey is revoked, even after signing", async () => {
    shopperChanged = true;
    const [kept] = await prisma.walletPasskey.findMany({ where: { walletUserId: shopper.id } });
    await rejected(async (options) => {
      const signed = passkey.sign(options);
      await revokeShopperPasskey(server.context, shopper.id, kept?.id ?? "");
      return signed;
    });
    const { page } = await openAsShopper();
    expect((await page.view()).shopper?.passkey).toBe(false);
    expect(errorOf(await page.form("passkey/start"))).toEqual(CONFIRMATION_REJECTED);
  });

  it("is rejected if the shopper is deactivated", async () => {
    shopperChanged = true;
    const { id, page } = await openAsShopper();
    const signed = passkey.sign(await startConfirmation(page));
    const { form_token } = await page.view();
    await prisma.walletUser.update({ where: { id: shopper.id }, data: { active: false } });
    const response = await expectNoWrites(sandbox, () => page.pay({ passkey: signed, form_token }));
    expect(errorOf(response).reason).toBe("not_signed_in");
    expect(await eventNamesOf(sandbox, id)).toEqual([]);
  });

  it.each([
    ["invalid client data", "AA"],
    ["client data without a challenge", Buffer.from("{}").toString("base64url")],
  ])("is rejected with %s", (_what, clientDataJSON) =>
    rejected((options) => {
      const signed = passkey.sign(options);
      return { ...signed, response: { ...signed.response, clientDataJSON } };
    }),
  );
});

describe("passkey confirmations", () => {
  it("cannot be changed or deleted, and verification detects tampering", async () => {
    const { id, page } = await openAsShopper();
    await page.pay({ passkey: passkey.sign(await startConfirmation(page)) });
    const change = "UPDATE payment_confirmations SET text = replace(text, '41.50', '4.15')";
    await expect(pool.query(change)).rejects.toMatchObject({ code: "TG090" });
    await expect(pool.query("DELETE FROM payment_confirmations")).rejects.toMatchObject({ code: "TG090" });
    const behind = (sql: string) =>
      sandbox.executeAsSuperuser(`SET session_replication_role = replica; ${sql} WHERE order_id = '${id}'`);
    const found = async () => (await verifyConfirmations(server.context, { orderId: id })).violations;
    expect(await found()).toEqual([]);
    const { signature } = await prisma.paymentConfirmation.findUniqueOrThrow({ where: { orderId: id } });

    await behind(change);
    expect(await found()).toEqual([`order ${id}: the signed text differs from the ledger`]);
    await behind("UPDATE payment_confirmations SET text = replace(text, '4.15', '41.50')");
    expect(await found()).toEqual([]);

    const broken = `order ${id}: the passkey's signature is not valid for the text`;
    const other = "UPDATE payment_confirmations SET text = regexp_replace(text, 'nonce: .*', 'nonce: \"x\"')";
    const { text } = await prisma.paymentConfirmation.findUniqueOrThrow({ where: { orderId: id } });
    await behind(other);
    expect(await found()).toEqual([broken]);
    await behind(`UPDATE payment_confirmations SET text = E'${text.replaceAll("\n", "\\n")}'`);
    expect(await found()).toEqual([]);
    await behind("UPDATE payment_confirmations SET signature = '\\x00'");
    expect(await found()).toEqual([broken]);
    await behind(
      `UPDATE payment_confirmations SET signature = '\\x${Buffer.from(signature).toString("hex")}'`,
    );
    await behind("UPDATE payment_confirmations SET origin = 'https://evil.example'");
    expect(await found()).toEqual([broken]);
    await behind(`UPDATE payment_confirmations SET origin = '${PAY_URL}'`);
    expect(await found()).toEqual([]);
  });
});
