import { signInResponseSchema, successEnvelope } from "@tillgate/contract";
import { proveLedger } from "@tillgate/database";
import { beforeAll, describe, expect, it } from "vitest";
import { PAY_URL } from "../../support/api-process.js";
import { Authenticator } from "../../support/authenticator.js";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { type ApiResponse, errorOf } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const WRONG_SIGN_IN = { status: 401, texts: ["Incorrect phone, e-mail or PIN"], reason: "wrong_sign_in" };
const LOCKED = { status: 429, texts: ["Too many wrong PINs"], reason: "locked" };
const TOO_MANY = { status: 429, texts: ["Too many attempts"], reason: "too_many_attempts" };
const WRONG_PIN = "918273";

const signedInSchema = successEnvelope(signInResponseSchema);

let page: CheckoutPage;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  page = openPage(server, paymentTokenOf(await createOrder(api)));
});

const newShopper = (): Promise<TestShopper> => addShopper(sandbox, "sandbox", 0n);

describe("POST /checkout/v1/orders/{token}/sign-in", () => {
  it.each([
    "+33612345678",
    "33612345678",
    "0033612345678",
    "+33 6 12 34 56 78",
    " +33 (0)6 12-34-56-78 ",
    "+33.6.12.34.56.78",
    "amelie@example.com",
    "Amelie@Example.COM",
    "  amelie@example.com  ",
  ])("accepts %j with the PIN", async (identifier) => {
    const amelie = sandbox.access.shoppers.find(({ email }) => email === "amelie@example.com");
    const response = await page.signInResponse(identifier, amelie?.pin ?? "");
    expect(response.body).toEqual({
      message: { success: ["Signed in"] },
      data: {
        session: expect.stringMatching(/^tgw_[\w-]{43}$/),
        // Without "stay signed in", the cookie is a session cookie.
        max_age_seconds: null,
        device: { token: expect.stringMatching(/^tgd_[\w-]{43}$/), max_age_seconds: 15_552_000 },
        wrong_pins_before: false,
      },
    });
  });

  it("parses a national phone number for the country in the order's locale", async () => {
    const amelie = sandbox.access.shoppers.find(({ email }) => email === "amelie@example.com");
    const french = openPage(server, paymentTokenOf(await createOrder(api, { locale: "fr-FR" })));
    await french.signIn("06 12 34 56 78", amelie?.pin ?? "");
    expect((await french.view()).shopper?.name).toBe(amelie?.name);
  });

  it("requires the country code of an ambiguous number, without counting a wrong PIN", async () => {
    const counted = () => sandbox.database.prisma.pinFailures.findMany({ orderBy: { key: "asc" } });
    const before = await counted();
    for (const national of ["06 12 34 56 78", "0171 2345678", "612 34 56 78", "(212) 555-0123"])
      for (let times = 0; times < 6; times += 1)
        expect(errorOf(await page.signInResponse(national, WRONG_PIN))).toMatchObject({
          status: 422,
          reason: "phone_without_country",
        });
    expect(await counted()).toEqual(before);
  });

  it("shows the shopper on the page, and starts a separate session for each sign-in", async () => {
    const shopper = await newShopper();
    const firstPage = openPage(server, paymentTokenOf(await createOrder(api)));
    const two = openPage(server, paymentTokenOf(await createOrder(api)));
    await firstPage.signIn(shopper.email, shopper.pin);
    await two.signIn(shopper.phone, shopper.pin);
    expect(firstPage.session).not.toBe(two.session);
    expect((await firstPage.view()).shopper?.name).toBe("Ruth Okafor");
    await firstPage.act("sign-out");
    expect((await firstPage.view()).shopper).toBeNull();
    expect((await two.view()).shopper?.name).toBe("Ruth Okafor");
  });

  it("stores session and device tokens as hashes only", async () => {
    const shopper = await newShopper();
    const firstPage = openPage(server, paymentTokenOf(await createOrder(api)));
    await firstPage.signIn(shopper.email, shopper.pin);
    const { rows } = await sandbox.database.pool.query(
      "SELECT s::text AS row FROM wallet_sessions s UNION ALL SELECT d::text FROM wallet_devices d",
    );
    expect(JSON.stringify(rows)).not.toContain(firstPage.session?.slice(4));
    expect(JSON.stringify(rows)).not.toContain(firstPage.device?.slice(4));
  });

  it("returns the same error for a wrong PIN, an unknown phone number or e-mail address, an invalid identifier and a deactivated shopper", async () => {
    const known = await newShopper();
    const ivo = sandbox.access.shoppers.find(({ active }) => !active);
    if (!ivo) throw new Error("the seed has no deactivated shopper");
    const attempts: [string, string][] = [
      [known.email, WRONG_PIN],
      [known.phone, WRONG_PIN],
      ["nobody@example.com", WRONG_PIN],
      ["+33699999999", WRONG_PIN],
      ["somebody", WRONG_PIN],
      ["' OR 1=1 --", WRONG_PIN],
      ["%", WRONG_PIN],
      [ivo.email, ivo.pin],
      [ivo.phone, WRONG_PIN],
    ];
    for (const [identifier, pin] of attempts) {
      const response = await page.signInResponse(identifier, pin);
      expect({ identifier, ...errorOf(response) }).toEqual({ identifier, ...WRONG_SIGN_IN });
      expect(response.headers.get("retry-after")).toBeNull();
    }
  });

  it.each([
    [{ pin: "12345" }, "pin", "must be 6 digits"],
    [{ pin: "1234567" }, "pin", "must be 6 digits"],
    [{ pin: "１２３４５６" }, "pin", "must be 6 digits"],
    [{ pin: "12345a" }, "pin", "must be 6 digits"],
    [{ pin: 123456 }, "pin", "is required"],
    [{ pin: null }, "pin", "is required"],
    [{ identifier: "" }, "identifier", "is required"],
    [{ identifier: "   " }, "identifier", "is required"],
    [{ identifier: 33 }, "identifier", "is required"],
    [{ stay_signed_in: "on" }, "stay_signed_in", "must be true or false"],
    [{ identifier: "a\u0000@b.c" }, "identifier", "must not contain NUL characters or invalid Unicode"],
    [{ identifier: "\ud800@b.c" }, "identifier", "must not contain NUL characters or invalid Unicode"],
    [{ identifier: "a".repeat(255) }, "identifier", "must not be longer than 254 characters"],
  ])("rejects %j and reports the field", async (changed, field, rest) => {
    const { form_token } = await page.view();
    const response = await fetch(`${page.address}/sign-in`, {
      method: "POST",
      headers: { ...page.headers(), "content-type": "application/json" },
      body: JSON.stringify({ form_token, identifier: "a@b.c", pin: "123456", ...changed }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: { [field]: [`The ${field} field ${rest}`] },
      reason: "invalid_field",
    });
  });

  it("rejects another visitor's form without counting its wrong PIN", async () => {
    const shopper = await newShopper();
    const foreign = (await openPage(server, paymentTokenOf(await createOrder(api))).view()).form_token;
    for (let i = 0; i < 10; i += 1)
      expect(errorOf(await page.signInResponse(shopper.email, WRONG_PIN, foreign)).reason).toBe(
        "form_rejected",
      );
    expect((await page.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
  });
});

describe("POST /checkout/v1/orders/{token}/sandbox-sign-in", () => {
  const amelie = "Amélie Laurent";

  it("signs anyone in as the sandbox's shared shopper, who can pay that order without a PIN", async () => {
    const order = await createOrder(api);
    const firstPage = openPage(server, paymentTokenOf(order));
    expect((await firstPage.view()).open_shopper).toBe(amelie);
    const response = await firstPage.act("sandbox-sign-in");
    firstPage.session = signedInSchema.parse(response.body).data.session;
    const view = await firstPage.view();
    expect([view.shopper?.name, view.shopper?.pin_needed, view.open_shopper]).toEqual([amelie, false, null]);
    expect((await firstPage.pay()).body).toMatchObject({ data: { status: "PAID" } });
    expect((await firstPage.view()).open_shopper).toBeNull();
    // A shared shopper has no passkeys.
    expect((await firstPage.view()).shopper?.passkey_offered).toBe(false);
    for (const step of ["passkeys/start", "passkeys"]) {
      const fields = { credential: new Authenticator(PAY_URL).create({ challenge: "AA" }) };
      const rejected = await expectNoWrites(sandbox, () => firstPage.form(step, fields));
      expect(errorOf(rejected).reason).toBe("passkey_refused");
    }
    // Another order requires the shopper's PIN again.
    const other = openPage(server, paymentTokenOf(await createOrder(api)), { session: firstPage.session });
    expect(errorOf(await other.pay()).reason).toBe("pin_needed");
    expect((await proveLedger(sandbox.url)).sound).toBe(true);
  });

  it("ends the previous session", async () => {
    const shopper = await newShopper();
    const token = paymentTokenOf(await createOrder(api));
    const page = openPage(server, token);
    await page.signIn(shopper.email, shopper.pin);
    const before = page.session;
    expect((await page.act("sandbox-sign-in")).status).toBe(200);
    const old = openPage(server, token, before === undefined ? {} : { session: before });
    expect((await old.view()).shopper).toBeNull();
  });

  it("is rejected while the shared shopper is deactivated", async () => {
    await sandbox.executeAsSuperuser("UPDATE wallet_users SET active = false WHERE open_in IS NOT NULL");
    const page = openPage(server, paymentTokenOf(await createOrder(api)));
    expect((await page.view()).open_shopper).toBeNull();
    expect(errorOf(await page.act("sandbox-sign-in"))).toMatchObject({
      status: 404,
      reason: "unknown_shopper",
    });
    await sandbox.executeAsSuperuser("UPDATE wallet_users SET active = true WHERE open_in IS NOT NULL");
  });

  it("is limited to twenty requests a minute from one address", async () => {
    const token = paymentTokenOf(await createOrder(api));
    const page = openPage(server, token, { clientAddress: "203.0.113.77" });
    const { form_token } = await page.view();
    const responses = [];
    for (let count = 0; count < 21; count += 1) responses.push(await page.act("sandbox-sign-in", form_token));
    expect(responses.map(({ status }) => status)).toEqual([...Array(20).fill(200), 429]);
  });
});

describe("wrong PINs at the checkout", () => {
  const guess = (identifier: string, pin = WRONG_PIN, from = page): Promise<ApiResponse> =>
    from.signInResponse(identifier, pin);

  it.each(["email", "phone"] as const)(
    "lock the %s for a minute after five attempts, in any notation and even for the correct PIN",
    async (by) => {
      const shopper = await newShopper();
      for (let i = 0; i < 5; i += 1) expect(errorOf(await guess(shopper[by]))).toEqual(WRONG_SIGN_IN);
      for (const identifier of by === "email"
        ? [shopper.email, shopper.email.toUpperCase(), ` ${shopper.email} `]
        : [shopper.phone, shopper.phone.replace("+", "00"), shopper.phone.slice(1)]) {
        const response = await guess(identifier, shopper.pin);
        expect(errorOf(response)).toEqual(LOCKED);
        const seconds = Number(response.headers.get("retry-after"));
        expect(seconds).toBeGreaterThan(50);
        expect(seconds).toBeLessThanOrEqual(60);
      }
    },
  );

  it("lock the account across processes", async () => {
    const shopper = await newShopper();
    const second = await sandbox.startApi();
    const there = openPage(second, paymentTokenOf(await createOrder(api)));
    for (let i = 0; i < 5; i += 1) await guess(shopper.email, WRONG_PIN, i % 2 ? there : page);
    expect(errorOf(await guess(shopper.email, shopper.pin, there))).toEqual(LOCKED);
    expect(errorOf(await guess(shopper.email, shopper.pin))).toEqual(LOCKED);
  });

  it("are checked at most five times, even for forty concurrent guesses", async () => {
    const shopper = await newShopper();
    const { form_token } = await page.view();
    const second = await sandbox.startApi();
    const there = openPage(second, page.address.split("/").pop() ?? "", { visitor: page.visitor });
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 ? page : there).signInResponse(shopper.email, WRONG_PIN, form_token),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  it("no longer count once the correct PIN is entered before the lock", async () => {
    const shopper = await newShopper();
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) expect(errorOf(await guess(shopper.email))).toEqual(WRONG_SIGN_IN);
      expect((await guess(shopper.email, shopper.pin)).status).toBe(200);
    }
  });

  it("lock even an unknown phone number or e-mail address, regardless of its notation", async () => {
    const spellings = [
      "+33687654321",
      "0033687654321",
      "33 6 87 65 43 21",
      "+33 (0)6 87 65 43 21",
      "+33-687-654-321",
    ];
    for (const spelling of spellings) expect(errorOf(await guess(spelling))).toEqual(WRONG_SIGN_IN);
    for (const spelling of spellings) expect(errorOf(await guess(spelling))).toEqual(LOCKED);
    for (let i = 0; i < 5; i += 1) expect(errorOf(await guess("No.Body@example.com"))).toEqual(WRONG_SIGN_IN);
    expect(errorOf(await guess("no.body@EXAMPLE.com"))).toEqual(LOCKED);
  });

  it("do not lock another account", async () => {
    const [victim, neighbour] = [await newShopper(), await newShopper()];
    for (let i = 0; i < 6; i += 1) await guess(victim.email);
    expect((await guess(neighbour.email, neighbour.pin)).status).toBe(200);
  });
});

describe("sign-ins from one client address", () => {
  it("are throttled above the rate limit, across processes, without affecting other addresses", async () => {
    const environment = { TILLGATE_SIGN_INS_PER_MINUTE: "6" };
    const [one, two] = [await sandbox.startApi({ environment }), await sandbox.startApi({ environment })];
    const token = paymentTokenOf(await createOrder(api));
    const shopper = await newShopper();
    const from = (clientAddress: string) =>
      [one, two].map((process) => openPage(process, token, { clientAddress }));
    const [here, there] = from("203.0.113.7");
    if (!here || !there) throw new Error("two pages are needed");
    for (let i = 0; i < 3; i += 1) {
      expect((await here.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
      expect((await there.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
    }
    const responses = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        (i % 2 ? here : there).signInResponse(`one-of-many-${i}@example.com`, WRONG_PIN),
      ),
    );
    // One sign-in per second passes, and no sign-in has to wait longer than three seconds.
    const rejections = responses.filter(({ status }) => status === 429);
    expect(rejections.length).toBeGreaterThan(0);
    expect(responses.filter(({ status }) => status === 401).length).toBeGreaterThan(1);
    for (const response of rejections) {
      expect(errorOf(response)).toEqual(TOO_MANY);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(3);
    }
    const [elsewhere] = from("203.0.113.8");
    expect((await elsewhere?.signInResponse(shopper.email, shopper.pin))?.status).toBe(200);
  });

  it("succeed with an address header of 4,000 characters", async () => {
    const shopper = await newShopper();
    const far = openPage(server, paymentTokenOf(await createOrder(api)), { clientAddress: "9".repeat(4000) });
    expect((await far.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
  });
});
