import type { CheckoutView } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  eurWallet,
  payableView,
  SESSION,
  type Shopper,
  shopperWith,
  timestamp,
  usdQuote,
  usdWallet,
} from "../fake-api";
import { PageServer, textById, textOf } from "../page-server";

const server = await PageServer.shared();

/** Returns the page's refresh, and whether it is outside `<noscript>`; null without a refresh. */
function refreshOf(body: string): { content: string; always: boolean } | null {
  const [, noscript, content] =
    /(<noscript[^>]*>)?<meta http-equiv="refresh" content="([^"]*)"/.exec(body) ?? [];
  return content === undefined ? null : { content, always: noscript === undefined };
}

let orders = 0;
/** Adds an order to the API and opens its page. */
async function open(
  change: Partial<CheckoutView["order"]> = {},
  more: Partial<CheckoutView> = {},
  cookies: Record<string, string> = {},
) {
  orders += 1;
  const token = `view${orders}`;
  server.api.orders.set(token, { ...payableView(token, change), ...more });
  return { token, ...(await server.visitor(cookies).get(`/pay/${token}`)) };
}

const paid = { trx_id: "TRX-204817736512", paid_at: timestamp(Date.UTC(2026, 10, 21, 14, 5, 9)) };
describe("payment page of a payable order", () => {
  it("shows the merchant, amount, description and expiry", async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(textById(body, "pay-merchant")).toBe("Kiosk Nord");
    expect(textById(body, "pay-amount")).toBe("€41.50");
    expect(textById(body, "pay-description")).toBe("Two coffees and a cinnamon roll");
    expect(textById(body, "pay-reference")).toBe("1042");
    expect(textById(body, "pay-countdown")).toBe("04:58");
    expect(body).toContain('<title data-next-head="">TEST: Pay €41.50 to Kiosk Nord</title>');
    expect(body).toMatch(/data-testid="pay-status" data-status="PENDING"/);
    expect(body).toMatch(/<p class="without-script">Pay before <time/);
  });

  it("shows the reference only if the description does not contain it", async () => {
    expect((await open({ description: "Order 109", reference: "109" })).body).not.toContain("pay-reference");
    expect(
      textById((await open({ description: "Order 1099", reference: "109" })).body, "pay-reference"),
    ).toBe("109");
    expect(textById((await open({ description: null, reference: "109" })).body, "pay-reference")).toBe("109");
  });

  it("offers browsers without scripts a QR-only view that refreshes itself and has no input fields", async () => {
    const { body, token } = await open();
    expect(body).toMatch(new RegExp(`<p class="without-script"><a href="/pay/${token}\\?view=code"`));
    const code = await server.request(`/pay/${token}?view=code`);
    expect(refreshOf(code.body)).toEqual({ content: "4", always: true });
    expect(code.body).toContain('data-testid="pay-qr"');
    expect(code.body).not.toMatch(/<form|<input/);
    server.api.pay(token);
    expect((await server.request(`/pay/${token}?view=code`)).body).toContain('data-status="PAID"');
  });

  it("shows the merchant's name, logo and colour, using one inline style allowed by a nonce", async () => {
    const logo = { id: "a".repeat(64), type: "image/png", width: 64, height: 32 } as const;
    const accent = {
      light: { color: "#c2410c", text: "#ffffff" },
      dark: { color: "#d9541f", text: "#000000" },
    };
    const { body, headers } = await open({}, { merchant: { name: "Kiln & Clover", accent, logo } });
    expect(textById(body, "pay-merchant")).toBe("Kiln & Clover");
    expect(body).toMatch(
      new RegExp(`<img class="logo" src="/pay/logos/${logo.id}" width="64" height="32" alt=""`),
    );
    const [, nonce = ""] =
      /<style nonce="([^"]+)"[^>]*>html:root\{--main:#c2410c;--on-main:#ffffff\}@media \(prefers-color-scheme:dark\)\{html:root\{--main:#d9541f;--on-main:#000000\}\}<\/style>/.exec(
        body,
      ) ?? [];
    expect(Buffer.from(nonce, "base64")).toHaveLength(16);
    expect(headers.get("content-security-policy")).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(body).not.toMatch(/ style="/);
    const repeated = await open({}, { merchant: { name: "Kiln & Clover", accent, logo } });
    expect(repeated.headers.get("content-security-policy")).not.toContain(nonce);
  });

  it("shows the QR code as inline SVG and the payment URL as text", async () => {
    const { body, token } = await open();
    expect(body).toMatch(/data-testid="pay-qr"><svg [^>]*role="img"[^>]*><title>QR code to pay €41.50/);
    expect(textById(body, "pay-url")).toBe(`http://localhost:4001/pay/${token}`);
  });

  it("shows the payment URL alone if the shop disabled the QR code", async () => {
    const { body } = await open({ payment_method: "payment_page", qr_data: null });
    expect(body).not.toContain('data-testid="pay-qr"');
    expect(textById(body, "pay-url")).toContain("/pay/");
  });

  it("shows test buttons and TEST MODE in the sandbox only", async () => {
    const sandbox = await open();
    expect(textById(sandbox.body, "pay-test-mode")).toContain("TEST MODE");
    expect(sandbox.body).toContain('data-testid="pay-approve"');
    const live = await open({ mode: "live" });
    for (const part of ["pay-test-mode", "pay-approve", "pay-decline", "sandbox", "TEST"]) {
      expect(live.body, part).not.toContain(part);
    }
  });

  it("labels the sign-in fields for people and password managers, not as a one-time code", async () => {
    const { body } = await open();
    expect(body).toContain('<label for="identifier">');
    expect(body).toMatch(/id="identifier"[^>]*autoComplete="username"/);
    expect(body).toMatch(/id="pin" type="password" inputMode="numeric" autoComplete="current-password"/);
    expect(body).not.toContain("one-time-code");
  });

  it("does not auto-refresh, because it has an input", async () => {
    const { body } = await open();
    expect(body).not.toContain('http-equiv="refresh"');
  });

  it("escapes merchant text", async () => {
    const { body } = await open({
      merchant_name: `<script>alert("m")</script>`,
      description: `"><img src=x onerror=alert(1)>`,
      reference: "</p><h1>",
    });
    expect(body).not.toContain("<script>alert");
    expect(body).not.toContain("<img");
    expect(body).not.toContain("</p><h1>");
    expect(textById(body, "pay-description")).toContain("onerror");
  });
});

describe("a signed-in shopper", () => {
  async function openAs(
    shopper: Shopper,
    change: Partial<CheckoutView> = {},
    mode: "sandbox" | "live" = "sandbox",
  ) {
    const session = `session-${orders}`;
    server.api.sessions.set(session, shopper);
    return open({ mode }, change, { tillgate_pay_session: session });
  }

  it("sees the name, the balance and a button with the amount, but no PIN field", async () => {
    const { body } = await openAs(shopperWith([eurWallet]));
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
    expect(textById(body, "pay-balance")).toBe("€182.30");
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
    expect(textById(body, "pay-sign-out")).toBe("Not you? Sign out");
    expect(body).not.toContain("pay-sign-in-pin");
    expect(body).not.toContain('name="pin"');
  });

  it("is asked for the PIN if it was not entered recently", async () => {
    const { body } = await openAs(shopperWith([eurWallet], { pin_needed: true }));
    expect(body).toMatch(/id="pin" type="password"[^>]*data-testid="pay-pin"/);
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
  });

  it("is warned about wrong PINs entered elsewhere, and still has the pay button", async () => {
    const { body } = await openAs(shopperWith([eurWallet], { wrong_pins_elsewhere: true }));
    expect(textById(body, "pay-wrong-pins-elsewhere")).toContain("Someone has been entering wrong PINs");
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
    const calm = await openAs(shopperWith([eurWallet]));
    expect(calm.body).not.toContain("pay-wrong-pins-elsewhere");
  });

  it("sees before confirming that the balance is insufficient, and by how much", async () => {
    const poor = { ...eurWallet, balance: "1.00 EUR", sufficient: false, missing: "40.50 EUR" };
    const { body } = await openAs(shopperWith([poor]));
    expect(textById(body, "pay-insufficient")).toContain("Not enough money in your EUR wallet");
    expect(textById(body, "pay-insufficient")).toContain("€40.50 short");
    expect(textById(body, "pay-insufficient")).toContain("test buttons");
    expect(body).not.toContain("pay-confirm");
    expect(textById(body, "pay-insufficient")).toContain("Top up here");
    const live = textById((await openAs(shopperWith([poor]), {}, "live")).body, "pay-insufficient");
    expect(live).toContain("Contact the operator of this payment service to top up");
    expect(live).not.toMatch(/test buttons|Top up here/);
  });

  it("sees what to do if no wallet can pay", async () => {
    const { body } = await openAs(shopperWith([]));
    expect(textOf(body)).toContain("You don’t have a wallet that can make this payment");
    expect(textOf(body)).toContain("Top up to open a EUR wallet.");
    expect(body).not.toContain("pay-confirm");
    expect(body).toContain('data-testid="pay-sign-out"');
    const live = await openAs(shopperWith([]), {}, "live");
    expect(textOf(live.body)).toContain("The operator of this payment service opens wallets.");
    expect(live.body).not.toContain("pay-top-up");
  });

  it("selects a wallet in another currency by requesting its rate", async () => {
    const { body } = await openAs(shopperWith([eurWallet, usdWallet]));
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
    expect(body).toMatch(/action="\/pay\/\w+\/quote"/);
    expect(textOf(body)).toContain("USD wallet US$99.00 about US$45.46");
    const only = (await openAs(shopperWith([usdWallet]))).body;
    expect(only).not.toContain("pay-confirm");
    expect(textById(only, "pay-no-wallet")).toContain("Choose a wallet");
  });

  it("sees the exact price, the rate and how long the quote is valid before confirming", async () => {
    const { body } = await openAs(shopperWith([eurWallet, usdWallet]), { quote: usdQuote() });
    expect(textById(body, "pay-quote-pays")).toBe("US$45.46");
    expect(textById(body, "pay-quote-rate")).toBe("€1 = US$1.0952");
    expect(textById(body, "pay-quote-countdown")).toBe("04:50");
    expect(textById(body, "pay-confirm")).toBe("Pay US$45.46");
    expect(body).toContain(`name="quote_id" value="${usdQuote().quote_id}"`);
    expect(body).not.toContain('name="wallet_id" value="6f1c1a52');
    expect(body).toMatch(/href="\/pay\/\w+\?wallet=EUR"/);
  });

  it("returns to the wallet in the order's currency through a URL that contains only the currency", async () => {
    const { token } = await openAs(shopperWith([eurWallet, usdWallet]), { quote: usdQuote() });
    const cookies = { tillgate_pay_session: `session-${orders - 1}` };
    const { body } = await server.visitor(cookies).get(`/pay/${token}?wallet=EUR`);
    expect(textById(body, "pay-confirm")).toBe("Pay €41.50");
    expect(body).toContain(`name="wallet_id" value="${eurWallet.wallet_id}"`);
    const gone = server.api.orders.get(token);
    if (gone) gone.quote = null;
    const renewed = await server.visitor(cookies).get(`/pay/${token}?wallet=USD`);
    expect(renewed.body).toContain("pay-quote-renew");
    expect(renewed.body).not.toContain("pay-confirm");
  });

  it("sees by how much the balance is insufficient for a quote", async () => {
    const quote = usdQuote({ sufficient: false, missing: "3.20 USD" });
    const { body } = await openAs(shopperWith([eurWallet, usdWallet]), { quote });
    expect(textById(body, "pay-insufficient")).toContain("US$3.20 short");
    expect(body).not.toContain("pay-confirm");
  });

  it("cannot select a wallet without a rate or with an insufficient balance", async () => {
    const yen = {
      ...usdWallet,
      wallet_id: crypto.randomUUID(),
      currency: "JPY",
      price: null,
      rate: null,
      sufficient: false,
    };
    const poor = { ...usdWallet, sufficient: false, missing: "43.46 USD" };
    const { body, token } = await openAs(shopperWith([eurWallet, yen, poor]));
    expect(textOf(body)).toContain("can’t pay in EUR");
    expect(textOf(body)).toContain("US$43.46 short");
    expect(body).not.toContain("/quote");
    const cookies = { tillgate_pay_session: `session-${orders - 1}` };
    const withoutRate = await server.visitor(cookies).get(`/pay/${token}?wallet=JPY`);
    expect(textById(withoutRate.body, "pay-confirm")).toBe("Pay €41.50");
  });

  it("sees that the balance is insufficient, but not by how much, while balances are hidden", async () => {
    const hidden = { ...eurWallet, balance: "••• EUR", sufficient: false };
    const { body } = await openAs(shopperWith([hidden]));
    expect(textById(body, "pay-insufficient")).toContain("You need €41.50 for this payment. Top up here");
    const list = await openAs(
      shopperWith([{ ...usdWallet, balance: "••• USD", sufficient: false }, eurWallet]),
    );
    expect(textById(list.body, "pay-wallet-USD")).toContain("Not enough money in your USD wallet");
  });

  it("is asked to sign in when the session has expired, and the session cookie is cleared", async () => {
    const { body, headers } = await open({}, {}, { tillgate_pay_session: "over-long-ago" });
    expect(body).toContain("pay-sign-in-pin");
    expect(headers.getSetCookie().join("\n")).toMatch(/tillgate_pay_session=; .*Max-Age=0/);
  });

  it("keeps the cookie of an active session", async () => {
    server.api.sessions.set(SESSION, shopperWith([eurWallet]));
    const { headers } = await open({}, {}, { tillgate_pay_session: SESSION });
    expect(headers.getSetCookie().join("\n")).not.toContain("session");
  });
});

describe("an order in a final state", () => {
  it("shows the receipt and the return link, and redirects even without scripts", async () => {
    const { body, token } = await open({ status: "PAID", ...paid });
    expect(body).toMatch(/data-testid="pay-status" data-status="PAID"/);
    expect(textById(body, "pay-receipt-trx")).toBe("TRX-204817736512");
    expect(textById(body, "pay-receipt-time")).toBe("21 Nov 2026, 14:05 UTC");
    expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
    const address = `https://shop.example/checkout/return?token=${token}&amp;status=paid&amp;trx_id=TRX-1`;
    expect(body).toContain(`href="${address}"`);
    expect(refreshOf(body)).toEqual({ content: `20;url=${address}`, always: true });
    expect(body).not.toContain("<form");
    expect(body).toContain('data-testid="pay-copy-receipt" data-copy="receipt"');
    expect(textOf(body)).toContain("TEST MODE: no real money was involved.");
    expect(textOf((await open({ status: "PAID", mode: "live", ...paid })).body)).not.toContain("TEST");
  });

  it("shows the debited amount and rate to the payer only", async () => {
    const payment = { by_you: true, paid_amount: "45.46 USD", rate: "0.9131166", received_back: null };
    const ownOrder = await open({ status: "PAID", ...paid }, { payment });
    expect(textById(ownOrder.body, "pay-receipt-paid")).toBe("US$45.46");
    expect(textById(ownOrder.body, "pay-receipt-rate")).toBe("€1 = US$1.0952");
    const others = await open(
      { status: "PAID", ...paid },
      { payment: { by_you: false, paid_amount: null, rate: null, received_back: null } },
    );
    expect(others.body).not.toContain("pay-receipt-paid");
    expect(others.body).not.toContain("pay-receipt-rate");
  });

  it("shows the return link below the amount, and offers to sign out only if someone is signed in", async () => {
    server.api.sessions.set("receipt", shopperWith([eurWallet]));
    const { body } = await open({ status: "PAID", ...paid }, {}, { tillgate_pay_session: "receipt" });
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
    expect(body.indexOf("pay-sign-out")).toBeGreaterThan(0);
    const order = [
      "pay-amount",
      "pay-return",
      "pay-merchant",
      "pay-reference",
      "pay-receipt-trx",
      "pay-sign-out",
    ];
    const positions = order.map((id) => body.indexOf(`data-testid="${id}"`));
    expect(positions).toEqual(positions.toSorted((one, other) => one - other));
    expect(positions[0]).toBeGreaterThan(0);
    expect(body).toMatch(/action="\/pay\/\w+\/sign-out"/);
    expect((await open({ status: "PAID", ...paid })).body).not.toContain("pay-sign-out");
  });

  it("shows the return link without an automatic redirect if the API does not allow the redirect", async () => {
    const { token } = await open({ status: "PAID", ...paid });
    server.api.leadsBack = false;
    const { body } = await server.visitor().get(`/pay/${token}`);
    server.api.leadsBack = undefined;
    expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
    expect(body).not.toContain("data-return-seconds");
    expect(body).not.toContain('http-equiv="refresh"');
    expect(body).not.toContain("pay-returning");
  });

  it.each(["CANCELLED", "EXPIRED"] as const)(
    "states that the shopper was not charged when it is %s",
    async (status) => {
      const { body } = await open({ status });
      expect(body).toContain(`data-testid="pay-status" data-status="${status}"`);
      expect(textOf(body)).toContain("haven’t been charged");
      expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
      expect(body).not.toContain("pay-receipt-trx");
      expect(body).not.toContain("pay-print");
      expect(body).not.toContain("<form");
    },
  );

  it("shows refunds, and refreshes itself while a refund is pending", async () => {
    const pending = await open({ status: "REFUND_PENDING", ...paid, refund_pending_amount: "10.00 EUR" });
    expect(pending.body).toContain('has started a refund of <bdi class="sum">€10.00</bdi>.');
    expect(refreshOf(pending.body)).toEqual({ content: "15", always: true });
    const refunded = await open({ status: "REFUNDED", ...paid, refunded_amount: "41.50 EUR" });
    expect(textById(refunded.body, "pay-refunded")).toBe("€41.50");
    expect(refunded.body).not.toContain('http-equiv="refresh"');
    const partly = await open({ status: "PAID", ...paid, refunded_amount: "10.00 EUR" });
    expect(textById(partly.body, "pay-refunded")).toBe("€10.00");
    expect(partly.body).not.toContain("pay-received-back");
    const payment = { by_you: true, paid_amount: "45.46 USD", rate: "0.9131166", received_back: "10.95 USD" };
    const converted = await open({ status: "PAID", ...paid, refunded_amount: "10.00 EUR" }, { payment });
    expect(textById(converted.body, "pay-refunded")).toBe("€10.00");
    expect(textById(converted.body, "pay-received-back")).toBe("US$10.95");
  });

  it("shows the webhook deliveries that the API returns, with the order status in the shop", async () => {
    const landing = {
      id: "a",
      host: "shop.example",
      state: "waiting" as const,
      http_status: null,
      order_status: null,
    };
    const reported = async (landings: CheckoutView["landings"]) =>
      textById((await open({ status: "PAID", ...paid }, { landings })).body, "pay-landings");
    expect(await reported([landing])).toBe("Webhook to shop.example: not delivered yet.");
    expect(await reported([{ ...landing, http_status: 500 }])).toContain("failed with response 500");
    expect(await reported([{ ...landing, state: "delivered", http_status: 200 }])).toContain(
      "delivered, response 200",
    );
    const applied = { ...landing, state: "delivered" as const, http_status: 200 };
    expect(await reported([{ ...applied, order_status: "processing" }])).toContain(
      "Order status in your shop: Processing.",
    );
    expect(await reported([{ ...applied, order_status: "packed" }])).toContain(
      "Order status in your shop: packed.",
    );
    expect(await reported([{ ...landing, state: "failed" }])).toContain("no more retries");
    expect(await reported([])).toContain("callback_url");
    expect(await reported(null)).toBeNull();
  });

  it("has no return link and no redirect if the order has no return URL", async () => {
    const { body } = await open({ status: "PAID", ...paid }, { return_to: null });
    expect(body).not.toContain("pay-return");
    expect(body).not.toContain('http-equiv="refresh"');
  });
});

describe("page with the script cookie set", () => {
  it.each([
    ["view=code", {}],
    ["check=1", {}],
    ["", { status: "REFUND_PENDING", ...paid, refund_pending_amount: "10.00 EUR" }],
    ["", { status: "PAID", ...paid }],
  ] as const)("refreshes itself only inside <noscript>: %s %j", async (query, change) => {
    const { token } = await open(change);
    const known = server.visitor({ tillgate_pay_script: "1" });
    expect(refreshOf((await known.get(`/pay/${token}?${query}`)).body)).toMatchObject({ always: false });
    expect(refreshOf((await server.visitor().get(`/pay/${token}?${query}`)).body)).toMatchObject({
      always: true,
    });
  });
});

describe("the receipt of a partially refunded order", () => {
  it("does not redirect automatically", async () => {
    const { body } = await open({ status: "PAID", ...paid, refunded_amount: "10.00 EUR" });
    expect(refreshOf(body)).toBeNull();
    expect(body).not.toContain("data-return-seconds");
    expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
  });
});

describe("amounts", () => {
  it("are in elements that do not wrap", async () => {
    server.api.sessions.set(
      "sums",
      shopperWith([
        { ...eurWallet, balance: "1.00 EUR", sufficient: false, missing: "40.50 EUR" },
        usdWallet,
      ]),
    );
    const cookies = { tillgate_pay_session: "sums" };
    const wallets = await open({ mode: "live" }, { quote: usdQuote() }, cookies);
    const receipt = await open({ status: "REFUNDED", ...paid, refunded_amount: "41.50 EUR" });
    for (const { body } of [wallets, receipt]) {
      const visible = body.slice(body.indexOf("<main"), body.indexOf("</main>"));
      const outside = visible.replace(
        /<bdi class="[^"]*\bsum\b[^"]*"[^>]*>[^<]*<\/bdi>|<title>[^<]*<\/title>|<[^>]*>/g,
        " ",
      );
      expect(outside).not.toMatch(/\d\.\d/);
    }
  });
});

describe("a page without an order", () => {
  it("explains at the root URL where payments start", async () => {
    const { status, headers, body } = await server.visitor().get("/", { "Accept-Language": "de" });
    expect(status).toBe(200);
    expect(body).toContain('<html lang="de"');
    expect(textOf(body)).toContain("Zahlungen beginnen im Shop");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  });

  it.each(["unknown", "%2e%2e%2fhealthz", "a%20b", "x".repeat(201)])(
    "returns 404 for the token '%s'",
    async (token) => {
      const { status, body, headers } = await server.request(`/pay/${token}`);
      expect(status).toBe(404);
      expect(textOf(body)).toContain("Payment not found");
      expect(headers.getSetCookie()).toEqual([]);
    },
  );

  it("does not call the API for a malformed token", async () => {
    const before = server.api.seen.length;
    await server.request("/pay/%2e%2e%2fhealthz");
    expect(server.api.seen.length).toBe(before);
  });

  it("returns the site's own 404 page for an unknown URL", async () => {
    for (const path of ["/pay", "/nothing", "/pay/view1/nothing", "/pay/view1/pay/more"]) {
      const { status, body } = await server.request(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).toContain('data-status="NOT_FOUND"');
    }
  });
});
