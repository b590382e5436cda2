import { afterEach, describe, expect, it, vi } from "vitest";
import type { CheckResponse } from "../../src/connect/check-request.js";
import { checkStore } from "../../src/connect/check-store.js";
import { checkWebhook } from "../../src/connect/check-tillgate.js";
import { fail, formatReport, ok, warn } from "../../src/connect/finding.js";
import type { StoreApi } from "../../src/connect/store-api.js";
import { ensureWebhooks } from "../../src/connect/store-webhooks.js";

const callbackUrl = "https://pay.shop.example/v1/stores/shop/webhook";

const respond = async (status: number, body: unknown): Promise<CheckResponse> => ({
  status,
  body,
  isPage: false,
  date: null,
  location: null,
});

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a webhook test that fails", () => {
  const access = {
    url: "https://api.tillgate.example",
    mode: "sandbox",
    clientId: "id",
    clientSecret: "secret",
  } as const;

  it.each([
    ["html_answer", 200, "it returned a page: something is in front of the connector"],
    ["redirect", 302, "it redirects, and webhooks don't follow redirects"],
    ["connection", null, "connection failed"],
    ["http_status", 502, "HTTP 502"],
  ])("is explained: %s", async (error, http_status, reason) => {
    const data = { delivered: false, http_status, latency_ms: null, error };
    vi.stubGlobal("fetch", async () => Response.json({ data }));
    const { text } = await checkWebhook(access, callbackUrl);
    expect(text).toBe(`Tillgate's webhooks don't reach ${callbackUrl}: ${reason}.`);
  });
});

it.each([
  ["JPY", 1, "The store uses 1 decimal for JPY, which has 0."],
  ["EUR", 3, "The store uses 3 decimals for EUR, which has 2."],
])(
  "too many decimals for %s in the store (%i) are reported with the currency's number of decimals",
  async (currency, decimals, text) => {
    vi.stubGlobal("fetch", async () => Response.json({ namespaces: ["wc/v3"] }));
    const settings = { currency, number_of_decimals: decimals };
    const { findings } = await checkStore(
      "https://shop.example",
      {
        get: (path) =>
          respond(200, path === "orders" ? [] : { environment: { version: "10.0.0" }, settings }),
        put: () => respond(400, { code: "woocommerce_rest_shop_order_invalid_id", message: "" }),
        post: () => respond(400, { code: "woocommerce_rest_shop_webhook_invalid_topic", message: "" }),
        dropsAuthorization: () => false,
      },
      Date.now,
    );
    expect(findings.at(-1)?.text).toContain(text);
  },
);

describe("a webhook that the store does not save", () => {
  const storeResponding = (body: unknown): StoreApi => {
    return {
      get: () => respond(200, []),
      post: () => respond(500, body),
      put: () => respond(500, body),
      dropsAuthorization: () => false,
    };
  };

  it.each([
    ["the store's message", { code: "error", message: "Sorry" }, "“Sorry” (HTTP 500)"],
    ["the status only, without a message", null, "HTTP 500"],
  ])("is reported with %s", async (_what, body, reason) => {
    const options = { deliveryUrl: callbackUrl, secret: "secret", checkOnly: false };
    const [finding] = await ensureWebhooks(storeResponding(body), options);
    expect(finding?.text).toBe(`The store's webhook order.updated couldn't be saved: ${reason}.`);
  });
});

describe("the report", () => {
  const [good, doubtful, bad] = [ok("Fine."), warn("Unclear.", "Look."), fail("Wrong.", "Fix it.")];

  it.each([
    [[good], "All checks passed."],
    [[good, doubtful], "No errors, but check the warnings above."],
    [[good, doubtful, bad], "Fix 1 problem, then run this command again."],
  ])("ends with the overall result: %#", (findings, result) => {
    expect(formatReport(findings).trimEnd().split("\n").at(-1)).toBe(result);
  });
});
