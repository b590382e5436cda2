import { createHash } from "node:crypto";
import { passkeyOptionsResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { verifyConfirmations } from "../../../src/checkout/verify-confirmations.js";
import { revokeShopperPasskey } from "../../../src/checkout/wallet/passkeys.js";
import { PAY_URL } from "../../support/api-process.js";
import { Authenticator } from "../../support/authenticator.js";
import { openPage, type Page } from "../../support/checkout.js";
import { createOrder, tokenOf } from "../../support/orders.js";
import { addLiveSide, addShopper, addWallet, type TestShopper } from "../../support/parties.js";
import { type Answer, type PayApi, payApi, told } from "../../support/requests.js";
import { balanceOf, eventsOf, expectEventsOfTheContract, writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

const { sandbox, server, api, merchantId } = await sceneOfFile();
const { prisma, pool } = sandbox.database;
const REFUSED = {
  status: 401,
  texts: ["The passkey was not accepted. Try again"],
  reason: "passkey_refused",
};

let live: PayApi;
let shopper: TestShopper;
let passkey: Authenticator;
/** The page that the shopper looked at last: its session is the browser's. */
let last: Page;
/** What a test does to the shopper is no matter of the next one. */
let spoiled = true;
beforeAll(async () => {
  live = payApi(server, await addLiveSide(sandbox, sandbox.access.merchant.client_id), "live");
});
beforeEach(async () => {
  if (!spoiled) return;
  shopper = await addShopper(sandbox, "sandbox", 10_000_000n);
  passkey = new Authenticator(PAY_URL);
  last = await paidWithPin(shopper, passkey);
  spoiled = false;
});
afterAll(() => expectEventsOfTheContract(sandbox));

const optionsOf = ({ status, text, body }: Answer) => {
  expect({ status, text }).toMatchObject({ status: 200 });
  return passkeyOptionsResponseSchema.parse(body).data.options;
};

/** A new order's page where nobody is signed in. */
async function openedByStranger(of = api): Promise<{ id: string; page: Page }> {
  const order = await createOrder(of);
  return { id: order.order_id, page: openPage(server, tokenOf(order)) };
}

/** A new order's page in the shopper's browser: the PIN was entered for another order. */
async function opened(of = api): Promise<{ id: string; page: Page }> {
  const { id, page } = await openedByStranger(of);
  page.session = last.session;
  if (of === api) last = page;
  return { id, page };
}

async function add(page: Page, made = passkey): Promise<Answer> {
  const options = optionsOf(await page.form("passkeys/start"));
  return page.form("passkeys", { credential: made.create(options) });
}

/** Pays with the PIN, and adds a passkey on the receipt. */
async function paidWithPin(who: TestShopper, made: Authenticator): Promise<Page> {
  const { page } = await openedByStranger();
  await page.signIn(who.email, who.pin);
  expect((await page.pay()).status).toBe(200);
  expect(await add(page, made)).toMatchObject({ status: 200 });
  return page;
}

const ask = async (page: Page, fields: object = {}) => optionsOf(await page.form("passkey/start", fields));
const textOf = async ({ challenge }: { challenge: string }) =>
  (await prisma.paymentChallenge.findUniqueOrThrow({ where: { challenge } })).text;
const challengeOf = (text: string) => createHash("sha256").update(text).digest("base64url");
const proof = () => verifyConfirmations(server.context);

describe("adding a passkey", () => {
  it("is offered on the receipt of a payment with PIN until one exists, which then confirms other orders", async () => {
    const { page } = await openedByStranger();
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
    // Once made, and answered once.
    expect(told(await writesNothing(sandbox, () => page.form("passkeys", { credential })))).toEqual(REFUSED);
    last = page;
    const next = await opened();
    expect((await next.page.view()).shopper).toMatchObject({
      ...{ pin_needed: true, passkey: true, passkey_offered: false },
    });
  });

  it("requires a PIN entered for this order", async () => {
    const { page } = await opened();
    for (const step of ["passkeys/start", "passkeys"]) {
      const fields = { credential: passkey.create({ challenge: "AA" }) };
      expect(told(await writesNothing(sandbox, () => page.form(step, fields))).reason).toBe("pin_needed");
    }
    const stranger = await openedByStranger();
    expect(told(await stranger.page.form("passkeys/start")).reason).toBe("not_signed_in");
  });

  it("rejects a passkey of another origin, without user verification, or already registered", async () => {
    const { page } = await openedByStranger();
    await page.signIn(shopper.email, shopper.pin);
    const refused = async (made: Authenticator) =>
      expect(told(await writesNothing(sandbox, () => add(page, made)))).toEqual(REFUSED);
    await refused(new Authenticator("https://evil.example.test", "pay.example.test"));
    await refused(new Authenticator(PAY_URL, "example.test"));
    await refused(passkey);
  });

  it("is rejected above ten", async () => {
    spoiled = true;
    const { page } = await openedByStranger();
    await page.signIn(shopper.email, shopper.pin);
    const had = await prisma.walletPasskey.findMany({ where: { walletUserId: shopper.id } });
    const [kept] = had;
    if (!kept) throw new Error("no passkey was kept");
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
    expect((await add(page, new Authenticator(PAY_URL))).status).toBe(200);
    expect(told(await page.form("passkeys/start"))).toMatchObject({
      status: 409,
      reason: "too_many_passkeys",
    });
    // Begun before it, and ended after.
    await prisma.walletSession.updateMany({
      where: { walletUserId: shopper.id },
      data: { passkeyChallenge: options.challenge, passkeyChallengeUntil: new Date(Date.now() + 60_000) },
    });
    const late = new Authenticator(PAY_URL).create(options);
    expect(told(await page.form("passkeys", { credential: late })).reason).toBe("too_many_passkeys");
  });
});

describe("a device where an account with a passkey signed in", () => {
  /** A new order's page in the shopper's browser after the session has ended. */
  async function returning(of = api, fields: object = {}) {
    const order = await createOrder(of, { ...fields });
    const page = openPage(server, tokenOf(order));
    page.device = last.device;
    return { id: order.order_id, page };
  }

  it("shows a masked name, pays with one passkey signature, and signs nobody in", async () => {
    const { id, page } = await returning();
    const view = await page.view();
    expect(view).toMatchObject({ shopper: null, recognised: { name: "R•••" } });
    expect(JSON.stringify(view)).not.toContain(shopper.email);
    const before = await balanceOf(sandbox, shopper.email);
    const options = await ask(page);
    const paid = await page.pay({ passkey: passkey.sign(options) });
    expect(paid.body).toMatchObject({ data: { status: "PAID", repeated: false, renewed_session: null } });
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4_150n);
    expect(await eventsOf(sandbox, id)).toEqual(["pos.order.paid"]);
    expect(await page.view()).toMatchObject({ shopper: null, recognised: null, payment: { by_you: false } });
    expect(await proof()).toMatchObject({ sound: true, violations: [] });
  });

  it("is recognised by the page whose session has expired, and that page's form pays", async () => {
    const { page } = await returning();
    const ended = openPage(server, tokenOf(await createOrder(api)));
    await ended.signIn(shopper.email, shopper.pin);
    last.device = ended.device;
    page.device = ended.device;
    page.session = ended.session;
    await ended.act("sign-out");
    const { form_token, recognised } = await page.view();
    expect(recognised).not.toBeNull();
    // The page's answer deletes the cookie of a session that is over.
    page.session = undefined;
    expect(told(await page.pay({ form_token })).reason).toBe("not_signed_in");
    const options = await ask(page);
    expect((await page.pay({ form_token, passkey: passkey.sign(options) })).status).toBe(200);
  });

  it("shows and pays nothing for strangers, another mode, or another or no passkey", async () => {
    const stranger = await openedByStranger();
    expect((await stranger.page.view()).recognised).toBeNull();
    expect(told(await stranger.page.form("passkey/start")).reason).toBe("not_signed_in");
    expect((await (await returning(live)).page.view()).recognised).toBeNull();
    const { page } = await returning();
    expect(told(await writesNothing(sandbox, () => page.pay())).reason).toBe("not_signed_in");
    expect(told(await writesNothing(sandbox, () => page.pay({ pin: shopper.pin }))).reason).toBe(
      "not_signed_in",
    );
    const options = await ask(page);
    const forged = new Authenticator(PAY_URL).sign(options);
    expect(told(await writesNothing(sandbox, () => page.pay({ passkey: forged })))).toEqual(REFUSED);
    // What one order's passkey signed pays no other.
    const other = await returning();
    const signed = passkey.sign(options);
    expect(told(await writesNothing(sandbox, () => other.page.pay({ passkey: signed })))).toEqual(REFUSED);
  });

  it("shows no balance before the passkey was verified", async () => {
    const { page } = await returning(api, { amount: 99_999_999 });
    const options = await ask(page);
    const answer = told(await page.pay({ passkey: passkey.sign(options) }));
    expect(answer.reason).toBe("insufficient_balance");
    expect(JSON.stringify(answer)).not.toMatch(/missing|EUR/);
  });
});

describe("payment confirmed by a passkey", () => {
  it("moves the money once, and stores the signed data", async () => {
    const { id, page } = await opened();
    const { session } = page;
    const before = await balanceOf(sandbox, shopper.email);
    expect(told(await page.pay()).reason).toBe("pin_needed");
    const options = await ask(page);
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
    const answer = await page.pay({ passkey: signed });
    expect(answer.body).toMatchObject({ data: { status: "PAID", repeated: false } });
    // The session's cookie changed, as after a PIN.
    expect(page.session).not.toBe(session);
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4150n);
    expect(await eventsOf(sandbox, id)).toEqual(["pos.order.paid"]);
    const kept = await prisma.paymentConfirmation.findUniqueOrThrow({ where: { orderId: id } });
    expect(kept).toMatchObject({ text, origin: PAY_URL, credentialId: signed.id });
    expect(await proof()).toMatchObject({ sound: true, violations: [] });
    expect(await verifyConfirmations(server.context, { orderId: id })).toMatchObject({ checked: 1 });
    // The payer's repeat answers the same, and moves nothing.
    const again = await writesNothing(sandbox, () => page.pay({ passkey: signed }));
    expect(again.body).toMatchObject({ data: { status: "PAID", repeated: true } });
  });

  it("binds the amount that is charged in another currency", async () => {
    const dollars = await addWallet(sandbox, { id: shopper.id, mode: "sandbox" }, "USD", 10_000n);
    const { id, page } = await opened();
    const { quote_id } = await page.quote(dollars);
    const options = await ask(page, { quote_id });
    expect((await textOf(options)).split("\n")).toContain('debit: "45.45 USD"');
    // Signed for the dollars, so it pays no euros.
    const signed = passkey.sign(options);
    expect(told(await writesNothing(sandbox, () => page.pay({ passkey: signed })))).toEqual(REFUSED);
    expect((await page.pay({ quote_id, passkey: signed })).status).toBe(200);
    expect(await verifyConfirmations(server.context, { orderId: id })).toMatchObject({
      checked: 1,
      sound: true,
    });
  });

  it("moves the money once for two concurrent payments with one signature", async () => {
    const { id, page } = await opened();
    const signed = passkey.sign(await ask(page));
    const before = await balanceOf(sandbox, shopper.email);
    const { form_token } = await page.view();
    const answers = await Promise.all([1, 2, 3].map(() => page.pay({ passkey: signed, form_token })));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await balanceOf(sandbox, shopper.email)).toBe(before - 4150n);
    expect(await eventsOf(sandbox, id)).toEqual(["pos.order.paid"]);
  });

  it("has no challenge for shoppers without a passkey, without a session or with an insufficient balance", async () => {
    const nobody = await openedByStranger();
    expect(told(await nobody.page.form("passkey/start")).reason).toBe("not_signed_in");
    const other = await addShopper(sandbox, "sandbox", 0n);
    await nobody.page.signIn(other.email, other.pin);
    expect(told(await nobody.page.form("passkey/start")).reason).toBe("insufficient_balance");
    const rich = await addShopper(sandbox, "sandbox", 100_000n);
    await nobody.page.signIn(rich.email, rich.pin);
    expect(told(await nobody.page.form("passkey/start")).reason).toBe("passkey_refused");
  });
});

describe("a passkey signature is rejected and nothing is paid", () => {
  /** Pays with what a forger makes of the challenge, which is refused; the order stays payable by PIN. */
  async function refused(forge: (options: { challenge: string }, page: Page) => unknown): Promise<void> {
    const { id, page } = await opened();
    const made = await forge(await ask(page), page);
    const answer = await writesNothing(sandbox, () => page.form("pay", { passkey: made }));
    expect(told(answer)).toEqual(REFUSED);
    expect(await eventsOf(sandbox, id)).toEqual([]);
    expect((await page.view()).order.status).toBe("PENDING");
  }

  it.each([
    ["another amount", /amount: "41\.50 EUR"/, 'amount: "4.15 EUR"'],
    ["another debit", /debit: "41\.50 EUR"/, 'debit: "4.15 EUR"'],
    ["another currency", /amount: "41\.50 EUR"/, 'amount: "41.50 USD"'],
    ["another payee", /payee: "[^"]+"/, 'payee: "11111111-1111-4111-8111-111111111111"'],
    ["another order", /order: "[^"]+"/, 'order: "POS-20261124-AAAAAA"'],
    ["another expiry", /expires: "[^"]+"/, 'expires: "2099-01-01T00:00:00.000Z"'],
  ])("for a text with %s", async (_what, shown, instead) => {
    await refused(async (options) => {
      const text = await textOf(options);
      expect(text).toMatch(shown);
      return passkey.sign({ challenge: challengeOf(text.replace(shown, instead)) });
    });
  });

  it("for another order", async () => {
    const other = await opened();
    await refused(async () => passkey.sign(await ask(other.page)));
  });

  it("if it was already used", async () => {
    const before = await opened();
    const signed = passkey.sign(await ask(before.page));
    expect((await before.page.pay({ passkey: signed })).status).toBe(200);
    await refused(() => signed);
    // The same challenge, signed once more, is used up too: by its row, not only by its order.
    await refused(async (options) => {
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
  ])("if %s", (_what, forged) => refused((options) => passkey.sign(options, forged)));

  it("if the counter did not increase, as of a copied passkey", async () => {
    const { page } = await opened();
    expect((await page.pay({ passkey: passkey.sign(await ask(page)) })).status).toBe(200);
    await refused((options) => {
      passkey.counter -= 1;
      return passkey.sign(options);
    });
  });

  it("after the challenge expired", () =>
    refused(async (options) => {
      const signed = passkey.sign(options);
      await pool.query("UPDATE payment_challenges SET expires_at = clock_timestamp() WHERE challenge = $1", [
        options.challenge,
      ]);
      return signed;
    }));

  it("of another shopper's or an unknown passkey", async () => {
    const other = new Authenticator(PAY_URL);
    await paidWithPin(await addShopper(sandbox, "sandbox", 100_000n), other);
    await refused((options) => other.sign(options));
    await refused((options) => new Authenticator(PAY_URL).sign(options));
  });

  it("of another key under a registered passkey's ID", () =>
    refused((options) => {
      const { id, rawId } = passkey.sign(options);
      return { ...new Authenticator(PAY_URL).sign(options), id, rawId };
    }));

  it("of a passkey of the other mode", async () => {
    const buyer = await addShopper(sandbox, "live", 100_000n);
    const { page } = await openedByStranger(live);
    await page.signIn(buyer.email, buyer.pin);
    expect((await add(page, new Authenticator(PAY_URL))).status).toBe(200);
    const answer = await writesNothing(sandbox, async () =>
      page.form("pay", { passkey: passkey.sign(await ask(page)) }),
    );
    expect(told(answer)).toEqual(REFUSED);
    // A session of the sandbox is none on a live page.
    const foreign = await opened(live);
    expect(told(await foreign.page.form("passkey/start")).reason).toBe("not_signed_in");
  });

  it("of a revoked passkey, also if revoked while signing", async () => {
    spoiled = true;
    const [kept] = await prisma.walletPasskey.findMany({ where: { walletUserId: shopper.id } });
    await refused(async (options) => {
      const signed = passkey.sign(options);
      await revokeShopperPasskey(server.context, shopper.id, kept?.id ?? "");
      return signed;
    });
    const { page } = await opened();
    expect((await page.view()).shopper?.passkey).toBe(false);
    expect(told(await page.form("passkey/start"))).toEqual(REFUSED);
  });

  it("of a deactivated shopper", async () => {
    spoiled = true;
    const { id, page } = await opened();
    const signed = passkey.sign(await ask(page));
    const { form_token } = await page.view();
    await prisma.walletUser.update({ where: { id: shopper.id }, data: { active: false } });
    const answer = await writesNothing(sandbox, () => page.pay({ passkey: signed, form_token }));
    expect(told(answer).reason).toBe("not_signed_in");
    expect(await eventsOf(sandbox, id)).toEqual([]);
  });

  it.each([
    ["invalid client data", "AA"],
    ["client data without a challenge", Buffer.from("{}").toString("base64url")],
  ])("with %s", (_what, clientDataJSON) =>
    refused((options) => {
      const signed = passkey.sign(options);
      return { ...signed, response: { ...signed.response, clientDataJSON } };
    }),
  );
});

describe("passkey confirmations", () => {
  it("cannot be changed, and tampering is detected", async () => {
    const { id, page } = await opened();
    await page.pay({ passkey: passkey.sign(await ask(page)) });
    const change = "UPDATE payment_confirmations SET text = replace(text, '41.50', '4.15')";
    await expect(pool.query(change)).rejects.toMatchObject({ code: "TG090" });
    await expect(pool.query("DELETE FROM payment_confirmations")).rejects.toMatchObject({ code: "TG090" });
    const behind = (sql: string) =>
      sandbox.administer(`SET session_replication_role = replica; ${sql} WHERE order_id = '${id}'`);
    const found = async () => (await verifyConfirmations(server.context, { orderId: id })).violations;
    expect(await found()).toEqual([]);
    const { signature } = await prisma.paymentConfirmation.findUniqueOrThrow({ where: { orderId: id } });

    await behind(change);
    expect(await found()).toEqual([`order ${id}: the signed text says something else than the books`]);
    await behind("UPDATE payment_confirmations SET text = replace(text, '4.15', '41.50')");
    expect(await found()).toEqual([]);

    const broken = `order ${id}: the passkey's signature does not hold for the text`;
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
