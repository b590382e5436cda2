import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { payableView, timestamp } from "../fake-api";
import { type PageServer, PageServer as Server } from "../page-server";

/** Maximum gzipped bytes of page, script and style. */
const MAX_SCRIPT = 4.75 * 1024;
const MAX_STYLE = 4 * 1024;
const MAX_HTML = 8 * 1024;

const server = await Server.shared();
beforeAll(() => {
  server.api.orders.set("order", payableView("order"));
  const paid = { status: "PAID", trx_id: "TRX-204817736512", paid_at: timestamp(Date.now()) } as const;
  server.api.orders.set("paid", payableView("paid", paid));
});

const addresses = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, address]) => address ?? "");
const weight = (text: string): number => gzipSync(text).length;

describe("a page", () => {
  it.each(["/pay/order", "/pay/paid"])(
    "has one small script and one small stylesheet, both self-hosted: %s",
    async (path) => {
      const { body } = await server.request(path);
      const scripts = addresses(body, /<script([^>]*)>/g);
      expect(scripts).toHaveLength(1);
      const [script = ""] = addresses(body, /<script src="([^"]+)"/g);
      const styles = addresses(body, /<link rel="stylesheet" href="([^"]+)"/g);
      expect(script).toMatch(/^\/assets\/checkout\.js\?v=[0-9a-f]{12}$/);
      expect(styles).toEqual([expect.stringMatching(/^\/assets\/page\.css\?v=[0-9a-f]{12}$/)]);
      expect(weight(body)).toBeLessThan(MAX_HTML);
      expect(weight((await server.request(script)).body)).toBeLessThan(MAX_SCRIPT);
      expect(weight((await server.request(styles[0] ?? "")).body)).toBeLessThan(MAX_STYLE);
      expect(body).not.toContain("/_next/");
    },
  );

  it.each(["/pay/unknown", "/nothing", "/pay/order/pay"])(
    "has no script if it is static: %s",
    async (path) => {
      const { body } = await server.request(path);
      expect(body).not.toContain("<script");
      expect(body).not.toContain("/_next/");
    },
  );

  it.each(["/pay/order", "/pay/paid", "/embed/order", "/wallet/sign-in"])(
    "has a render-blocking script, so that the layout does not shift: %s",
    async (path) => {
      const { body } = await server.request(path);
      expect(addresses(body, /<script([^>]*)>/g)).toEqual([
        expect.stringMatching(/ defer="" blocking="render"/),
      ]);
    },
  );

  it("loads nothing from other hosts", async () => {
    const { body } = await server.request("/pay/order");
    const loaded = addresses(body, /(?:src|href|action)="([^"]+)"/g);
    expect(loaded.filter((address) => !address.startsWith("/"))).toEqual([]);
    // Without configured terms there are no legal links.
    expect(body).not.toContain("pay-terms");
    expect(body).not.toContain("pay-privacy");
  });

  it("has no inline script or style that the policy would need to allow", async () => {
    for (const path of ["/pay/order", "/pay/paid", "/nothing"]) {
      const { body } = await server.request(path);
      expect(body).not.toMatch(/ style="|<style|<script>| on\w+="/);
    }
  });

  it("has assets that are cached for a year, because their URLs contain a content hash", async () => {
    const { body } = await server.request("/pay/order");
    const [script = ""] = addresses(body, /<script src="([^"]+)"/g);
    const { headers } = await server.request(script);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });
});

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

describe("response headers", () => {
  it.each(["/pay/order", "/pay/unknown", "/nothing", "/pay/order/status", "/assets/page.css", "/healthz"])(
    "forbid framing, MIME sniffing and third-party code: %s",
    async (path) => {
      const { headers } = await server.request(path);
      expect(headers.get("content-security-policy")).toBe(policy);
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("permissions-policy")).toContain("payment=()");
      expect(headers.get("x-powered-by")).toBeNull();
      expect(headers.get("strict-transport-security")).toBeNull();
    },
  );

  it("keep orders out of caches and search engines", async () => {
    const { headers, body } = await server.request("/pay/order");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toContain('<meta name="robots" content="noindex"/>');
    expect((await server.request("/robots.txt")).body).toContain("Disallow: /");
  });
});

describe("GET /pay/logos/{id}", () => {
  const id = "0123456789abcdef".repeat(4);
  beforeAll(() => void server.api.logos.set(id, Buffer.from("picture")));

  it("returns the logo from the page's origin, cacheable indefinitely, with nosniff", async () => {
    const { status, headers, body } = await server.request(`/pay/logos/${id}`);
    expect([status, body]).toEqual([200, "picture"]);
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toBe(policy);
    expect(headers.getSetCookie()).toEqual([]);
    const known = { "If-None-Match": headers.get("etag") ?? "" };
    expect((await server.request(`/pay/logos/${id}`, { headers: known })).status).toBe(304);
  });

  it("returns 404 for an unknown ID, and for a malformed ID without calling the API", async () => {
    const missing = await server.request(`/pay/logos/${"0".repeat(64)}`);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, "no-store"]);
    const before = server.api.seen.length;
    for (const path of ["x", `${id}0`, id.toUpperCase(), "%2e%2e%2forders"]) {
      expect((await server.request(`/pay/logos/${path}`)).status, path).toBe(404);
    }
    expect(server.api.seen.length).toBe(before);
  });
});

describe("a page served over HTTPS", () => {
  let secure: PageServer;
  beforeAll(async () => {
    secure = await Server.start({ TILLGATE_PAY_URL: "https://pay.example.com" });
    secure.api.orders.set("order", payableView("order"));
  });
  afterAll(() => secure.stop());

  it("sends HSTS, sets prefixed secure cookies, and accepts forms only from its public origin", async () => {
    const visitor = secure.visitor();
    const { headers } = await visitor.get("/pay/order");
    expect(headers.get("strict-transport-security")).toMatch(/^max-age=\d{8}$/);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-tillgate_pay_visitor=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
      expect.stringMatching(
        /^__Secure-tillgate_pay_witness=[^;]+; Path=\/pay\/order; HttpOnly; SameSite=Lax; Secure; Max-Age=\d+$/,
      ),
    ]);
    const response = await visitor.step("order", "sandbox-decline");
    expect(response.status).toBe(303);
    expect(response.headers.getSetCookie().join()).toMatch(/__Secure-tillgate_pay_notice=.*; Secure/);
    const { form_token } = { form_token: "x" };
    const foreign = await visitor.post("/pay/order/cancel", { form_token }, { Origin: secure.origin });
    expect(foreign.status).toBe(403);
  });
});
