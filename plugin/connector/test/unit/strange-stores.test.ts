import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, globalAgent } from "node:https";
import { generate } from "selfsigned";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { likelyCause } from "../../src/health/likely-cause.js";
import { StoreError } from "../../src/store/store-access.js";
import { woocommerceStore } from "../../src/store/woocommerce-store.js";
import { listenLocally } from "../integration/fakes/listen-locally.js";

const consumerKey = "ck_0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
const consumerSecret = "cs_1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c";

let reply: (response: ServerResponse, request: IncomingMessage) => unknown;
const seen: IncomingMessage[] = [];
const listener = (request: IncomingMessage, response: ServerResponse) => {
  seen.push(request);
  reply(response, request);
};
let plain: Awaited<ReturnType<typeof listenLocally>>;
let secure: Awaited<ReturnType<typeof listenLocally>>;
let certificate: string;

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] }],
  });
  certificate = cert;
  plain = await listenLocally(createServer(listener));
  secure = await listenLocally(createTlsServer({ key, cert }, listener));
});
afterEach(() => {
  delete globalAgent.options.ca;
  seen.length = 0;
});
afterAll(() => Promise.all([plain.close(), secure.close()]));

const store = (url = plain.url, timeoutMs = 1_000) =>
  woocommerceStore({ url, consumerKey, consumerSecret, timeoutMs });
const secureUrl = () => secure.url.replace("http:", "https:");
const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
const page =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "text/html", ...headers }).end("<h1>Hello</h1>");
const failure = async (call: Promise<unknown>): Promise<StoreError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
  throw new Error("the call should have failed");
};

const order = {
  id: 12,
  number: "12",
  status: "pending",
  currency: "EUR",
  total: "41.50",
  order_key: "wc_order_a",
  payment_method: "tillgate",
  transaction_id: "",
  date_modified_gmt: "2026-11-21T10:00:00",
};

describe("an order changed by other plugins", () => {
  it("can be read without an order key, with a nameless item and with unknown fields", async () => {
    reply = json(200, {
      ...order,
      order_key: "",
      line_items: [{ name: null, quantity: null, meta: { a: [null] } }],
    });
    expect(await store().order(12)).toMatchObject({ orderKey: "", items: [{ name: "", quantity: 1 }] });
  });

  it("is read even if PHP warnings precede it in the response", async () => {
    reply = (response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<br />\n<b>Warning</b>: Undefined array key [x] in {y} on line 7<br />\n${JSON.stringify(order)}`,
        );
    expect(await store().order(12)).toMatchObject({ id: 12, total: "41.50" });
  });

  it("is skipped in the list of changes if it is unreadable", async () => {
    reply = json(200, [{ id: 7, date_modified_gmt: "2026-11-21T10:00:00" }, { id: "x" }, null, { id: 8 }]);
    expect(await store().ordersModifiedAfter(new Date(), 1)).toMatchObject({
      changes: [{ id: 7 }],
      skipped: 3,
    });
  });
});

describe("an order in a currency with more decimals than the shop's", () => {
  const lines = {
    line_items: [{ id: 1, total: "100.000000", taxes: [{ id: 9, total: "19.000000" }] }],
    shipping_lines: [{ id: 2, total: "5.450000", taxes: [{ id: 9, total: "" }] }],
    fee_lines: [{ id: 3, total: "-1.000000" }],
  };
  const shop =
    (currency: string, total: string, ofLines: object = lines) =>
    (response: ServerResponse, { url = "" }: IncomingMessage) => {
      if (url.includes("currencies/current")) return json(200, { code: "KRW" })(response);
      return json(200, url.includes("dp=6") ? ofLines : { ...order, currency, total })(response);
    };
  it.each([
    [
      "the sum of the lines as its total if it is not in the shop's currency and its total has too few decimals",
      "USD",
      "123",
      "123.45",
    ],
    ["the stated total if it is in the shop's currency", "KRW", "123", "123"],
    ["the stated total if it has the currency's decimals", "USD", "123.00", "123.00"],
    ["the stated total if the lines do not add up to it", "USD", "130", "130"],
  ])("is read with %s", async (_name, currency, total, exact) => {
    reply = shop(currency, total);
    expect((await store().order(12))?.total).toBe(exact);
  });

  it("is read with the exact sum of its lines, rounded as at checkout, as its total", async () => {
    reply = shop("USD", "12", {
      line_items: [{ id: 1, total: "10.374790", taxes: [{ id: 9, total: "1.971210" }] }],
    });
    expect((await store().order(12))?.total).toBe("12.35");
  });
});

describe("a store's host", () => {
  it.each([
    [
      "redirects",
      page(301, { location: "https://www.shop.example/" }),
      "redirect",
      "https://www.shop.example/",
    ],
    ["requires HTTP authentication", page(401, { "www-authenticate": "Basic" }), "password", "401"],
    ["blocks the REST API", page(403), "blocked", "403"],
    ["is in maintenance mode", page(503), "maintenance", "503"],
    ["has plain permalinks", page(404), "permalinks", "404"],
    ["returns a web page", page(200), "answer", "HTML instead of JSON"],
    ["rejects the keys", json(401, { code: "woocommerce_rest_x", message: "No" }), "credentials", "No"],
    ["fails", page(500), "failed", "500"],
  ] as const)("is reported with a specific cause if it %s", async (_name, respond, kind, text) => {
    reply = respond;
    const error = await failure(store().order(12));
    expect(error.failure).toBe(kind);
    expect(error.message).toContain(text);
    expect(likelyCause(error).cause).toBe(`store_${kind}`);
  });

  it("has its Retry-After included in the error if it limits requests", async () => {
    reply = json(429, { code: "rate_limit", message: "Slow down" }, { "retry-after": "90" });
    expect(await failure(store().order(12))).toMatchObject({ failure: "rate_limit", retryAfterMs: 90_000 });
  });

  it("causes a timeout error if it does not respond in time", async () => {
    reply = () => undefined;
    expect((await failure(store(plain.url, 50).order(12))).failure).toBe("timeout");
  });

  it("causes a certificate error if its certificate is self-signed", async () => {
    reply = json(200, order);
    expect((await failure(store(secureUrl()).order(12))).failure).toBe("certificate");
  });

  it("gets the keys in the query string, over https only, if it drops the Authorization header", async () => {
    globalAgent.options.ca = certificate;
    reply = (response, { url = "" }) =>
      url.includes("consumer_secret=")
        ? json(200, order)(response)
        : json(401, { code: "woocommerce_rest_cannot_view", message: "No" })(response);
    const one = store(secureUrl());
    expect(await one.order(12)).toMatchObject({ id: 12 });
    expect(await one.order(12)).toMatchObject({ id: 12 });
    expect(seen.map(({ url = "" }) => url.includes(consumerSecret))).toEqual([false, true, true]);
    seen.length = 0;
    expect((await failure(store().order(12))).failure).toBe("credentials");
    expect(seen.some(({ url = "" }) => url.includes("consumer_secret"))).toBe(false);
  });

  it.each([
    ["once if the query is rejected too", json(401, { code: "woocommerce_rest_cannot_view" }), 1],
    [
      "once if a firewall blocks the query",
      (response: ServerResponse, { url = "" }: IncomingMessage) =>
        url.includes("consumer_secret=")
          ? page(403)(response)
          : json(401, { code: "woocommerce_rest_cannot_view" })(response),
      1,
    ],
    [
      "never if WooCommerce reports that they are wrong",
      json(401, { code: "woocommerce_rest_authentication_error" }),
      0,
    ],
    ["never if the web server requires HTTP authentication", page(401, { "www-authenticate": "Basic" }), 0],
  ] as const)("gets the keys in the query string: %s", async (_name, respond, times) => {
    globalAgent.options.ca = certificate;
    reply = respond;
    const one = store(secureUrl());
    await failure(one.order(12));
    await failure(one.order(12));
    expect(seen.filter(({ url = "" }) => url.includes(consumerSecret))).toHaveLength(times);
  });
});
