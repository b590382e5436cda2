import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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
import { formTokenOf, noticeOf, type PageServer, PageServer as Server, textById } from "../page-server";

let server: PageServer;
let token = "";
let orders = 0;
beforeAll(async () => {
  server = await Server.start();
  server.api.sessions.set(SESSION, shopperWith([eurWallet, usdWallet]));
});
afterAll(() => server.stop());
beforeEach(() => {
  orders += 1;
  token = `step${orders}`;
  server.api.orders.set(token, payableView(token));
  server.api.refusal = null;
  server.api.seen.length = 0;
});

describe("a step of the checkout", () => {
  it("pays from a wallet: sign in, confirm, receipt; each step a 303 to the page's own address", async () => {
    const visitor = server.visitor();
    const signedIn = await visitor.step(token, "sign-in", {
      identifier: " +49 170 1234567 ",
      pin: "275 183",
    });
    expect(signedIn.status).toBe(303);
    expect(signedIn.headers.get("location")).toBe(`/pay/${token}`);
    expect(signedIn.headers.get("cache-control")).toBe("no-store");
    // Not asked to stay signed in: the session's cookie ends with the browser.
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

  it("signs the sandbox's open shopper in without a PIN, where the api offers it", async () => {
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

  it("pays from a wallet in another currency: rate, confirm, receipt; the wallet that was chosen stays chosen", async () => {
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

  it("asks for the PIN where it was entered too long ago, and never asks the api with half of one", async () => {
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

  it("stays signed in on this device where the shopper ticks it", async () => {
    const signedIn = await server
      .visitor()
      .step(token, "sign-in", { identifier: "anna@example.com", pin: PIN, stay: "on" });
    expect(server.api.last("/sign-in")?.body).toMatchObject({ stay_signed_in: true });
    expect(signedIn.headers.getSetCookie()).toContain(
      `tillgate_pay_session=${SESSION}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600`,
    );
  });

  it("shows the api the device on which somebody has signed in, also after signing out", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    expect(server.api.last("/sign-in")?.headers["x-tillgate-device"]).toBe(DEVICE);
  });

  it("says after signing in that wrong PINs came before", async () => {
    const visitor = server.visitor();
    server.api.wrongPinsBefore = true;
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    server.api.wrongPinsBefore = false;
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("wrong_pins_before");
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
  });

  it("keeps a session that the api renews", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.renewed = { session: "session-of-anna-renewed", max_age_seconds: 604_800 };
    const answer = await visitor.step(token, "pay");
    server.api.renewed = null;
    expect(answer.headers.getSetCookie()).toEqual([
      "tillgate_pay_session=session-of-anna-renewed; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800",
    ]);
  });

  it.each(["XX; Path=/", "https://evil.example", "eur", "A"])(
    "leads back to nothing that a form names: %s",
    async (wallet) => {
      const visitor = server.visitor({ tillgate_pay_session: SESSION });
      const answer = await visitor.step(token, "pay", { wallet });
      expect(answer.headers.get("location")).toBe(`/pay/${token}`);
    },
  );

  it("approves and declines by the test buttons; a refusal leaves the order payable and is shown once", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "sandbox-decline");
    const declined = (await visitor.get(`/pay/${token}`)).body;
    expect(noticeOf(declined)).toBe("declined");
    expect(declined).toContain('data-status="PENDING"');
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBeUndefined();
    await visitor.step(token, "sandbox-approve");
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="PAID"');
  });

  it("cancels", async () => {
    const visitor = server.visitor();
    await visitor.step(token, "cancel");
    expect((await visitor.get(`/pay/${token}`)).body).toContain('data-status="CANCELLED"');
  });

  it("signs out in this browser whatever the api says", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
    visitor.cookies.set("tillgate_pay_session", SESSION);
    server.api.refusal = { status: 403, reason: "form_rejected" };
    await visitor.step(token, "sign-out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
  });
});

describe("a refused step", () => {
  it("keeps what was typed after a wrong sign-in, but never the PIN", async () => {
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
  ])("for fields that cannot be a sign-in (%o) never reaches the api", async (typed) => {
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
  ] as const)("'%s' with the reason %s leads back to the page and says so", async (step, reason, status) => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status, reason };
    const answer = await visitor.step(token, step, { wallet_id: eurWallet.wallet_id });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/pay/${token}`]);
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe(reason);
  });

  it("takes the focus without scripts: the notice, or the field that it is about", async () => {
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

  it("says what is missing, as the api says it", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status: 422, reason: "insufficient_balance", missing: "29.50 EUR" };
    await visitor.step(token, "pay");
    expect(textById((await visitor.get(`/pay/${token}`)).body, "pay-notice")).toContain(
      "You’re €29.50 short.",
    );
  });

  it("says how long signing in and paying are paused, and keeps the session", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    server.api.refusal = { status: 429, reason: "locked", retryAfter: 4 * 3600 };
    await visitor.step(token, "pay");
    expect(textById((await visitor.get(`/pay/${token}`)).body, "pay-notice")).toContain("in 4 hours");
    expect(visitor.cookies.get("tillgate_pay_session")).toBe(SESSION);
  });

  it("says how long to wait after too many attempts", async () => {
    const visitor = server.visitor();
    server.api.refusal = { status: 429, reason: "too_many_attempts", retryAfter: 240 };
    await visitor.step(token, "sign-in", { identifier: "anna@example.com", pin: PIN });
    const { body } = await visitor.get(`/pay/${token}`);
    expect(textById(body, "pay-notice")).toContain("in 4 minutes");
    expect(body).toContain('value="anna@example.com"');
  });

  it("drops a session that the api no longer knows", async () => {
    const visitor = server.visitor({ tillgate_pay_session: SESSION });
    const { body } = await visitor.get(`/pay/${token}`);
    server.api.refusal = { status: 401, reason: "not_signed_in" };
    await visitor.post(`/pay/${token}/pay`, { form_token: formTokenOf(body) });
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
  });
});

describe("a form from another time or place", () => {
  it("of a tab that is out of date shows the order as it is, and moves nothing", async () => {
    const visitor = server.visitor();
    const { body } = await visitor.get(`/pay/${token}`);
    await visitor.step(token, "sandbox-approve");
    const again = await visitor.post(`/pay/${token}/sandbox-approve`, { form_token: formTokenOf(body) });
    expect(again.status).toBe(303);
    const after = (await visitor.get(`/pay/${token}`)).body;
    expect(after).toContain('data-status="PAID"');
    expect(noticeOf(after)).toBe("already_paid");
  });

  it("of another visitor is rejected by the api, because the visitor's id goes with it", async () => {
    const stolen = formTokenOf((await server.visitor().get(`/pay/${token}`)).body);
    const visitor = server.visitor();
    await visitor.get(`/pay/${token}`);
    await visitor.post(`/pay/${token}/cancel`, { form_token: stolen });
    const { body } = await visitor.get(`/pay/${token}`);
    expect(noticeOf(body)).toBe("form_rejected");
    expect(body).toContain('data-status="PENDING"');
  });

  it("without a form token is rejected before the api is asked", async () => {
    const visitor = server.visitor();
    await visitor.get(`/pay/${token}`);
    await visitor.post(`/pay/${token}/cancel`, {});
    expect(server.api.last("/cancel")).toBeUndefined();
    expect(noticeOf((await visitor.get(`/pay/${token}`)).body)).toBe("form_rejected");
  });

  it("of a browser that keeps no cookies does nothing and says why", async () => {
    const { body } = await server.visitor().get(`/pay/${token}`);
    const without = server.visitor();
    const answer = await without.post(`/pay/${token}/cancel`, { form_token: formTokenOf(body) });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/pay/${token}?cookies=needed`]);
    expect(server.api.last("/cancel")).toBeUndefined();
    const page = await server.request(`/pay/${token}?cookies=needed`);
    expect(noticeOf(page.body)).toBe("cookies_needed");
  });

  it("carries its notice to its own order only", async () => {
    const visitor = server.visitor();
    const answer = await visitor.step(token, "sandbox-decline");
    expect(answer.headers.getSetCookie().join()).toContain(`Path=/pay/${token};`);
  });
});

describe("opening the page", () => {
  it("changes nothing at the api, however often and by whatever method that reads", async () => {
    const visitor = server.visitor();
    for (let count = 0; count < 3; count += 1) await visitor.get(`/pay/${token}`);
    await server.request(`/pay/${token}`, { method: "HEAD" });
    expect(server.api.seen.map(({ method }) => method)).toEqual(Array(4).fill("GET"));
  });

  it("gives a new visitor 256 random bits once, and passes them with address and key", async () => {
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

  it("keeps the proof that this order was seen pending for its own address, and shows it there only", async () => {
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
    // A visitor of a settled order gets none.
    const late = server.visitor();
    await late.get(`/pay/${token}`);
    expect(late.cookies.has("tillgate_pay_witness")).toBe(false);
  });

  it("replaces a visitor cookie that is not ours instead of passing it on", async () => {
    const visitor = server.visitor({ tillgate_pay_visitor: "fixed-by-somebody" });
    await visitor.get(`/pay/${token}`);
    expect(visitor.cookies.get("tillgate_pay_visitor")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(server.api.last(token)?.headers["x-tillgate-visitor"]).not.toBe("fixed-by-somebody");
  });
});
