import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  DEVICE,
  eurWallet,
  PIN,
  payableView,
  SESSION,
  shopperWith,
  usdQuote,
  usdWallet,
  witnessOf,
} from "../fake-api";
import { formTokenOf, noticeOf, PageServer, textById } from "../page-server";

const server = await PageServer.shared();
let token = "";
let orders = 0;
beforeAll(() => {
  server.api.sessions.set(SESSION, shopperWith([eurWallet, usdWallet]));
});
beforeEach(() => {
  orders += 1;
  token = `step${orders}`;
  server.api.orders.set(token, payableView(token));
  server.api.refusal = null;
  server.api.seen.length = 0;
});

describe("checkout steps", () => {
  it("sign in and pay from a wallet, each redirecting with 303 to the order's page, which then shows the receipt", async () => {
    const visitor = server.visitor();
    const signedIn = await visitor.step(token, "sign-in", {
      identifier: " +49 170 1234567 ",
      pin: "275 183",
    });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get("location")).toBe(`/pay/${token}`);
    expect(signedIn.headers.get("cache-control")).toBe("no-store");
    // Without "stay signed in" the cookie ends with the browser session.
    expect(signedIn.headers.getSetCookie()).toEqual([
      `tillgate_pay_session=${SESSION}; Path=/; HttpOnly; SameSite=Lax`,
      `tillgate_pay_device=${DEVICE}; Path=/; HttpOnly; SameSite=Lax; Max-Age=15552000`,
    ]);
    expect(server.api.last("/sign-in")?.body).toMatchObject({
      identifier: "+49 170 1234567",
      pin: PIN,
      stay_signed_in: false,
    });

    const paid = await visitor.step(token, "pay");
    expect([paid.status, paid.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    expect(server.api.last("/pay")?.headers["x-tillgate-wallet-session"]).toBe(SESSION);
    const { body } = await visitor.get(`/pay/${token}`);
    expect(body).toContain('data-status="PAID"');
    expect(textById(body, "pay-receipt-trx")).toMatch(/^TRX-\d{12}$/);
    expect(noticeOf(body)).toBeUndefined();
  });

  it("sign in the sandbox's test shopper without a PIN if the API offers this shopper", async () => {
    const visitor = server.visitor();
    expect((await visitor.get(`/pay/${token}`)).body).not.toContain("pay-open-sign-in");
    server.api.orders.set(token, { ...payableView(token), open_shopper: "Anna Berg" });
    expect(textById((await visitor.get(`/pay/${token}`)).body, "pay-open-sign-in")).toBe(
      "Sign in as Anna Berg",
    );
    const signedIn = await visitor.step(token, "sandbox-sign-in");
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    const { body } = await visitor.get(`/pay/${token}`);
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
    expect(body).not.toContain("pay-open-sign-in");
  });

  it("quote and pay from a wallet in another currency, and keep the wallet selected after a rejected payment", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    const wallet = { wallet_id: usdWallet.wallet_id, wallet: "USD" };
    const quoted = await visitor.step(token, "quote", wallet);
    expect([quoted.status, quoted.headers.get("location")]).toEqual([303, `/pay/${token}?wallet=USD`]);
    expect(server.api.last("/quotes")?.body.wallet_id).toBe(usdWallet.wallet_id);
    const { body } = await visitor.get(`/pay/${token}?wallet=USD`);
    expect(textById(body, "pay-confirm")).toBe("Pay US$45.46");

    server.api.refusal = { status: 422, reason: "quote_expired" };
    const fields = { form_token: formTokenOf(body), quote_id: usdQuote().quote_id, wallet: "USD" };
    const late = await visitor.post(`/pay/${token}/pay`, fields);
    expect(late.headers.get("location")).toBe(`/pay/${token}?wallet=USD`);
    expect(noticeOf((await visitor.get(`/pay/${token}?wallet=USD`)).body)).toBe("quote_expired");
    server.api.refusal = null;
    await visitor.post(`/pay/${token}/pay`, fields);
    expect(server.api.last("/pay")?.body).toMatchObject({ quote_id: usdQuote().quote_id });
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="PAID"');
  });

  it("ask for the PIN if it was not entered recently, and do not send an incomplete PIN to the API", async () => {
    server.api.sessions.set("old", shopperWith([eurWallet], { pin_needed: true }));
    const visitor = server.visitor({ tillgate_pay_session: "old" });
    await visitor.step(token, "pay", { pin: "" });
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBe("pin_needed");
    await visitor.step(token, "pay", { pin: "111222" });
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("wrong_pin");
    expect(body).toMatch(/id="pin"[^>]*aria-invalid="true" aria-describedby="notice"/);
    const before = server.api.seen.filter(({ path }) => path.endsWith("/pay")).length;
    await visitor.step(token, "pay", { pin: "1112" });
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBe("invalid_pin");
    expect(server.api.seen.filter(({ path }) => path.endsWith("/pay"))).toHaveLength(before);
    await visitor.step(token, "pay", { pin: ` ${PIN.slice(0, 3)} ${PIN.slice(3)} ` });
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="PAID"');
  });

  it("keep the shopper signed in on this device when requested", async () => {
    const signedIn = await server
      .visitor()
      .step(token, "sign-in", { identifier: "anna@example.com", pin: PIN, stay: "on" });
    expect(server.api.last("/sign-in")?.body).toMatchObject({ stay_signed_in: true });
    expect(signedIn.headers.getSetCookie()).toContain(
      `tillgate_pay_session=${SESSION}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600`,
    );
  });

  it("send the device token to the API at the next sign-in, even after a sign-out", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    expect(server.api.last("/sign-in")?.headers["x-tillgate-device"]).toBe(DEVICE);
  });

  it("warn after sign-in about earlier wrong PINs", async () => {
    const visitor = server.visitor();
    server.api.wrongPinsBefore = true;
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    server.api.wrongPinsBefore = false;
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("wrong_pins_before");
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
  });

  it("store a session renewed by the API", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.renewed = { session: "session-of-anna-renewed", max_age_seconds: 604_800 };
    const response = await visitor.step(token, "pay");
    server.api.renewed = null;
    expect(response.headers.getSetCookie()).toEqual([
      "tillgate_pay_session=session-of-anna-renewed; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800",
    ]);
  });

  it.each(["XX; Path=/", "https://evil.example", "eur", "A"])(
    "never put an invalid wallet from a form into the redirect URL: %s",
    async (wallet) => {
      const visitor = server.visitor({ tillgate_pay_session: SESSION });
      const response = await visitor.step(token, "pay", { wallet });
      expect(response.headers.get("location")).toBe(`/pay/${token}`);
    },
  );

  it("decline an order and then approve it with the test buttons, and show the decline only once", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "sandbox-decline");
    const declined = (await visitor.get(`/pay/${token}`)).body;
    expect(noticeOf(declined)).toBe("declined");
    expect(declined).toContain('data-status="PENDING"');
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBeUndefined();
    await visitor.step(token, "sandbox-approve");
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="PAID"');
  });

  it("cancel the order", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "cancel");
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="CANCELLED"');
  });

  it("sign out in this browser even if the API rejects the request", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
    visitor.cookies.set("tillgate_pay_session", SESSION);
    server.api.refusal = { status: 403, reason: "form_rejected" };
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
  });

  it("scope the notice cookie to the order's path", async () => {
    const visitor = server.visitor();
    const response = await visitor.step(token, "sandbox-decline");
    expect(response.headers.getSetCookie().join()).toContain(`Path=/pay/${token};`);
  });
});

describe("a rejected step", () => {
  it("keeps the identifier of a sign-in, but not the PIN", async () => {
    const visitor = server.visitor();
    const wrong = await visitor.step(token, "sign-in", { identifier: "änna@example.com", pin: "111222" });
    expect(wrong.status).toBe(303);
    const cookie = visitor.cookies.get("tillgate_pay_notice") ?? "";
    expect(Buffer.from(cookie, "base64url").toString()).not.toContain("111222");
    expect(wrong.headers.getSetCookie().join()).toMatch(
      new RegExp(`Path=/pay/${token}; HttpOnly; SameSite=Lax; Max-Age=60`),
    );
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("wrong_sign_in");
    expect(body).toContain('value="änna@example.com"');
    expect(body).toMatch(/id="pin"[^>]*aria-invalid="true" aria-describedby="notice"/);
    expect(body).not.toContain("111222");
  });

  it.each([
    { identifier: "", pin: PIN },
    { identifier: "anna@example.com", pin: "12345" },
    { identifier: "anna@example.com", pin: "abcdef" },
    { identifier: "a".repeat(255), pin: PIN },
    { identifier: "anna@example.com" },
  ])("never reaches the API if the sign-in fields are invalid (%o)", async (typed) => {
    const visitor = server.visitor();
    await visitor.step(token, "sign-in", typed as Record<string, string>);
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBe("invalid_field");
    expect(server.api.last("/sign-in")).toBeUndefined();
  });

  it.each([
    ["pay", "insufficient_balance", 422],
    ["pay", "wrong_pin", 401],
    ["pay", "pin_needed", 401],
    ["pay", "no_wallet", 422],
    ["pay", "wallet_closed", 422],
    ["pay", "quote_expired", 422],
    ["quote", "no_rate", 422],
    ["pay", "expired", 422],
    ["pay", "cancelled", 422],
    ["pay", "already_paid", 422],
    ["pay", "not_payable_now", 422],
    ["cancel", "already_paid", 422],
    ["sandbox-approve", "sandbox_only", 403],
    ["pay", "form_rejected", 403],
  ] as const)("redirects back and shows the reason: '%s' with %s", async (step, reason, status) => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status, reason };
    const response = await visitor.step(token, step, { wallet_id: eurWallet.wallet_id });
    expect([response.status, response.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe(reason);
  });

  it("focuses the notice, or the field to correct, even without scripts", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status: 422, reason: "wallet_closed" };
    await visitor.step(token, "pay");
    expect((await visitor.get(`/pay/${token}`)).body).toMatch(/id="notice" tabindex="-1" autofocus=""/i);
    const stranger = server.visitor();
    server.api.refusal = { status: 401, reason: "wrong_sign_in" };
    await stranger.step(token, "sign-in", { identifier: "anna@example.com", pin: "111222" });
    const { body } = await stranger.get(`/pay/${token}`);
    expect(body.match(/autofocus=""/gi)).toHaveLength(1);
    expect(body).toMatch(/<input id="pin"[^>]*autofocus=""/i);
  });

  it("shows the missing amount that the API reports", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status: 422, reason: "insufficient_balance", missing: "29.50 EUR" };
    await visitor.step(token, "pay");
    expect(textById((await visitor.get(`/pay/${token}`)).body, "pay-notice")).toContain(
      "You’re €29.50 short.",
    );
  });

  it("shows how long a lockout lasts, and keeps the session", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status: 429, reason: "locked", retryAfter: 4 * 3600 };
    await visitor.step(token, "pay");
    expect(textById((await visitor.get(`/pay/${token}`)).body, "pay-notice")).toContain("in 4 hours");
    expect(visitor.cookies.get("tillgate_pay_session")).toBe(SESSION);
  });

  it("shows how long to wait after too many attempts", async () => {
    const visitor = server.visitor();
    server.api.refusal = { status: 429, reason: "too_many_attempts", retryAfter: 240 };
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    const { body } = await visitor.get(`/pay/${token}`);
    expect(textById(body, "pay-notice")).toContain("in 4 minutes");
    expect(body).toContain('value="anna@example.com"');
  });

  it("clears the cookie of a session that the API no longer knows", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    const { body } = await visitor.get(`/pay/${token}`);
    server.api.refusal = { status: 401, reason: "not_signed_in" };
    await visitor.post(`/pay/${token}/pay`, { form_token: formTokenOf(body) });
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
  });
});

describe("a stale or invalid form", () => {
  it("is rejected if the order was paid in the meantime, and the page shows the paid order", async () => {
    const visitor = server.visitor();
    const { body } = await visitor.get(`/pay/${token}`);
    await visitor.step(token, "sandbox-approve");
    const repeated = await visitor.post(`/pay/${token}/sandbox-approve`, { form_token: formTokenOf(body) });
    expect(repeated.status).toBe(303);
    const after = (await visitor.get(`/pay/${token}`)).body;
    expect(after).toContain('data-status="PAID"');
    expect(noticeOf(after)).toBe("already_paid");
  });

  it("is rejected by the API if its token was issued to another visitor", async () => {
    const stolen = formTokenOf((await server.visitor().get(`/pay/${token}`)).body);
    const visitor = server.visitor();
    await visitor.get(`/pay/${token}`);
    await visitor.post(`/pay/${token}/cancel`, { form_token: stolen });
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("form_rejected");
    expect(body).toContain('data-status="PENDING"');
  });

  it("is rejected before the API is called if it has no form token", async () => {
    const visitor = server.visitor();
    await visitor.get(`/pay/${token}`);
    await visitor.post(`/pay/${token}/cancel`, {});
    expect(server.api.last("/cancel")).toBeUndefined();
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBe("form_rejected");
  });

  it("changes nothing if the browser stores no cookies, and the page explains why", async () => {
    const { body } = await server.visitor().get(`/pay/${token}`);
    const without = server.visitor();
    const response = await without.post(`/pay/${token}/cancel`, { form_token: formTokenOf(body) });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      `/pay/${token}?cookies=needed`,
    ]);
    expect(server.api.last("/cancel")).toBeUndefined();
    const page = await server.request(`/pay/${token}?cookies=needed`);
    expect(noticeOf(page.body)).toBe("cookies_needed");
  });
});

describe("GET /pay/{token}", () => {
  it("sends only GET requests to the API, even if the page is requested repeatedly or with HEAD", async () => {
    const visitor = server.visitor();
    for (let count = 0; count < 3; count += 1) await visitor.get(`/pay/${token}`);
    await server.request(`/pay/${token}`, { method: "HEAD" });
    expect(server.api.seen.map(({ method }) => method)).toEqual(Array(4).fill("GET"));
  });

  it("gives a new visitor a 256-bit ID once, and sends it to the API with the client address", async () => {
    const visitor = server.visitor();
    const first = await visitor.get(`/pay/${token}`);
    const line = first.headers.getSetCookie().join("\n");
    expect(line).toMatch(/^tillgate_pay_visitor=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/m);
    const second = await visitor.get(`/pay/${token}`);
    expect(second.headers.getSetCookie()).toEqual([]);
    const headers = server.api.last(token)?.headers;
    expect(headers?.["x-tillgate-visitor"]).toBe(visitor.cookies.get("tillgate_pay_visitor"));
    expect(headers?.["x-tillgate-client-address"]).toBe("127.0.0.1");
  });

  it("stores proof that the browser saw the pending order, in a cookie on the order's path, and sends the proof to the API", async () => {
    const visitor = server.visitor();
    const first = await visitor.get(`/pay/${token}`);
    const proof = witnessOf(visitor.cookies.get("tillgate_pay_visitor") ?? "", token);
    expect(first.headers.getSetCookie()).toContain(
      `tillgate_pay_witness=${proof}; Path=/pay/${token}; HttpOnly; SameSite=Lax; Max-Age=3898`,
    );
    expect(server.api.last(token)?.headers["x-tillgate-witness"]).toBeUndefined();
    server.api.pay(token);
    await visitor.get(`/pay/${token}`);
    expect(server.api.last(token)?.headers["x-tillgate-witness"]).toBe(proof);
    // A visitor who first opens the settled order gets no proof.
    const late = server.visitor();
    await late.get(`/pay/${token}`);
    expect(late.cookies.has("tillgate_pay_witness")).toBe(false);
  });

  it("replaces a malformed visitor cookie instead of forwarding it", async () => {
    const visitor = server.visitor({ tillgate_pay_visitor: "fixed-by-somebody" });
    await visitor.get(`/pay/${token}`);
    expect(visitor.cookies.get("tillgate_pay_visitor")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(server.api.last(token)?.headers["x-tillgate-visitor"]).not.toBe("fixed-by-somebody");
  });
});
