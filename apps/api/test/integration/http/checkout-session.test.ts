import { beforeEach, describe, expect, it } from "vitest";
import { type CheckoutPage, openPage } from "../../support/checkout.js";
import { createOrder, getOrder, paymentTokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const WRONG_PIN = "918273";

let shopper: TestShopper;

const { sandbox, server, api } = await createTestApi();
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
});

async function openSignedIn(stay = false): Promise<{ id: string; token: string; page: CheckoutPage }> {
  const order = await createOrder(api);
  const page = openPage(server, paymentTokenOf(order));
  await page.signIn(shopper.email, shopper.pin, stay);
  return { id: order.order_id, token: paymentTokenOf(order), page };
}
const changeSessions = (set: string) =>
  sandbox.database.pool.query(`UPDATE wallet_sessions SET ${set} WHERE wallet_user_id = $1`, [shopper.id]);
const expirePin = () => changeSessions("pin_entered_at = pin_entered_at - interval '5 minutes'");
const shopperName = async (token: string, session: string | undefined) =>
  (await openPage(server, token, session ? { session } : {}).view()).shopper?.name;

describe("remembered session", () => {
  it("still identifies the shopper five minutes after the PIN was entered, but a payment then requires the PIN again", async () => {
    const { id, page } = await openSignedIn();
    expect((await page.view()).shopper?.pin_needed).toBe(false);
    await changeSessions("pin_entered_at = clock_timestamp() - interval '4 minutes 50 seconds'");
    expect((await page.view()).shopper?.pin_needed).toBe(false);
    await expirePin();
    expect((await page.view()).shopper).toMatchObject({ name: "Ruth Okafor", pin_needed: true });
    const rejected = await expectNoWrites(sandbox, () => page.pay());
    expect(errorOf(rejected)).toEqual({
      status: 401,
      texts: ["The PIN is required"],
      reason: "pin_needed",
    });
    expect(errorOf(await page.pay({ pin: "" })).reason).toBe("pin_needed");
    expect((await getOrder(api, id)).status).toBe("PENDING");
    expect((await page.pay({ pin: shopper.pin })).body).toMatchObject({ data: { status: "PAID" } });
  });

  it("accepts a PIN only for the order for which it was last entered, not for another order of the same or another merchant", async () => {
    const { page } = await openSignedIn();
    const other = payApi(server, sandbox.access.other_merchant);
    for (const order of [await createOrder(api), await createOrder(other)]) {
      const next = openPage(server, paymentTokenOf(order), { session: page.session ?? "" });
      expect((await next.view()).shopper).toMatchObject({ name: "Ruth Okafor", pin_needed: true });
      expect(errorOf(await expectNoWrites(sandbox, () => next.pay())).reason).toBe("pin_needed");
    }
    // The PIN now counts for the other order, and no longer for this order.
    const next = openPage(server, paymentTokenOf(await createOrder(other)), { session: page.session ?? "" });
    expect((await next.pay({ pin: shopper.pin })).status).toBe(200);
    page.session = next.session;
    expect((await page.view()).shopper?.pin_needed).toBe(true);
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });

  it("requires the PIN again for another order, even if the PIN was just entered for a payment that was rejected", async () => {
    const order = await createOrder(api, { amount: 999_999 });
    const page = openPage(server, paymentTokenOf(order));
    await page.signIn(shopper.email, shopper.pin);
    await expirePin();
    expect(errorOf(await page.pay({ pin: shopper.pin })).reason).toBe("insufficient_balance");
    const seen = openPage(server, paymentTokenOf(await createOrder(api)), { session: page.session ?? "" });
    expect((await seen.view()).shopper?.pin_needed).toBe(true);
  });

  it("expires an hour after the PIN was last entered, or after seven days if the shopper chooses to stay signed in", async () => {
    const left = async () => {
      const { rows } = await sandbox.database.pool.query<{ seconds: number }>(
        `SELECT extract(epoch FROM expires_at - clock_timestamp())::int AS seconds FROM wallet_sessions
         WHERE wallet_user_id = $1 AND revoked_at IS NULL ORDER BY created_at DESC LIMIT 1`,
        [shopper.id],
      );
      return rows[0]?.seconds ?? 0;
    };
    const near = (seconds: number) => ({ min: seconds - 60, max: seconds });
    for (const [stay, seconds, maxAge] of [
      [false, 3_600, null],
      [true, 604_800, 604_800],
    ] as const) {
      const { page } = await openSignedIn(stay);
      const { min, max } = near(seconds);
      expect(await left()).toBeGreaterThan(min);
      expect(await left()).toBeLessThanOrEqual(max);
      await changeSessions("expires_at = clock_timestamp() + interval '100 seconds'");
      const { body } = await page.pay({ pin: shopper.pin });
      expect(body).toMatchObject({ data: { renewed_session: { max_age_seconds: maxAge } } });
      expect(await left()).toBeGreaterThan(min);
    }
  });

  it("remains valid for its order after a wrong PIN, even if no PIN was required", async () => {
    const { page } = await openSignedIn();
    for (const needed of [false, true]) {
      if (needed) await expirePin();
      const rejected = await expectNoWrites(sandbox, () => page.pay({ pin: WRONG_PIN }));
      expect(errorOf(rejected)).toEqual({
        status: 401,
        texts: ["Incorrect PIN"],
        reason: "wrong_pin",
      });
      expect((await page.view()).shopper).toMatchObject({ pin_needed: needed });
    }
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });

  it("counts wrong PINs from payments and sign-ins on one device together, across processes, and then locks both", async () => {
    const { token, page } = await openSignedIn();
    const second = await sandbox.startApi();
    const there = openPage(second, token, { device: page.device ?? "" });
    for (let i = 0; i < 3; i += 1)
      expect(errorOf(await page.pay({ pin: WRONG_PIN })).reason).toBe("wrong_pin");
    for (let i = 0; i < 2; i += 1)
      expect(errorOf(await there.signInResponse(shopper.phone, WRONG_PIN)).reason).toBe("wrong_sign_in");
    const locked = await page.pay({ pin: shopper.pin });
    const texts = ["Too many wrong PINs on this device"];
    expect(errorOf(locked)).toEqual({ status: 429, texts, reason: "device_locked" });
    expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(errorOf(await there.signInResponse(shopper.email, shopper.pin)).reason).toBe("device_locked");
    // Without a PIN, the payment succeeds, because the PIN was entered recently.
    expect((await page.pay()).status).toBe(200);
  });

  it("rejects a malformed PIN as an invalid field, without counting it as a wrong PIN", async () => {
    const { page } = await openSignedIn();
    for (let i = 0; i < 6; i += 1)
      expect(errorOf(await page.pay({ pin: "12345" }))).toMatchObject({
        status: 400,
        reason: "invalid_field",
      });
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });
});

describe("session token", () => {
  it("is rotated when a PIN is entered; the previous token works for parallel tabs for a minute", async () => {
    const { token, page } = await openSignedIn();
    const before = page.session;
    const tab = (await page.view()).form_token;
    await page.pay({ pin: shopper.pin });
    expect(page.session).not.toBe(before);
    expect(await shopperName(token, page.session)).toBe("Ruth Okafor");
    expect(await shopperName(token, before)).toBe("Ruth Okafor");
    const { previousValidUntil, rotatedAt } = await sandbox.database.prisma.walletSession.findFirstOrThrow({
      where: { walletUserId: shopper.id },
    });
    expect(Math.round((Number(previousValidUntil) - Number(rotatedAt)) / 1_000)).toBe(60);
    // A form of an earlier tab belongs to the same session, under either token.
    expect((await page.pay({ form_token: tab })).body).toMatchObject({ data: { repeated: true } });
    await changeSessions("previous_valid_until = clock_timestamp()");
    expect(await shopperName(token, before)).toBeUndefined();
    expect(await shopperName(token, page.session)).toBe("Ruth Okafor");
  });

  it("is not rotated again by a parallel tab", async () => {
    const { page } = await openSignedIn();
    const other = await createOrder(api);
    const parallel = openPage(server, paymentTokenOf(other), {
      visitor: page.visitor,
      session: page.session ?? "",
    });
    await page.pay({ pin: shopper.pin });
    const response = await parallel.pay({ pin: shopper.pin });
    expect(response.body).toMatchObject({ data: { status: "PAID", renewed_session: null } });
    expect(await shopperName(paymentTokenOf(other), page.session)).toBe("Ruth Okafor");
  });

  it("is rotated about once a day by requests without a PIN, without extending the session", async () => {
    const { page } = await openSignedIn(true);
    expect((await page.act("sandbox-decline")).body).toMatchObject({ data: { renewed_session: null } });
    await changeSessions(
      "rotated_at = rotated_at - interval '1 day', expires_at = clock_timestamp() + interval '100 seconds'",
    );
    const { body } = await page.act("sandbox-decline");
    expect(body).toMatchObject({
      data: { renewed_session: { session: expect.stringMatching(/^tgw_/), max_age_seconds: 100 } },
    });
  });

  it("is replaced by a new sign-in, which ends the previous session", async () => {
    const { token, page } = await openSignedIn();
    const before = page.session;
    await page.signIn(shopper.email, shopper.pin);
    expect(page.session).not.toBe(before);
    expect(await shopperName(token, before)).toBeUndefined();
  });

  it("is invalid after sign-out, as is the token that it replaced", async () => {
    const { token, page } = await openSignedIn();
    const before = page.session;
    await page.pay({ pin: shopper.pin });
    await page.act("sign-out");
    for (const session of [before, page.session]) expect(await shopperName(token, session)).toBeUndefined();
  });

  it("is not rotated by a rejected request", async () => {
    const { page } = await openSignedIn();
    await changeSessions("rotated_at = rotated_at - interval '2 days'");
    const { session } = page;
    expect((await page.pay({ pin: WRONG_PIN })).text).not.toContain("tgw_");
    expect(await shopperName(page.address.split("/").pop() ?? "", session)).toBe("Ruth Okafor");
  });
});

describe("counter of wrong PINs", () => {
  const guess = async (page: CheckoutPage, pin = WRONG_PIN) => {
    const response = await page.signInResponse(shopper.email, pin);
    return { ...errorOf(response), wait: Number(response.headers.get("retry-after")) };
  };
  /** Ends every lock now. */
  const expireLocks = () =>
    sandbox.database.pool.query(
      "UPDATE pin_failures SET locked_until = clock_timestamp() WHERE locked_until > clock_timestamp()",
    );

  it("locks the account for a minute, then longer, up to a day, and is reset by a correct PIN after the lock", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(api)));
    for (let i = 0; i < 4; i += 1) expect((await guess(page)).reason).toBe("wrong_sign_in");
    for (const seconds of [60, 300, 900, 3_600, 14_400, 86_400, 86_400]) {
      expect((await guess(page)).reason).toBe("wrong_sign_in");
      const { reason, wait } = await guess(page, shopper.pin);
      expect({ reason, seconds: wait > seconds - 10 && wait <= seconds }).toEqual({
        reason: "locked",
        seconds: true,
      });
      await expireLocks();
    }
    expect((await page.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
    for (let i = 0; i < 4; i += 1) expect((await guess(page)).reason).toBe("wrong_sign_in");
    expect((await page.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
  });

  it("for an address is not reset by a correct PIN but decreases over time", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(api)), { clientAddress: "203.0.113.9" });
    const failures = async () => {
      const { rows } = await sandbox.database.pool.query<{ failures: number }>(
        "SELECT failures FROM pin_failures WHERE key = pin_counter_key('address', '203.0.113.9')",
      );
      return rows[0]?.failures;
    };
    const wrong = async (who: string) => {
      expect(errorOf(await page.signInResponse(who, WRONG_PIN)).reason).toBe("wrong_sign_in");
      return failures();
    };
    expect(await wrong("one@example.com")).toBe(1);
    expect(await wrong("two@example.com")).toBe(2);
    expect((await page.signInResponse(shopper.email, shopper.pin)).status).toBe(200);
    expect(await failures()).toBe(2);
    expect(await wrong("three@example.com")).toBe(3);
    await sandbox.database.pool.query(
      "UPDATE pin_failures SET counted_at = counted_at - interval '20 minutes'",
    );
    expect(await wrong("four@example.com")).toBe(2);
  });

  it("is deleted or restarted at a later attempt once it is stale", async () => {
    const page = openPage(server, paymentTokenOf(await createOrder(api)));
    await page.signInResponse("stale@example.com", WRONG_PIN);
    await sandbox.database.pool.query("UPDATE pin_failures SET stale_at = now() - interval '1 second'");
    const stale = () => sandbox.database.prisma.pinFailures.count({ where: { staleAt: { lt: new Date() } } });
    const before = await stale();
    await guess(page);
    // The address's counter restarts from zero, and at least the account's counter is deleted.
    expect(await stale()).toBeLessThanOrEqual(before - 2);
  });
});
