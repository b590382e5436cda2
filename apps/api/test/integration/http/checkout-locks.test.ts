import { hashSecret } from "@tillgate/database";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { resetPin } from "../../../src/administration/users.js";
import { proveAdministrator } from "../../../src/audit/administrator.js";
import { MAX_DEVICES } from "../../../src/checkout/wallet/devices.js";
import type { ApiProcess } from "../../support/api-process.js";
import { type CheckoutPage, openPage, type PageOptions } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf } from "../../support/requests.js";
import { recordStatements } from "../../support/statements.js";
import { createTestApi } from "../../support/test-api.js";

const WRONG_PIN = "918273";

let second: ApiProcess;
let shopper: TestShopper;

const { sandbox, server, api } = await createTestApi();
beforeAll(async () => {
  second = await sandbox.startApi();
});
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 1_000_000n);
});

const newPage = async (options: PageOptions = {}, process = server): Promise<CheckoutPage> =>
  openPage(process, paymentTokenOf(await createOrder(api)), options);
/** Opens a page in a new browser and signs the shopper in, so that the device is trusted. */
async function trustedDevice(who = shopper): Promise<CheckoutPage> {
  const page = await newPage();
  await page.signIn(who.email, who.pin);
  return page;
}
async function signInReason(
  page: CheckoutPage,
  identifier: string,
  pin = WRONG_PIN,
): Promise<string | undefined> {
  const response = await page.signInResponse(identifier, pin);
  return response.status === 200 ? "signed in" : errorOf(response).reason;
}
async function lockOut(identifier: string): Promise<void> {
  for (let i = 0; i < 5; i += 1)
    expect(await signInReason(await newPage(), identifier)).toBe("wrong_sign_in");
  expect(await signInReason(await newPage(), identifier, shopper.pin)).toBe("locked");
}

describe("a locked account", () => {
  it("can still pay with the PIN on a signed-in device, where the page reports the wrong PINs entered elsewhere", async () => {
    const own = await trustedDevice();
    expect((await own.view()).shopper?.wrong_pins_elsewhere).toBe(false);
    await lockOut(shopper.phone);
    expect((await own.view()).shopper?.wrong_pins_elsewhere).toBe(true);
    const response = await own.pay({ pin: shopper.pin });
    expect(response.body).toMatchObject({ data: { status: "PAID" } });
    // The owner's correct PIN does not reset the strangers' lock.
    expect(await signInReason(await newPage(), shopper.phone, shopper.pin)).toBe("locked");
  });

  it("can sign in by phone or e-mail on a device where it has signed in before, even after signing out", async () => {
    const own = await trustedDevice();
    await own.act("sign-out");
    await lockOut(shopper.phone);
    await lockOut(shopper.email);
    for (const identifier of [shopper.phone, shopper.email]) {
      const again = await newPage({ device: own.device ?? "" });
      await again.signIn(identifier, shopper.pin);
      own.device = again.device;
      expect((await again.view()).shopper).toMatchObject({ wrong_pins_elsewhere: true, pin_needed: false });
    }
  });

  it("can sign in with its session, without a device cookie", async () => {
    const own = await trustedDevice();
    await lockOut(shopper.phone);
    const page = await newPage({ session: own.session ?? "" });
    expect(await signInReason(page, shopper.phone)).toBe("wrong_sign_in");
    expect(await signInReason(page, shopper.phone, shopper.pin)).toBe("signed in");
  });

  it("can sign in on a new device once the lock has expired, and only the first response reports the wrong PINs", async () => {
    await lockOut(shopper.email);
    await sandbox.database.pool.query("UPDATE pin_failures SET locked_until = clock_timestamp()");
    const page = await newPage();
    expect(await page.signIn(shopper.email, shopper.pin)).toMatchObject({ wrong_pins_before: true });
    expect(await (await newPage()).signIn(shopper.email, shopper.pin)).toMatchObject({
      wrong_pins_before: false,
    });
  });
});

describe("device token", () => {
  it("is treated as unknown if it is forged, expired, replaced or issued for another account", async () => {
    const own = await trustedDevice();
    const replaced = own.device ?? "";
    await own.signIn(shopper.email, shopper.pin);
    const attacker = await trustedDevice(await addShopper(sandbox, "sandbox", 0n));
    const over = await trustedDevice();
    await sandbox.database.pool.query(
      "UPDATE wallet_devices SET expires_at = clock_timestamp() WHERE token_hash = $1",
      [hashSecret(over.device ?? "")],
    );
    const stolenShape = `tgd_${"A".repeat(43)}`;
    await lockOut(shopper.email);
    for (const device of [stolenShape, "x", replaced, attacker.device ?? "", over.device ?? ""])
      expect(await signInReason(await newPage({ device }), shopper.email, shopper.pin)).toBe("locked");
    expect(await signInReason(await newPage({ device: own.device ?? "" }), shopper.email, shopper.pin)).toBe(
      "signed in",
    );
  });

  it("is replaced when another account signs in: the new token is still trusted for the first account, the old token for neither", async () => {
    const other = await addShopper(sandbox, "sandbox", 0n);
    const tablet = await trustedDevice();
    const planted = tablet.device ?? "";
    await tablet.signIn(other.email, other.pin);
    expect(tablet.device).not.toBe(planted);
    for (const who of [shopper, other]) {
      await lockOut(who.email);
      expect(await signInReason(await newPage({ device: planted }), who.email, who.pin)).toBe("locked");
    }
    expect(
      await signInReason(await newPage({ device: tablet.device ?? "" }), shopper.email, shopper.pin),
    ).toBe("signed in");
  });

  it("is stored for a limited number of devices per account; the least recently used device is forgotten", async () => {
    const [first, second] = [await trustedDevice(), await trustedDevice()];
    for (let i = 2; i < MAX_DEVICES; i += 1) await trustedDevice();
    await first.signIn(shopper.email, shopper.pin);
    await trustedDevice();
    expect(await sandbox.database.prisma.walletDevice.count({ where: { walletUserId: shopper.id } })).toBe(
      MAX_DEVICES,
    );
    // The existing session stays valid, with a separate count of wrong PINs.
    expect((await second.pay({ pin: shopper.pin })).status).toBe(200);
    await lockOut(shopper.email);
    const signInOn = async ({ device = "" }: CheckoutPage) =>
      signInReason(await newPage({ device }), shopper.email, shopper.pin);
    expect([await signInOn(second), await signInOn(first)]).toEqual(["locked", "signed in"]);
  });

  it("is removed, like the account's locks, when the PIN is reset", async () => {
    const { administrator } = sandbox.access;
    const own = await trustedDevice();
    await lockOut(shopper.email);
    const { pin } = await resetPin(server.context, {
      administrator: await proveAdministrator(
        server.context,
        administrator.email,
        async () => administrator.password,
      ),
      mode: "sandbox",
      user: shopper.email,
    });
    expect(await signInReason(await newPage(), shopper.email, pin)).toBe("signed in");
    await sandbox.database.pool.query("DELETE FROM pin_failures");
    for (let i = 0; i < 5; i += 1) await signInReason(await newPage(), shopper.email);
    expect(await signInReason(await newPage({ device: own.device ?? "" }), shopper.email, pin)).toBe(
      "locked",
    );
  });
});

describe("PIN guessing", () => {
  it("gains nothing from using more devices, addresses or processes: phone and e-mail each lock after five wrong PINs", async () => {
    const attacker = await trustedDevice(await addShopper(sandbox, "sandbox", 0n));
    const guesses = Array.from({ length: 60 }, async (_, i) => {
      const page = await newPage(
        {
          clientAddress: `198.51.100.${i}`,
          ...(i % 3 === 0 ? { device: attacker.device ?? "" } : {}),
          ...(i % 3 === 1 ? { device: `tgd_${String(i).padStart(43, "x")}` } : {}),
        },
        i % 2 ? server : second,
      );
      return signInReason(page, i % 2 ? shopper.email : shopper.phone);
    });
    const reasons = await Promise.all(guesses);
    // Five per identifier: phone and e-mail are counted separately so that neither reveals the other.
    expect(reasons.filter((item) => item === "wrong_sign_in")).toHaveLength(10);
    expect(reasons.filter((item) => item === "locked")).toHaveLength(50);
  });

  it("is limited on a trusted device, even with concurrent attempts in several processes, and locks only that device", async () => {
    const [own, other] = [await trustedDevice(), await trustedDevice()];
    const { visitor, session = "", device = "" } = own;
    const tabs = [own, openPage(second, own.address.split("/").at(-1) ?? "", { visitor, session, device })];
    const { form_token } = await own.view();
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, i) => tabs[i % 2]?.pay({ pin: WRONG_PIN, form_token })),
    );
    expect(responses.filter((response) => response?.status === 401)).toHaveLength(5);
    const locked = await own.pay({ pin: shopper.pin });
    expect(errorOf(locked)).toEqual({
      status: 429,
      texts: ["Too many wrong PINs on this device"],
      reason: "device_locked",
    });
    expect(Number(locked.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await signInReason(own, shopper.email, shopper.pin)).toBe("device_locked");
    expect((await other.pay({ pin: shopper.pin })).status).toBe(200);
    expect(await signInReason(await newPage(), shopper.email, shopper.pin)).toBe("signed in");
  });
});

describe("lock response", () => {
  it("does not reveal that a phone and an e-mail belong to one account: while one is locked, a wrong PIN for the other gets the same response as for an unknown account", async () => {
    await lockOut(shopper.phone);
    for (const identifier of [shopper.email, "nobody-at-all@example.com"])
      expect(await signInReason(await newPage(), identifier)).toBe("wrong_sign_in");
    expect(await signInReason(await newPage(), shopper.email, shopper.pin)).toBe("signed in");
  });
});

it("a sign-in with a wrong PIN executes the same SQL statements for known and unknown accounts", async () => {
  const fresh = await sandbox.startApi();
  const noted = recordStatements(fresh.context.database);
  const requested = async (identifier: string) => {
    const page = await newPage({ device: "tgd_unknown" }, fresh);
    const { form_token } = await page.view();
    noted.length = 0;
    expect(errorOf(await page.signInResponse(identifier, WRONG_PIN, form_token)).reason).toBe(
      "wrong_sign_in",
    );
    return noted.map(({ text }) => text);
  };
  const known = await requested(shopper.email);
  expect(known.length).toBeGreaterThan(2);
  expect(await requested("nobody-of-these@example.com")).toEqual(known);
});

describe("shared client address", () => {
  const environment = { TILLGATE_WRONG_PINS_PER_IP_ADDRESS: "3" };

  it("is throttled, not blocked, after many wrong PINs: a correct PIN is accepted after Retry-After, and immediately on a trusted device", async () => {
    const strict = await sandbox.startApi({ environment });
    const at = async (options: PageOptions = {}) =>
      newPage({ clientAddress: "203.0.113.7", ...options }, strict);
    for (let i = 0; i < 6; i += 1)
      expect(await signInReason(await at(), `guess-${i}@example.com`)).toBe("wrong_sign_in");
    const flood = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => signInReason(await at(), `flood-${i}@example.com`)),
    );
    expect(flood).toContain("too_many_attempts");
    expect(flood).toContain("wrong_sign_in");
    const own = await trustedDevice();
    expect(await signInReason(await at({ device: own.device ?? "" }), shopper.email, shopper.pin)).toBe(
      "signed in",
    );
    // The shopper retries after Retry-After.
    const page = await at();
    for (;;) {
      const response = await page.signInResponse(shopper.phone, shopper.pin);
      if (response.status === 200) break;
      expect(errorOf(response).reason).toBe("too_many_attempts");
      const seconds = Number(response.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(10);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    }
    expect(
      await signInReason(await newPage({ clientAddress: "203.0.113.8" }, strict), "one@example.com"),
    ).toBe("wrong_sign_in");
  });

  it("does not count a rate-limited attempt as a wrong PIN for the account", async () => {
    const strict = await sandbox.startApi({ environment });
    const reasons = await Promise.all(
      Array.from({ length: 20 }, async () =>
        signInReason(await newPage({ clientAddress: "203.0.113.9" }, strict), shopper.email),
      ),
    );
    const looked = reasons.filter((item) => item === "wrong_sign_in").length;
    const { rows } = await sandbox.database.pool.query(
      "SELECT failures FROM pin_failures WHERE key = pin_counter_key('identifier', $1)",
      [`sandbox ${shopper.email}`],
    );
    expect(rows).toEqual([{ failures: looked }]);
  });
});
