import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { payableView, SESSION } from "../fake-api";
import { formTokenOf, noticeOf, PageServer, textById, textOf } from "../page-server";

/** Maximum gzipped bytes of tillgate.js, and of the frame's script. */
const MAX_SHOP_SCRIPT = 3.5 * 1024;
const MAX_FRAME_SCRIPT = 4 * 1024;
const SHOPS = ["https://shop.example", "http://localhost:4003"];

const server = await PageServer.shared();
beforeEach(() => {
  server.api.origins = [...SHOPS];
  server.api.orders.set("order", payableView("order"));
  server.api.orders.set("live", payableView("live", { mode: "live" }));
});

const framedBy = (headers: Headers): string | undefined =>
  /frame-ancestors ([^;]+)/.exec(headers.get("content-security-policy") ?? "")?.[1];

describe("Content-Security-Policy of the embed page", () => {
  it("allows only registered origins to frame the page, and only at the embed URL", async () => {
    const { headers, body } = await server.request("/embed/order");
    expect(framedBy(headers)).toBe(SHOPS.join(" "));
    expect(headers.get("x-frame-options")).toBeNull();
    expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain(`data-frame-origins="${SHOPS.join(" ")}"`);
    for (const path of ["/pay/order", "/", "/l/none", "/t/none", "/embed/unknown", "/embed/order/pay"]) {
      const other = await server.request(path);
      expect([path, framedBy(other.headers)]).toEqual([path, "'none'"]);
      expect(other.headers.get("x-frame-options")).toBe("DENY");
    }
  });

  it("allows no framing when no origin is registered", async () => {
    server.api.origins = [];
    const { headers, status } = await server.request("/embed/order");
    expect([status, framedBy(headers), headers.get("x-frame-options")]).toEqual([200, "'none'", "DENY"]);
  });

  it.each(["https://*.example", "https://a;script-src", "'self'", "*"])(
    "allows no framing and returns 503 if the API returns an origin that would widen the policy: %s",
    async (forged) => {
      server.api.origins = [...SHOPS, forged];
      const { headers, status } = await server.request("/embed/order");
      expect([status, framedBy(headers)]).toEqual([503, "'none'"]);
    },
  );
});

describe("embedded payment frame", () => {
  it("shows the merchant, amount, QR code and countdown, has no sign-in field, and opens the payment page in a new tab", async () => {
    const { body } = await server.request("/embed/order");
    expect(textById(body, "pay-merchant")).toBe("Kiosk Nord");
    expect(body).toContain('data-amount="41.50 EUR"');
    expect(body).toContain('data-testid="pay-qr"');
    expect(body).toContain('data-testid="pay-countdown"');
    expect(body).toMatch(/<a [^>]*href="\/pay\/order" target="_blank" rel="noopener"/);
    expect(body).not.toMatch(/name="(?:pin|identifier)"/);
  });

  it("neither sets nor reads cookies", async () => {
    const cookie = `tillgate_pay_session=${SESSION}; tillgate_pay_visitor=${"v".repeat(43)}; tillgate_pay_language=de`;
    const before = server.api.seen.length;
    for (const path of ["/embed/order", "/pay/order/status", "/pay/order/qr.svg", "/embed/unknown"]) {
      const { headers, body } = await server.request(path, { headers: { Cookie: cookie } });
      expect([path, headers.getSetCookie()]).toEqual([path, []]);
      if (path === "/embed/order") expect(body).toContain('lang="en"');
    }
    for (const { headers } of server.api.seen.slice(before)) {
      expect(headers["x-tillgate-wallet-session"]).toBeUndefined();
      expect(headers["x-tillgate-visitor"]).toBeUndefined();
    }
  });

  it("uses the language that the shop's page requests, otherwise the order's", async () => {
    server.api.orders.set("french", payableView("french", { locale: "fr" }));
    expect((await server.request("/embed/french")).body).toContain("Payer avec Tillgate");
    const { body } = await server.request("/embed/french?lang=ar");
    expect(body).toMatch(/<html[^>]* dir="rtl"/);
  });

  it("has working test buttons in the sandbox only, and rejects forged submissions", async () => {
    const { body } = await server.request("/embed/order?lang=de");
    const press = (step: string, headers: Record<string, string> = {}, form_token = formTokenOf(body)) =>
      server.request(`/embed/order/${step}?lang=de`, {
        method: "POST",
        headers: { Origin: server.origin, "Content-Type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams({ form_token }).toString(),
      });
    const declined = await press("sandbox-decline");
    expect([declined.status, declined.headers.get("location")]).toEqual([
      303,
      "/embed/order?lang=de&said=declined",
    ]);
    expect(noticeOf((await server.request("/embed/order?said=declined")).body)).toBe("declined");
    expect(noticeOf((await server.request("/embed/order?said=anything")).body)).toBeUndefined();
    expect((await press("sandbox-approve", { Origin: "https://shop.example" })).status).toBe(403);
    expect((await press("pay")).status).toBe(404);
    expect((await press("sandbox-approve", {}, "forged")).headers.get("location")).toContain(
      "said=form_rejected",
    );
    expect(textOf((await server.request("/embed/order")).body)).toContain("Waiting for your payment");
    expect((await press("sandbox-approve")).headers.get("location")).toBe("/embed/order?lang=de");
    const paid = await server.request("/embed/order");
    expect(textById(paid.body, "pay-status")).toBe("Paid €41.50");
    expect(textOf(paid.body)).toContain("Kiosk Nord has received your payment.");
    expect((await server.request("/embed/live")).body).not.toContain("<form");
  });

  it("loads a single script of less than 4 KB gzipped", async () => {
    const { body } = await server.request("/embed/order");
    const [, script = ""] = /<script src="([^"]+)"/.exec(body) ?? [];
    expect(script).toMatch(/^\/assets\/embed\.js\?v=/);
    expect(body.match(/<script/g)).toHaveLength(1);
    expect(gzipSync((await server.request(script)).body).length).toBeLessThan(MAX_FRAME_SCRIPT);
  });
});

describe("tillgate.js", () => {
  it("is smaller than 3.5 KB gzipped, can be loaded from any origin, and uses no cookies or browser storage", async () => {
    const { body, headers, status } = await server.request("/tillgate.js");
    expect([status, headers.get("content-type")]).toEqual([200, expect.stringContaining("javascript")]);
    expect(gzipSync(body).length).toBeLessThan(MAX_SHOP_SCRIPT);
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(headers.get("cache-control")).toBe("public, max-age=300");
    expect(body).not.toMatch(/\bcookie\b|localStorage|sessionStorage|window\.open/);
  });
});
