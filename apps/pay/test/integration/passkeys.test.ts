import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { eurWallet, payableView, SESSION, type Shopper, shopperWith, timestamp } from "../fake-api";
import { formTokenOf, noticeOf, PageServer, textById, type Visitor } from "../page-server";

/** Maximum gzipped bytes of all scripts of a view with a passkey form. */
const MAX_SCRIPTS = 10 * 1024;

const server = await PageServer.shared();
let visitor: Visitor;
let token = "";
let orders = 0;
let shopper: Shopper;
beforeEach(() => {
  orders += 1;
  token = `passkey${orders}`;
  server.api.orders.set(token, payableView(token));
  shopper = shopperWith([eurWallet], { pin_needed: true, passkey: true });
  server.api.sessions.set(SESSION, shopper);
  server.api.refusal = null;
  server.api.seen.length = 0;
  visitor = server.visitor({ tillgate_pay_session: SESSION });
});

const page = async () => (await visitor.get(`/pay/${token}`)).body;
const signature = {
  ...{ id: "aWQ", rawId: "aWQ", type: "public-key", clientExtensionResults: {} },
  response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
};
const paid = () =>
  server.api.change(token, { status: "PAID", trx_id: "TRX-204817736512", paid_at: timestamp(Date.now()) });

describe("a shopper with a passkey", () => {
  it("is offered the passkey first, with the PIN form collapsed, or open if scripts do not run", async () => {
    const body = await page();
    expect(textById(body, "pay-by-passkey")).toBe("Pay €41.50 with your passkey");
    expect(textById(body, "pay-use-pin")).toBe("Use your PIN instead");
    expect(body).toMatch(/<details class="or" open="">.*data-testid="pay-pin"/);
    expect(body).toMatch(/<div class="with-script"><form[^>]*>.*data-passkey="get"/);
    visitor.cookies.set("tillgate_pay_script", "1");
    expect(await page()).not.toMatch(/<details class="or" open/);
    shopper.passkey = false;
    expect(await page()).not.toContain("data-passkey");
  });

  it("needs neither passkey nor PIN if the PIN was entered recently", async () => {
    shopper.pin_needed = false;
    const body = await page();
    expect(body).not.toContain("data-passkey");
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
  });

  it("gets the passkey challenge for the wallet selected in the form", async () => {
    const fields = { form_token: formTokenOf(await page()), wallet_id: eurWallet.wallet_id };
    const response = await visitor.post(`/pay/${token}/passkey/start`, fields);
    expect([response.status, JSON.parse(response.body)]).toEqual([200, server.api.passkeyOptions]);
    expect(server.api.last("/passkey/start")?.body).toEqual(fields);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  it("pays with the passkey signature instead of the PIN", async () => {
    const fields = { wallet_id: eurWallet.wallet_id, passkey: JSON.stringify(signature) };
    const response = await visitor.step(token, "pay", fields);
    expect(response.status).toBe(303);
    expect(server.api.last("/pay")?.body).toMatchObject({ passkey: signature });
    expect(await page()).toContain('data-status="PAID"');
  });

  it("sees that the passkey was rejected, and is asked for the PIN if nothing was signed", async () => {
    visitor.cookies.set("tillgate_pay_script", "1");
    for (const passkey of ["no JSON", '{"id":1}']) {
      await visitor.step(token, "pay", { passkey });
      expect(noticeOf(await page())).toBe("passkey_refused");
    }
    expect(server.api.last("/pay")).toBeUndefined();
    server.api.refusal = { status: 401, reason: "passkey_refused" };
    await visitor.step(token, "pay", { passkey: JSON.stringify(signature) });
    server.api.refusal = null;
    const rejected = await page();
    expect(noticeOf(rejected)).toBe("passkey_refused");
    expect(rejected).toContain('data-testid="pay-by-passkey"');
    // Submitted without scripts, so nothing is signed.
    await visitor.step(token, "pay", { passkey: "" });
    const needed = await page();
    expect(noticeOf(needed)).toBe("pin_needed");
    expect(needed).toMatch(/<details class="or" open/);
  });
});

describe("passkey challenge", () => {
  it.each(["passkey", "passkeys"])("is returned only to a form of the payment page: %s", async (path) => {
    const address = `/pay/${token}/${path}/start`;
    const fields = { form_token: formTokenOf(await page()) };
    server.api.seen.length = 0;
    expect((await visitor.get(address)).status).toBe(405);
    expect((await visitor.post(address, fields, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await visitor.post(address, fields, { Origin: null })).status).toBe(403);
    expect((await server.visitor().post(address, fields)).status).toBe(403);
    expect((await visitor.post(address, { filling: "x".repeat(20_000) })).status).toBe(413);
    expect(server.api.seen).toEqual([]);
    expect((await visitor.post(address, { form_token: "forged" })).status).toBe(409);
    expect((await visitor.post(address, fields)).status).toBe(200);
    expect((await visitor.post(`/pay/no.such/${path}/start`, fields)).status).toBe(404);
  });
});

describe("receipt of a payment confirmed by PIN", () => {
  beforeEach(() => {
    shopper.pin_needed = false;
    shopper.passkey_offered = true;
  });

  it("offers to add a passkey if scripts run and the order is paid", async () => {
    expect(await page()).not.toContain("pay-add-passkey");
    paid();
    const body = await page();
    expect(body).toMatch(/<section class="[^"]*with-script"[^>]*data-stops-return=""/);
    expect(textById(body, "pay-add-passkey")).toBe("Add a passkey");
    shopper.passkey_offered = false;
    expect(await page()).not.toContain("pay-add-passkey");
  });

  it("reports whether the passkey was added", async () => {
    paid();
    const attestation = { clientDataJSON: "e30", attestationObject: "AA", transports: ["internal"] };
    const credential = JSON.stringify({ ...signature, response: attestation });
    for (const [code, sent, refusal] of [
      ["passkey_not_added", "", null],
      ["passkey_not_added", credential, { status: 401, reason: "pin_needed" }],
      ["passkey_not_added", credential, { status: 401, reason: "passkey_refused" }],
      ["too_many_passkeys", credential, { status: 409, reason: "too_many_passkeys" }],
      ["passkey_added", credential, null],
    ] as const) {
      server.api.refusal = refusal;
      await visitor.step(token, "add-passkey", { credential: sent });
      server.api.refusal = null;
      expect(noticeOf(await page())).toBe(code);
    }
    expect(server.api.last("/passkeys")?.body).toMatchObject({ credential: { response: attestation } });
    expect(await page()).not.toContain("pay-add-passkey");
  });
});

it("a view with a passkey form references the passkey script, and its two scripts total less than 10 KB gzipped", async () => {
  const body = await page();
  const [, first = ""] = /<script src="([^"]+)"/.exec(body) ?? [];
  const [, second = ""] = /data-script="([^"]+)"/.exec(body) ?? [];
  expect(second).toMatch(/^\/assets\/passkey\.js\?v=[0-9a-f]{12}$/);
  const scripts = await Promise.all([first, second].map((address) => server.request(address)));
  const weights = scripts.map((script) => gzipSync(script.body).length);
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThan(MAX_SCRIPTS);
});
