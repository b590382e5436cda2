import type { CheckoutView } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payableView, SESSION, timestamp } from "../fake-api";
import { type PageServer, PageServer as Server, textById, textOf } from "../page-server";

let server: PageServer;
beforeAll(async () => {
  server = await Server.start();
});
afterAll(() => server.stop());

let orders = 0;
/** Puts an order into the api and opens its page. */
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
const wallet = {
  wallet_id: "6f1c1a52-4b6e-4d5c-9c55-0a6f2f1f5a10",
  currency: "EUR",
  balance: "182.30 EUR",
  sufficient: true,
};

describe("an order that can be paid", () => {
  it("says who asks for how much for what, until when", async () => {
    const { status, body } = await open();
    expect(status).toBe(200);
    expect(textById(body, "pay-merchant")).toBe("Kiosk Nord");
    expect(textById(body, "pay-amount")).toBe("41.50 EUR");
    expect(textById(body, "pay-description")).toBe("Two coffees and a cinnamon roll");
    expect(textById(body, "pay-reference")).toBe("1042");
    expect(textById(body, "pay-countdown")).toBe("4:58");
    expect(body).toContain('<title data-next-head="">Pay 41.50 EUR to Kiosk Nord</title>');
    expect(body).toMatch(/data-testid="pay-status" data-status="PENDING"/);
    expect(body).toMatch(/<noscript><p>Pay before <time/);
  });

  it("shows the QR as an inline picture and the payment address as text", async () => {
    const { body, token } = await open();
    expect(body).toMatch(/data-testid="pay-qr"><svg [^>]*role="img"[^>]*><title>QR code to pay 41.50 EUR/);
    expect(textById(body, "pay-url")).toBe(`http://localhost:4001/pay/${token}`);
  });

  it("shows no QR where the shop wants none, but the address all the same", async () => {
    const { body } = await open({ payment_method: "payment_page", qr_data: null });
    expect(body).not.toContain("pay-qr");
    expect(textById(body, "pay-url")).toContain("/pay/");
  });

  it("offers test buttons and says TEST MODE in sandbox, and neither in live", async () => {
    const sandbox = await open();
    expect(textById(sandbox.body, "pay-test-mode")).toContain("TEST MODE");
    expect(sandbox.body).toContain('data-testid="pay-approve"');
    const live = await open({ mode: "live" });
    for (const part of ["pay-test-mode", "pay-approve", "pay-decline", "sandbox"]) {
      expect(live.body, part).not.toContain(part);
    }
  });

  it("labels the sign-in for people and for password managers, and never as a one-time code", async () => {
    const { body } = await open();
    expect(body).toContain('<label for="identifier">');
    expect(body).toMatch(/id="identifier"[^>]*autoComplete="username"/);
    expect(body).toMatch(/id="pin" type="password" inputMode="numeric" autoComplete="current-password"/);
    expect(body).not.toContain("one-time-code");
  });

  it("never refreshes itself, because it holds an input", async () => {
    const { body } = await open();
    expect(body).not.toContain('http-equiv="refresh"');
  });

  it("escapes what a merchant writes", async () => {
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
  async function openAs(shopper: CheckoutView["shopper"] & object, mode: "sandbox" | "live" = "sandbox") {
    const session = `session-${orders}`;
    server.api.sessions.set(session, shopper);
    return open({ mode }, {}, { tillgate_pay_session: session });
  }

  it("sees name and balance and one button that names the amount", async () => {
    const { body } = await openAs({ name: "Anna Berg", wallet });
    expect(textById(body, "pay-shopper")).toContain("Anna Berg");
    expect(textById(body, "pay-balance")).toBe("182.30 EUR");
    expect(textById(body, "pay-confirm")).toBe("Pay 41.50 EUR");
    expect(body).toContain('data-testid="pay-sign-out"');
    expect(body).not.toContain("pay-sign-in-pin");
  });

  it("is told what to do when the wallet holds too little", async () => {
    const poor = { name: "Paul Klein", wallet: { ...wallet, balance: "3.00 EUR", sufficient: false } };
    const { body } = await openAs(poor);
    expect(textById(body, "pay-insufficient")).toContain(
      "This payment needs 41.50 EUR; your wallet holds 3.00 EUR.",
    );
    expect(textOf(body)).toContain("you can also use the test buttons");
    expect(body).not.toContain("pay-confirm");
    expect(textById(body, "pay-sign-out")).toBe("Use another account");
    expect(textOf((await openAs(poor, "live")).body)).not.toContain("test buttons");
  });

  it("is told what to do without a wallet in the order's currency", async () => {
    const { body } = await openAs({ name: "Ute Groß", wallet: null });
    expect(textOf(body)).toContain("You have no EUR wallet");
    expect(body).not.toContain("pay-confirm");
    expect(body).toContain('data-testid="pay-sign-out"');
  });

  it("whose session is over is asked to sign in, and the cookie goes", async () => {
    const { body, headers } = await open({}, {}, { tillgate_pay_session: "over-long-ago" });
    expect(body).toContain("pay-sign-in-pin");
    expect(headers.getSetCookie().join("\n")).toMatch(/tillgate_pay_session=; .*Max-Age=0/);
  });

  it("keeps the cookie of a session that is alive", async () => {
    server.api.sessions.set(SESSION, { name: "Anna Berg", wallet });
    const { headers } = await open({}, {}, { tillgate_pay_session: SESSION });
    expect(headers.getSetCookie().join("\n")).not.toContain("session");
  });
});

describe("an order that is settled", () => {
  it("shows the receipt of a payment and the way back, by link and without scripts by itself", async () => {
    const { body, token } = await open({ status: "PAID", ...paid });
    expect(body).toMatch(/data-testid="pay-status" data-status="PAID"/);
    expect(textById(body, "pay-receipt-trx")).toBe("TRX-204817736512");
    expect(textById(body, "pay-receipt-time")).toBe("21 Nov 2026, 14:05 UTC");
    expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
    const address = `https://shop.example/checkout/return?token=${token}&amp;status=paid&amp;trx_id=TRX-1`;
    expect(body).toContain(`href="${address}"`);
    expect(body).toContain(
      `<noscript data-next-head=""><meta http-equiv="refresh" content="20;url=${address}"/></noscript>`,
    );
    expect(body).not.toContain("<form");
  });

  it.each(["CANCELLED", "EXPIRED"] as const)("says that nothing was taken when it is %s", async (status) => {
    const { body } = await open({ status });
    expect(body).toContain(`data-testid="pay-status" data-status="${status}"`);
    expect(textOf(body)).toMatch(/nothing was taken/i);
    expect(textById(body, "pay-return")).toBe("Return to Kiosk Nord");
    expect(body).not.toContain("pay-receipt-trx");
    expect(body).not.toContain("pay-print");
    expect(body).not.toContain("<form");
  });

  it("shows what is refunded, and a pending refund looks again by itself", async () => {
    const pending = await open({ status: "REFUND_PENDING", ...paid });
    expect(pending.body).toContain(
      '<noscript data-next-head=""><meta http-equiv="refresh" content="15"/></noscript>',
    );
    const refunded = await open({ status: "REFUNDED", ...paid, refunded_amount: "41.50 EUR" });
    expect(textById(refunded.body, "pay-refunded")).toBe("41.50 EUR");
    expect(refunded.body).not.toContain('http-equiv="refresh"');
    const partly = await open({ status: "PAID", ...paid, refunded_amount: "10.00 EUR" });
    expect(textById(partly.body, "pay-refunded")).toBe("10.00 EUR");
  });

  it("stays on its receipt when the shop has no address to return to", async () => {
    const { body } = await open({ status: "PAID", ...paid }, { return_to: null });
    expect(body).not.toContain("pay-return");
    expect(body).not.toContain('http-equiv="refresh"');
  });
});

describe("a page that shows no order", () => {
  it.each(["unknown", "%2e%2e%2fhealthz", "a%20b", "x".repeat(201)])(
    "answers 404 for the token '%s'",
    async (token) => {
      const { status, body, headers } = await server.request(`/pay/${token}`);
      expect(status).toBe(404);
      expect(textOf(body)).toContain("This payment does not exist");
      expect(headers.getSetCookie()).toEqual([]);
    },
  );

  it("asks the api about nothing that cannot be a token", async () => {
    const before = server.api.seen.length;
    await server.request("/pay/%2e%2e%2fhealthz");
    expect(server.api.seen.length).toBe(before);
  });

  it("answers 404 with its own page for any other address", async () => {
    for (const path of ["/", "/pay", "/nothing", "/pay/view1/nothing", "/pay/view1/pay/more"]) {
      const { status, body } = await server.request(path);
      expect([path, status]).toEqual([path, 404]);
      expect(body).toContain('data-status="NOT_FOUND"');
    }
  });
});
