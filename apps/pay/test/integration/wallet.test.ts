import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { languageSchema } from "../../src/texts/languages";
import { CATALOGUES } from "../../src/texts/localization";
import {
  DEVICE,
  eurWallet,
  heldConversion,
  PIN,
  payableView,
  SESSION,
  shopperWith,
  walletOf,
  walletReceipt,
  walletSignIns,
} from "../fake-api";
import { formTokenOf, noticeOf, PageServer, textById, textOf, type Visitor } from "../page-server";

/** Maximum gzipped bytes of all scripts, and of all styles. */
const MAX_SCRIPT = 10 * 1024;
const MAX_STYLE = 10 * 1024;

const server = await PageServer.shared();
beforeAll(async () => {
  // The first page of a cold server is slow.
  await server.request("/wallet/sign-in");
});

const receipt = walletReceipt();
const conversion = heldConversion();
beforeEach(() => {
  const { api } = server;
  api.refusal = null;
  api.renewed = null;
  api.wallet = walletOf();
  const { payment, refund, payout, ...movement } = receipt;
  api.walletPages.set("/activity", { activity: [movement], next: null, previous: null });
  api.walletPages.set("/activity?currency=USD", { activity: [movement], next: movement.id, previous: null });
  api.walletPages.set(`/activity/${receipt.id}`, receipt);
  api.walletPages.set("/sign-ins", walletSignIns);
  api.walletPages.set("/currencies", {
    currencies: ["EUR", "USD", "XAF"].map((currency) => ({ currency, name: currency })),
  });
  api.walletPages.set(`/conversions/${conversion.id}`, conversion);
  api.orders.set("order", payableView("order"));
  api.orders.set("live", payableView("live", { mode: "live" }));
});

const signedIn = (): Visitor => server.visitor({ tillgate_pay_session: SESSION });
/** Opens a page and submits its form. */
async function send(visitor: Visitor, path: string, fields: Record<string, string>) {
  const { body } = await visitor.get(path);
  return visitor.post(path, { form_token: formTokenOf(body), ...fields });
}
const OWN_MONEY = ["/wallet/top-up", "/wallet/convert", `/wallet/convert?id=${conversion.id}`];
const PAGES = ["/wallet", "/wallet/activity", `/wallet/activity/${receipt.id}`, "/wallet/security"];

describe("wallet sign-in", () => {
  it.each(PAGES)("is required at %s, and redirects back to that page", async (path) => {
    const visitor = server.visitor();
    const { status, headers } = await visitor.get(path);
    const to = headers.get("location") ?? "";
    expect([status, to]).toEqual([303, `/wallet/sign-in?next=${encodeURIComponent(path)}`]);
    const sent = await send(visitor, to, { identifier: "anna@example.com", pin: PIN, stay: "on" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, path]);
    expect(server.api.last("/wallet/sign-in")?.body).toMatchObject({ mode: "sandbox", stay_signed_in: true });
    expect([...visitor.cookies.values()]).toEqual(expect.arrayContaining([SESSION, DEVICE]));
    expect((await visitor.get(path)).status).toBe(200);
  });

  it.each(["https://evil.example/", "//evil.example", "/\\evil", "/nothing", `/wallet/${"a".repeat(400)}`])(
    "never redirects to %s",
    async (next) => {
      const visitor = server.visitor();
      const path = `/wallet/sign-in?next=${encodeURIComponent(next)}`;
      const sent = await send(visitor, path, { identifier: "anna@example.com", pin: PIN });
      expect(sent.headers.get("location")).toBe("/wallet");
    },
  );

  it("keeps the input except the PIN after a wrong PIN, and shows how long sign-in is locked", async () => {
    const visitor = server.visitor();
    const fields = { identifier: "anna@example.com", pin: "918273" };
    const wrong = await send(visitor, "/wallet/sign-in", fields);
    expect([wrong.status, noticeOf(wrong.body)]).toEqual([422, "wrong_sign_in"]);
    expect(wrong.body).toContain('value="anna@example.com"');
    expect(wrong.body).not.toContain("918273");
    server.api.refusal = { status: 429, reason: "locked", retryAfter: 60 };
    const locked = await send(visitor, "/wallet/sign-in", fields);
    expect([locked.status, noticeOf(locked.body)]).toEqual([429, "locked"]);
    expect(textOf(locked.body)).toContain("60 seconds");
  });

  it("uses the mode in the URL and offers the other mode", async () => {
    const { body } = await server.visitor().get("/wallet/sign-in?mode=live");
    expect(body).not.toContain("pay-test-mode");
    expect(body).toContain('href="/wallet/sign-in?mode=sandbox&amp;next=%2Fwallet"');
    await send(server.visitor(), "/wallet/sign-in?mode=live", { identifier: "a", pin: PIN });
    expect(server.api.last("/wallet/sign-in")?.body).toMatchObject({ mode: "live" });
    expect((await server.visitor().get("/wallet/sign-in")).body).toContain("pay-test-mode");
  });

  it("is required again when the session has expired, and the session cookie is cleared", async () => {
    const visitor = server.visitor({ tillgate_pay_session: "over" });
    expect((await visitor.get("/wallet")).status).toBe(303);
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
  });

  it("is ended by the sign-out form", async () => {
    const visitor = signedIn();
    await visitor.get("/wallet");
    const { headers } = await send(visitor, "/wallet", {});
    expect(headers.get("location")).toBe("/wallet/sign-in?done=signed_out");
    expect(visitor.cookies.has("tillgate_pay_session")).toBe(false);
    expect(textById((await visitor.get("/wallet/sign-in?done=signed_out")).body, "wallet-done")).toBe(
      "You’re signed out.",
    );
  });
});

describe("wallet pages of a signed-in shopper", () => {
  it("show balances and the latest activity in local formats", async () => {
    const { body } = await signedIn().get("/wallet");
    expect(textById(body, "wallet-shopper")).toBe("Signed in as Anna Berg");
    expect(textById(body, "wallet-balance-EUR")).toBe("EUR wallet €182.30");
    expect(textById(body, "wallet-activity")).toContain("Payment to Kiosk Nord");
    expect(textById(body, "wallet-activity")).toContain("−US$45.46");
  });

  it("have empty states for no activity and no wallets", async () => {
    server.api.wallet = walletOf({ wallets: [] });
    server.api.walletPages.set("/activity", { activity: [], next: null, previous: null });
    const { body } = await signedIn().get("/wallet");
    expect(textById(body, "wallet-no-balance")).not.toBeNull();
    expect(textById(body, "wallet-no-activity")).not.toBeNull();
  });

  it("list one wallet's activity with a link to older entries", async () => {
    const { body } = await signedIn().get("/wallet/activity?currency=USD");
    expect(body).toContain(`href="/wallet/activity?currency=USD&amp;before=${receipt.id}"`);
    expect(body).not.toContain("wallet-newer");
  });

  it("show a receipt with rate and refunds", async () => {
    const { body } = await signedIn().get(`/wallet/activity/${receipt.id}`);
    expect(textById(body, "wallet-receipt-amount")).toBe("−US$45.46");
    const text = textOf(body);
    for (const output of ["TRX-204817736512", "1042", "€1 = US$1.0952", "Two coffees"])
      expect(text).toContain(output);
    expect(text).toMatch(/US\$10\.95 \( ?€10\.00 ?\) refunded on/);
    expect(text).toContain("€5.00 refund in progress since");
  });

  it.each(["/wallet/activity/none", "/wallet/activity?before=none", "/wallet/nothing"])(
    "return 404 for an unknown URL: %s",
    async (path) => {
      expect((await signedIn().get(path)).status).toBe(404);
    },
  );

  it("warn about wrong PINs entered elsewhere", async () => {
    const { shopper } = walletOf();
    server.api.wallet = walletOf({ shopper: shopper && { ...shopper, wrong_pins_elsewhere: true } });
    expect((await signedIn().get("/wallet")).body).toContain("wallet-wrong-pins-elsewhere");
  });

  it("offer to try again when the API is unreachable", async () => {
    server.api.silent = true;
    const { status, headers, body } = await signedIn().get("/wallet/security");
    server.api.silent = false;
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect(body).toContain('href="/wallet/security"');
  });
});

/** Returns each field with an error, the ID of its description, and whether the field is focused. */
const faultsOf = (body: string): string[] =>
  [...body.matchAll(/<(?:input|select)[^>]* aria-invalid="true"[^>]*>/g)].map(([field]) => {
    const part = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(field)?.[1] ?? "";
    const by = part("aria-describedby");
    expect(body).toMatch(new RegExp(` id="${by}"[^>]*>[^<]`));
    return `${part("name")} by ${by}${field.includes(" autofocus=") ? ", focused" : ""}`;
  });

describe("wallet security page", () => {
  const { sessions, devices, passkeys } = walletSignIns;
  const ids = [sessions[1]?.id, devices[0]?.id, passkeys[0]?.id].map(String);

  it.each([
    ["end-session", { id: ids[0] }, `/sessions/${ids[0]}/end`, "/wallet/security?done=session_ended"],
    ["forget-device", { id: ids[1] }, `/devices/${ids[1]}/forget`, "/wallet/security?done=device_forgotten"],
    ["revoke-passkey", { id: ids[2] }, `/passkeys/${ids[2]}/revoke`, "/wallet/security?done=passkey_removed"],
    ["sign-out-everywhere", {}, "/sign-out-everywhere", "/wallet/sign-in?done=signed_out_everywhere"],
  ])("sends the action to the API and redirects: %s", async (step, fields, path, to) => {
    const visitor = signedIn();
    await visitor.get("/wallet");
    const { headers } = await send(visitor, "/wallet/security", { step, ...fields } as Record<
      string,
      string
    >);
    expect(headers.get("location")).toBe(to);
    expect(server.api.last(path)?.method).toBe("POST");
  });

  it("lists passkeys, and explains how to add one when there is none", async () => {
    expect((await signedIn().get("/wallet/security")).body).toContain('data-testid="wallet-passkey"');
    server.api.walletPages.set("/sign-ins", { ...walletSignIns, passkeys: [] });
    const { body } = await signedIn().get("/wallet/security");
    server.api.walletPages.set("/sign-ins", walletSignIns);
    expect(body).not.toContain('data-testid="wallet-passkey"');
    expect(body).toContain("After you pay with your PIN, you can add one from the receipt.");
  });

  it("changes the PIN, entered twice, and stores the renewed session", async () => {
    const visitor = signedIn();
    await visitor.get("/wallet");
    server.api.renewed = { session: "another-session", max_age_seconds: null };
    const pins = { step: "change-pin", pin: PIN, new_pin: "640 281", repeated_pin: "640281" };
    const { headers } = await send(visitor, "/wallet/security", pins);
    expect(headers.get("location")).toBe("/wallet/security?done=pin_changed");
    expect(server.api.last("/wallet/pin")?.body).toMatchObject({ pin: PIN, new_pin: "640281" });
    expect(visitor.cookies.get("tillgate_pay_session")).toBe("another-session");
  });

  it.each([
    ["pins_differ", { pin: PIN, new_pin: "640281", repeated_pin: "640282" }],
    ["invalid_pin", { pin: PIN, new_pin: "64028", repeated_pin: "64028" }],
    ["invalid_pin", { pin: "", new_pin: "640281", repeated_pin: "640281" }],
  ])("rejects a new PIN without calling the API: %s", async (code, pins) => {
    const visitor = signedIn();
    await visitor.get("/wallet");
    const requested = server.api.seen.length;
    const { body, status } = await send(visitor, "/wallet/security", { step: "change-pin", ...pins });
    expect([status, noticeOf(body)]).toEqual([422, code]);
    expect(server.api.seen.slice(requested).some(({ path }) => path.endsWith("/pin"))).toBe(false);
  });

  it.each([
    ["wrong_pin", "pin"],
    ["trivial_pin", "new_pin"],
    ["same_pin", "new_pin"],
  ] as const)("shows why a new PIN was rejected: %s", async (reason, field) => {
    const visitor = signedIn();
    await visitor.get("/wallet");
    server.api.refusal = { status: 422, reason };
    const pins = { step: "change-pin", pin: PIN, new_pin: "640281", repeated_pin: "640281" };
    const { body } = await send(visitor, "/wallet/security", pins);
    expect([noticeOf(body), faultsOf(body)]).toEqual([reason, [`${field} by notice, focused`]]);
  });
});

describe("a shopper without a wallet or PIN", () => {
  const typed = {
    name: "Nora Lind",
    email: "nora@example.com",
    phone: "",
    currency: "EUR",
    amount: "41,50",
    pin: "640281",
    repeated_pin: "640281",
  };

  it("creates a wallet from the payment page in the sandbox and returns to the payment", async () => {
    const visitor = server.visitor();
    const { body } = await visitor.get("/pay/order");
    expect(body).toContain('href="/wallet/new?order=order"');
    expect(body).toContain('href="/wallet/forgot-pin?mode=sandbox&amp;order=order"');
    const page = await visitor.get("/wallet/new?order=order");
    expect(textOf(page.body)).toContain("€41.50 to Kiosk Nord");
    expect(page.body).toContain('value="41.50"');
    const sent = await send(visitor, "/wallet/new?order=order", typed);
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "/pay/order"]);
    expect(server.api.last("/shoppers")?.body).toMatchObject({
      mode: "sandbox",
      name: "Nora Lind",
      email: "nora@example.com",
      amount: "41.50",
      order_token: "order",
    });
    expect(visitor.cookies.get("tillgate_pay_session")).toBe(SESSION);
    expect((await visitor.get("/wallet/new?order=order")).headers.get("location")).toBe("/pay/order");
  });

  it("gets a rejected form back with its input except the PIN, and with each wrong field marked", async () => {
    for (const [change, code, ...faults] of [
      [{ repeated_pin: "640282" }, "pins_differ", "repeated_pin by notice, focused"],
      [{ name: "" }, "invalid_field", "name by name-fault, focused"],
      [{ pin: "64028" }, "invalid_pin", "pin by pin-fault, focused"],
      [
        { name: "", currency: "?" },
        "invalid_field",
        "name by name-fault, focused",
        "currency by currency-fault",
      ],
    ] as const) {
      const { status, body } = await send(server.visitor(), "/wallet/new", { ...typed, ...change });
      expect([status, noticeOf(body), ...faultsOf(body)]).toEqual([422, code, ...faults]);
      expect(body).toContain('value="nora@example.com"');
      expect(body).not.toContain("640281");
    }
    server.api.refusal = { status: 409, reason: "identifier_taken" };
    const actual = (await send(server.visitor(), "/wallet/new", typed)).body;
    expect([noticeOf(actual), ...faultsOf(actual)]).toEqual([
      "identifier_taken",
      "email by notice, focused",
      "phone by notice",
    ]);
    // The API may find errors that the page cannot.
    server.api.refusal = { status: 400, reason: "invalid_field", fields: ["phone"] };
    expect(faultsOf((await send(server.visitor(), "/wallet/new", typed)).body)).toEqual([
      "phone by phone-fault, focused",
    ]);
  });

  it.each(["/wallet/new?mode=live", "/wallet/new?order=live", "/wallet/forgot-pin?mode=live"])(
    "is referred to the operator in live mode: %s has no form",
    async (path) => {
      const { body, status } = await server.visitor().get(path);
      expect(status).toBe(200);
      expect(textById(body, "wallet-ask-operator")).toContain("operator");
      expect(body).not.toContain("<form");
    },
  );

  it("resets a forgotten PIN in the sandbox, continues to the wallet or the payment, and sees an error if no wallet was found", async () => {
    const fields = { identifier: "anna@example.com", new_pin: "640281", repeated_pin: "640281" };
    const { headers } = await send(server.visitor(), "/wallet/forgot-pin", fields);
    expect(headers.get("location")).toBe("/wallet?done=pin_set");
    const payment = "/wallet/forgot-pin?mode=sandbox&order=order";
    const page = await server.visitor().get(payment);
    expect(page.body).toContain(`action="${payment.replace("&", "&amp;")}"`);
    const back = await send(server.visitor(), payment, fields);
    expect(back.headers.get("location")).toBe("/pay/order");
    server.api.refusal = { status: 404, reason: "unknown_shopper" };
    const { body } = await send(server.visitor(), "/wallet/forgot-pin", fields);
    expect(noticeOf(body)).toBe("unknown_shopper");
    expect(body).toContain('value="anna@example.com"');
  });
});

describe("sandbox money", () => {
  it("can be added when the balance is insufficient for a payment, with a redirect back to the payment", async () => {
    const poor = { ...eurWallet, balance: "1.50 EUR", sufficient: false, missing: "40.00 EUR" };
    server.api.sessions.set(SESSION, shopperWith([poor]));
    const visitor = signedIn();
    const to = "/wallet/top-up?order=order&amount=40.00&currency=EUR";
    expect((await visitor.get("/pay/order")).body).toContain(to.replaceAll("&", "&amp;"));
    const page = await visitor.get(to);
    expect(page.body).toContain('value="40.00"');
    const key = /name="key" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const fields = { form_token: formTokenOf(page.body), key, currency: "EUR", amount: "40,00" };
    const sent = await visitor.post("/wallet/top-up?order=order", fields);
    expect([sent.headers.get("location"), noticeOf(sent.body)]).toEqual(["/pay/order", undefined]);
    expect(server.api.last("/top-ups")?.body).toMatchObject({ key, currency: "EUR", amount: "40.00" });
    const alone = await visitor.post("/wallet/top-up", fields);
    expect(alone.headers.get("location")).toBe("/wallet?done=topped_up");
    const out = await server.visitor().get(to);
    expect(out.headers.get("location")).toBe(`/wallet/sign-in?next=${encodeURIComponent(to)}`);
    expect(noticeOf((await visitor.post("/wallet/top-up", { ...fields, currency: "?" })).body)).toBe(
      "invalid_field",
    );
    const ambiguous = await visitor.post("/wallet/top-up", { ...fields, amount: "1,000" });
    expect(noticeOf(ambiguous.body)).toBe("invalid_field");
    expect(ambiguous.body).toContain("could mean");
  });

  it("can be converted through a form whose button is labelled in the shopper's language", async () => {
    const { body } = await signedIn().get("/wallet/convert", { "Accept-Language": "fr" });
    expect(textById(body, "wallet-quote")).toBe(CATALOGUES.fr.account.convert.quote);
  });

  it("can be converted at a quoted rate until the quote expires", async () => {
    const visitor = signedIn();
    await visitor.get("/wallet/convert");
    const requested = await send(visitor, "/wallet/convert", { from: "EUR", to: "USD", amount: "10" });
    const quoted = requested.headers.get("location") ?? "";
    expect(quoted).toBe(`/wallet/convert?id=${conversion.id}`);
    const { body } = await visitor.get(quoted);
    expect([
      textById(body, "wallet-gives"),
      textById(body, "wallet-gets"),
      textById(body, "wallet-rate"),
    ]).toEqual(["€10.00", "US$10.95", "€1 = US$1.0951"]);
    const created = await send(visitor, quoted, { step: "confirm", id: conversion.id });
    expect(created.headers.get("location")).toBe(`/wallet/activity/${receipt.id}?done=converted`);
    server.api.walletPages.set(`/conversions/${conversion.id}`, heldConversion({ expires_in_ms: 0 }));
    const over = (await visitor.get(quoted)).body;
    expect(over).toContain("wallet-over");
    expect(over).not.toContain('data-testid="wallet-convert"');
  });

  it("is unavailable in live mode: the top-up and conversion pages return 404, and the wallet does not link to them", async () => {
    const { shopper } = walletOf();
    server.api.wallet = walletOf({ shopper: shopper && { ...shopper, mode: "live" } });
    for (const path of OWN_MONEY) expect((await signedIn().get(path)).status).toBe(404);
    expect((await signedIn().get("/wallet")).body).not.toMatch(/\/wallet\/(top-up|convert)/);
  });
});

describe("wallet forms", () => {
  it("are accepted only from the page's origin, with its token and a visitor cookie", async () => {
    const visitor = signedIn();
    const { body } = await visitor.get("/wallet/security");
    const fields = { form_token: formTokenOf(body), step: "sign-out-everywhere" };
    const steps = () => server.api.seen.filter(({ path }) => path.endsWith("/sign-out-everywhere")).length;
    const before = steps();
    for (const origin of ["https://evil.example", null])
      expect((await visitor.post("/wallet/security", fields, { Origin: origin })).status).toBe(403);
    expect((await visitor.post("/wallet/security", fields, { "Content-Type": "text/plain" })).status).toBe(
      415,
    );
    expect((await visitor.post("/wallet/activity", fields)).status).toBe(405);
    expect(noticeOf((await visitor.post("/wallet/security", { step: "sign-out-everywhere" })).body)).toBe(
      "form_rejected",
    );
    const cookieless = server.visitor({ tillgate_pay_session: SESSION });
    expect(noticeOf((await cookieless.post("/wallet/security", fields)).body)).toBe("cookies_needed");
    expect(steps()).toBe(before);
  });
});

describe("a wallet page", () => {
  it.each([
    "/wallet/sign-in",
    "/wallet/new",
    "/wallet/new?order=order",
    "/wallet/forgot-pin",
    "/wallet/new?mode=live",
    ...OWN_MONEY,
    ...PAGES,
  ])("is small, self-hosted and in the requested language: %s", async (path) => {
    const visitor = /sign-in|new|forgot/.test(path) ? server.visitor() : signedIn();
    const join = path.includes("?") ? "&" : "?";
    for (const language of languageSchema.options) {
      const { body, status } = await visitor.get(`${path}${join}lang=${language}`);
      expect(status).toBe(200);
      expect(body).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`);
      expect(body).not.toContain("/_next/");
      expect(body).not.toMatch(/ style="|<style|<script>| on\w+="/);
    }
    const { body } = await visitor.get(path);
    const sizeOf = async (pattern: RegExp) => {
      const result = [...body.matchAll(pattern)].map(([, address]) => address ?? "");
      const responses = await Promise.all(result.map((address) => server.request(address)));
      for (const response of responses) expect(response.status).toBe(200);
      const files = responses.map((response) => response.body);
      return { files: files.length, bytes: files.reduce((sum, file) => sum + gzipSync(file).length, 0) };
    };
    const script = await sizeOf(/<script src="([^"]+)"/g);
    const style = await sizeOf(/<link rel="stylesheet" href="([^"]+)"/g);
    expect([script.files, style.files]).toEqual([1, 2]);
    expect(script.bytes).toBeLessThan(MAX_SCRIPT);
    expect(style.bytes).toBeLessThan(MAX_STYLE);
  });
});
