import { beforeEach, describe, expect, it } from "vitest";
import { openPage, type Page } from "../../support/checkout.js";
import { createOrder, getOrder, tokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { payApi, told } from "../../support/requests.js";
import { writesNothing } from "../../support/rows.js";
import { sceneOfFile } from "../../support/scene.js";

const WRONG_PIN = "918273";

let shopper: TestShopper;

const { sandbox, server, api } = await sceneOfFile();
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
});

async function signedIn(stay = false): Promise<{ id: string; token: string; page: Page }> {
  const order = await createOrder(api);
  const page = openPage(server, tokenOf(order));
  await page.signIn(shopper.email, shopper.pin, stay);
  return { id: order.order_id, token: tokenOf(order), page };
}
/** Lets time pass for the shopper's sessions. */
const pass = (set: string) =>
  sandbox.database.pool.query(`UPDATE wallet_sessions SET ${set} WHERE wallet_user_id = $1`, [shopper.id]);
const forgetPin = () => pass("pin_entered_at = pin_entered_at - interval '5 minutes'");
const signedInAs = async (token: string, session: string | undefined) =>
  (await openPage(server, token, session ? { session } : {}).view()).shopper?.name;

describe("remembered session", () => {
  it("identifies the shopper for days; after five minutes a payment requires the PIN again", async () => {
    const { id, page } = await signedIn();
    expect((await page.view()).shopper?.pin_needed).toBe(false);
    await pass("pin_entered_at = clock_timestamp() - interval '4 minutes 50 seconds'");
    expect((await page.view()).shopper?.pin_needed).toBe(false);
    await forgetPin();
    expect((await page.view()).shopper).toMatchObject({ name: "Ruth Okafor", pin_needed: true });
    const refused = await writesNothing(sandbox, () => page.pay());
    expect(told(refused)).toEqual({ status: 401, texts: ["The PIN is needed"], reason: "pin_needed" });
    expect(told(await page.pay({ pin: "" })).reason).toBe("pin_needed");
    expect((await getOrder(api, id)).status).toBe("PENDING");
    expect((await page.pay({ pin: shopper.pin })).body).toMatchObject({ data: { status: "PAID" } });
  });

  it("counts a PIN for the order where it was entered, on no other order, merchant or screen", async () => {
    const { page } = await signedIn();
    const other = payApi(server, sandbox.access.other_merchant);
    for (const order of [await createOrder(api), await createOrder(other)]) {
      const next = openPage(server, tokenOf(order), { session: page.session ?? "" });
      expect((await next.view()).shopper).toMatchObject({ name: "Ruth Okafor", pin_needed: true });
      expect(told(await writesNothing(sandbox, () => next.pay())).reason).toBe("pin_needed");
    }
    // Entered there, it counts there, and no longer here.
    const next = openPage(server, tokenOf(await createOrder(other)), { session: page.session ?? "" });
    expect((await next.pay({ pin: shopper.pin })).status).toBe(200);
    page.session = next.session;
    expect((await page.view()).shopper?.pin_needed).toBe(true);
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });

  it("counts a PIN entered for a rejected payment of the same order", async () => {
    const order = await createOrder(api, { amount: 999_999 });
    const page = openPage(server, tokenOf(order));
    await page.signIn(shopper.email, shopper.pin);
    await forgetPin();
    expect(told(await page.pay({ pin: shopper.pin })).reason).toBe("insufficient_balance");
    const seen = openPage(server, tokenOf(await createOrder(api)), { session: page.session ?? "" });
    expect((await seen.view()).shopper?.pin_needed).toBe(true);
  });

  it("expires an hour after the last PIN, unless the shopper chose to stay signed in", async () => {
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
      const { page } = await signedIn(stay);
      const { min, max } = near(seconds);
      expect(await left()).toBeGreaterThan(min);
      expect(await left()).toBeLessThanOrEqual(max);
      await pass("expires_at = clock_timestamp() + interval '100 seconds'");
      const { body } = await page.pay({ pin: shopper.pin });
      expect(body).toMatchObject({ data: { renewed_session: { max_age_seconds: maxAge } } });
      expect(await left()).toBeGreaterThan(min);
    }
  });

  it("and order are kept after a wrong PIN, also where none was required", async () => {
    const { page } = await signedIn();
    for (const needed of [false, true]) {
      if (needed) await forgetPin();
      const refused = await writesNothing(sandbox, () => page.pay({ pin: WRONG_PIN }));
      expect(told(refused)).toEqual({ status: 401, texts: ["The PIN is not right"], reason: "wrong_pin" });
      expect((await page.view()).shopper).toMatchObject({ pin_needed: needed });
    }
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });

  it("counts wrong PINs of payments and sign-ins on one device together, across processes, and locks both", async () => {
    const { token, page } = await signedIn();
    const second = await sandbox.startApi();
    const there = openPage(second, token, { device: page.device ?? "" });
    for (let i = 0; i < 3; i += 1) expect(told(await page.pay({ pin: WRONG_PIN })).reason).toBe("wrong_pin");
    for (let i = 0; i < 2; i += 1)
      expect(told(await there.signInAnswer(shopper.phone, WRONG_PIN)).reason).toBe("wrong_sign_in");
    const locked = await page.pay({ pin: shopper.pin });
    const texts = ["Too many wrong PINs on this device"];
    expect(told(locked)).toEqual({ status: 429, texts, reason: "device_locked" });
    expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(told(await there.signInAnswer(shopper.email, shopper.pin)).reason).toBe("device_locked");
    // A shopper who has proved the PIN a minute ago still pays.
    expect((await page.pay()).status).toBe(200);
  });

  it("rejects a malformed PIN as an invalid field, without counting it", async () => {
    const { page } = await signedIn();
    for (let i = 0; i < 6; i += 1)
      expect(told(await page.pay({ pin: "12345" }))).toMatchObject({ status: 400, reason: "invalid_field" });
    expect((await page.pay({ pin: shopper.pin })).status).toBe(200);
  });
});

describe("session token", () => {
  it("is rotated with a PIN; the previous one works for parallel tabs for a minute", async () => {
    const { token, page } = await signedIn();
    const before = page.session;
    const tab = (await page.view()).form_token;
    await page.pay({ pin: shopper.pin });
    expect(page.session).not.toBe(before);
    expect(await signedInAs(token, page.session)).toBe("Ruth Okafor");
    expect(await signedInAs(token, before)).toBe("Ruth Okafor");
    // The form of a tab that was open before belongs to the same session, by either token.
    expect((await page.pay({ form_token: tab })).body).toMatchObject({ data: { repeated: true } });
    await pass("previous_valid_until = clock_timestamp()");
    expect(await signedInAs(token, before)).toBeUndefined();
    expect(await signedInAs(token, page.session)).toBe("Ruth Okafor");
  });

  it("that was rotated is not rotated again by a parallel tab", async () => {
    const { page } = await signedIn();
    const other = await createOrder(api);
    const parallel = openPage(server, tokenOf(other), { visitor: page.visitor, session: page.session ?? "" });
    await page.pay({ pin: shopper.pin });
    const answer = await parallel.pay({ pin: shopper.pin });
    expect(answer.body).toMatchObject({ data: { status: "PAID", renewed_session: null } });
    expect(await signedInAs(tokenOf(other), page.session)).toBe("Ruth Okafor");
  });

  it("is rotated about once a day with any form, without extending the session", async () => {
    const { page } = await signedIn(true);
    expect((await page.act("sandbox-decline")).body).toMatchObject({ data: { renewed_session: null } });
    await pass(
      "rotated_at = rotated_at - interval '1 day', expires_at = clock_timestamp() + interval '100 seconds'",
    );
    const { body } = await page.act("sandbox-decline");
    expect(body).toMatchObject({
      data: { renewed_session: { session: expect.stringMatching(/^tgw_/), max_age_seconds: 100 } },
    });
  });

  it("is replaced by a new sign-in, which ends the previous session", async () => {
    const { token, page } = await signedIn();
    const before = page.session;
    await page.signIn(shopper.email, shopper.pin);
    expect(page.session).not.toBe(before);
    expect(await signedInAs(token, before)).toBeUndefined();
  });

  it("of any age ends its session by signing out", async () => {
    const { token, page } = await signedIn();
    const before = page.session;
    await page.pay({ pin: shopper.pin });
    await page.act("sign-out");
    for (const session of [before, page.session]) expect(await signedInAs(token, session)).toBeUndefined();
  });

  it("is not rotated by a rejected request", async () => {
    const { page } = await signedIn();
    await pass("rotated_at = rotated_at - interval '2 days'");
    const { session } = page;
    expect((await page.pay({ pin: WRONG_PIN })).text).not.toContain("tgw_");
    expect(await signedInAs(page.address.split("/").pop() ?? "", session)).toBe("Ruth Okafor");
  });
});

describe("locks for wrong PINs", () => {
  const guess = async (page: Page, pin = WRONG_PIN) => {
    const answer = await page.signInAnswer(shopper.email, pin);
    return { ...told(answer), wait: Number(answer.headers.get("retry-after")) };
  };
  /** Lets every lock end, as if its time had passed. */
  const passLocks = () =>
    sandbox.database.pool.query(
      "UPDATE pin_failures SET locked_until = clock_timestamp() WHERE locked_until > clock_timestamp()",
    );

  it("grow from a minute to a day, also for unknown accounts; a correct PIN after the lock resets them", async () => {
    const page = openPage(server, tokenOf(await createOrder(api)));
    for (let i = 0; i < 4; i += 1) expect((await guess(page)).reason).toBe("wrong_sign_in");
    for (const seconds of [60, 300, 900, 3_600, 14_400, 86_400, 86_400]) {
      expect((await guess(page)).reason).toBe("wrong_sign_in");
      const { reason, wait } = await guess(page, shopper.pin);
      expect({ reason, seconds: wait > seconds - 10 && wait <= seconds }).toEqual({
        reason: "locked",
        seconds: true,
      });
      await passLocks();
    }
    expect((await page.signInAnswer(shopper.email, shopper.pin)).status).toBe(200);
    for (let i = 0; i < 4; i += 1) expect((await guess(page)).reason).toBe("wrong_sign_in");
    expect((await page.signInAnswer(shopper.email, shopper.pin)).status).toBe(200);
  });

  it("of an address are not reset by a correct PIN, and its wrong PINs expire one by one", async () => {
    const page = openPage(server, tokenOf(await createOrder(api)), { clientAddress: "203.0.113.9" });
    const failures = async () => {
      const { rows } = await sandbox.database.pool.query<{ failures: number }>(
        "SELECT failures FROM pin_failures WHERE key = pin_counter_key('address', '203.0.113.9')",
      );
      return rows[0]?.failures;
    };
    const wrong = async (who: string) => {
      expect(told(await page.signInAnswer(who, WRONG_PIN)).reason).toBe("wrong_sign_in");
      return failures();
    };
    expect(await wrong("one@example.com")).toBe(1);
    expect(await wrong("two@example.com")).toBe(2);
    expect((await page.signInAnswer(shopper.email, shopper.pin)).status).toBe(200);
    expect(await failures()).toBe(2);
    expect(await wrong("three@example.com")).toBe(3);
    await sandbox.database.pool.query(
      "UPDATE pin_failures SET counted_at = counted_at - interval '20 minutes'",
    );
    expect(await wrong("four@example.com")).toBe(2);
  });

  it("are pruned with later attempts once expired", async () => {
    const page = openPage(server, tokenOf(await createOrder(api)));
    await page.signInAnswer("stale@example.com", WRONG_PIN);
    await sandbox.database.pool.query("UPDATE pin_failures SET stale_at = now() - interval '1 second'");
    const stale = () => sandbox.database.prisma.pinFailures.count({ where: { staleAt: { lt: new Date() } } });
    const before = await stale();
    await guess(page);
    // The address counts again from zero, and at least the account went.
    expect(await stale()).toBeLessThanOrEqual(before - 2);
  });
});
