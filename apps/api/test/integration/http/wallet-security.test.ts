import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { addShopper, type TestShopper } from "../../support/parties.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { WalletBrowser } from "../../support/wallet.js";

const { sandbox, server } = await createTestApi();
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0";
const SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Safari/605";
const NEW_PIN = "640281";

let shopper: TestShopper;
let here: WalletBrowser;
let phone: WalletBrowser;
beforeEach(async () => {
  shopper = await addShopper(sandbox, "sandbox", 0n);
  here = new WalletBrowser(server, FIREFOX);
  phone = new WalletBrowser(server, SAFARI);
  await phone.signIn(shopper.email, shopper.pin);
  await here.signIn(shopper.email, shopper.pin);
});

const isSignedIn = async (browser: WalletBrowser) => (await browser.view()).shopper !== null;
const createStranger = async (): Promise<WalletBrowser> => {
  const other = await addShopper(sandbox, "sandbox", 0n);
  const browser = new WalletBrowser(server);
  await browser.signIn(other.email, other.pin);
  return browser;
};

describe("GET /checkout/v1/wallet/sign-ins", () => {
  it("lists sessions and devices with browsers, newest first, and marks the current session and device", async () => {
    const { sessions, devices } = await here.signIns();
    const listed = [
      { browser: FIREFOX, current: true },
      { browser: SAFARI, current: false },
    ];
    expect(sessions).toMatchObject(listed);
    expect(devices).toMatchObject(listed);
  });
});

describe("a shopper's sessions", () => {
  it("can be ended one by one; ending the current session signs the shopper out", async () => {
    const [own, other] = (await here.signIns()).sessions;
    expect(await here.act(`/sessions/${other?.id}/end`)).toMatchObject({ signed_out: false });
    expect([await isSignedIn(here), await isSignedIn(phone)]).toEqual([true, false]);
    expect(errorOf(await here.post(`/sessions/${other?.id}/end`)).reason).toBe("not_found");
    expect(await here.act(`/sessions/${own?.id}/end`)).toEqual({ signed_out: true, renewed_session: null });
    expect(await isSignedIn(here)).toBe(false);
  });

  it("end when the shopper forgets the device, which is then no longer trusted", async () => {
    const [own, other] = (await here.signIns()).devices;
    await here.act(`/devices/${other?.id}/forget`);
    expect([await isSignedIn(here), await isSignedIn(phone)]).toEqual([true, false]);
    expect((await here.signIns()).devices.map(({ id }) => id)).toEqual([own?.id]);
    for (let i = 0; i < 5; i += 1)
      expect(errorOf(await phone.signInResponse(shopper.email, "918273")).reason).toBe("wrong_sign_in");
    expect(errorOf(await phone.signInResponse(shopper.email, shopper.pin)).reason).toBe("locked");
    expect((await here.view()).shopper?.wrong_pins_elsewhere).toBe(true);
    expect(await here.act(`/devices/${own?.id}/forget`)).toMatchObject({ signed_out: true });
    expect(await isSignedIn(here)).toBe(false);
  });

  it("cannot be ended, nor their devices forgotten, by another shopper, who gets 404", async () => {
    const { sessions, devices } = await here.signIns();
    const other = await createStranger();
    for (const id of [sessions[0]?.id, randomUUID(), "none"])
      expect(errorOf(await other.post(`/sessions/${id}/end`))).toMatchObject({
        status: 404,
        reason: "not_found",
      });
    for (const id of [devices[0]?.id, randomUUID(), "none"])
      expect(errorOf(await other.post(`/devices/${id}/forget`))).toMatchObject({
        status: 404,
        reason: "not_found",
      });
    expect([await isSignedIn(here), await isSignedIn(phone)]).toEqual([true, true]);
  });
});

describe("POST /checkout/v1/wallet/sign-out-everywhere", () => {
  it("ends all of the shopper's sessions and keeps only the current device trusted", async () => {
    const other = await createStranger();
    expect(await here.act("/sign-out-everywhere")).toEqual({ signed_out: true, renewed_session: null });
    expect([await isSignedIn(here), await isSignedIn(phone), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
    await here.signIn(shopper.email, shopper.pin);
    expect((await here.signIns()).devices).toMatchObject([{ browser: FIREFOX, current: true }]);
  });
});

describe("a change to a wallet's security settings", () => {
  it("is rejected when signed out", async () => {
    const nobody = new WalletBrowser(server);
    for (const path of [
      "/sign-out-everywhere",
      `/sessions/${randomUUID()}/end`,
      `/devices/${randomUUID()}/forget`,
      `/passkeys/${randomUUID()}/revoke`,
    ])
      expect(errorOf(await nobody.post(path))).toMatchObject({ status: 401, reason: "not_signed_in" });
    const pins = { pin: shopper.pin, new_pin: NEW_PIN };
    expect(errorOf(await nobody.post("/pin", pins)).reason).toBe("not_signed_in");
  });
});

describe("passkeys in the wallet", () => {
  const added = ({ id: walletUserId }: TestShopper) =>
    sandbox.database.prisma.walletPasskey.create({
      data: {
        mode: "sandbox",
        walletUserId,
        credentialId: randomUUID(),
        publicKey: Buffer.of(1),
        counter: 0n,
      },
    });

  it("are listed and removed one by one, and a second removal changes nothing", async () => {
    const [first, second] = [await added(shopper), await added(shopper)];
    expect((await here.signIns()).passkeys).toMatchObject([
      { id: second.id, used_at: null },
      { id: first.id, used_at: null },
    ]);
    for (const _ of [1, 2])
      expect(await here.act(`/passkeys/${first.id}/revoke`)).toMatchObject({ signed_out: false });
    expect((await phone.signIns()).passkeys.map(({ id }) => id)).toEqual([second.id]);
  });

  it("are not found by another shopper, and remain unchanged", async () => {
    const { id } = await added(shopper);
    const other = await createStranger();
    for (const wrong of [id, randomUUID(), "none"])
      expect(errorOf(await other.post(`/passkeys/${wrong}/revoke`))).toMatchObject({
        status: 404,
        reason: "not_found",
      });
    expect((await here.signIns()).passkeys).toHaveLength(1);
  });
});

describe("changing the PIN in the wallet", () => {
  it("ends other sessions, forgets other devices, rotates the current session and invalidates the old PIN", async () => {
    const before = here.session;
    expect((await here.act("/pin", { pin: shopper.pin, new_pin: NEW_PIN })).renewed_session).not.toBeNull();
    expect(here.session).not.toBe(before);
    expect([await isSignedIn(here), await isSignedIn(phone)]).toEqual([true, false]);
    expect((await here.signIns()).devices).toHaveLength(1);
    expect(errorOf(await phone.signInResponse(shopper.email, shopper.pin)).reason).toBe("wrong_sign_in");
    await phone.signIn(shopper.email, NEW_PIN);
  });

  it.each([
    ["a wrong current PIN", { pin: "918273", new_pin: NEW_PIN }, "wrong_pin"],
    ["a repeated digit", { pin: "407193", new_pin: "777777" }, "trivial_pin"],
    ["a sequence", { pin: "407193", new_pin: "345678" }, "trivial_pin"],
    ["the current PIN as the new PIN", { pin: "407193", new_pin: "407193" }, "same_pin"],
    ["five digits", { pin: "407193", new_pin: "64028" }, "invalid_field"],
    ["seven digits", { pin: "407193", new_pin: "6402810" }, "invalid_field"],
    ["a missing current PIN", { new_pin: NEW_PIN }, "invalid_field"],
  ])("rejects %s and keeps the PIN", async (_what, pins, reason) => {
    expect(errorOf(await here.post("/pin", pins)).reason).toBe(reason);
    expect(await isSignedIn(phone)).toBe(true);
    await new WalletBrowser(server).signIn(shopper.email, shopper.pin);
  });

  it("succeeds for only one of two concurrent requests", async () => {
    const responses = await Promise.all(
      ["640281", "731902"].map((pin, at) =>
        (at === 0 ? here : phone).post("/pin", { pin: shopper.pin, new_pin: pin }),
      ),
    );
    const succeeded = responses.filter(({ status }) => status === 200);
    expect(succeeded).toHaveLength(1);
    expect([await isSignedIn(here), await isSignedIn(phone)].filter(Boolean)).toHaveLength(1);
  });
});
