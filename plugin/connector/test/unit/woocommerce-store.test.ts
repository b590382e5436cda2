import { createServer, type ServerResponse } from "node:http";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StoreError } from "../../src/store/store-access.js";
import { woocommerceStore } from "../../src/store/woocommerce-store.js";
import { listenLocally } from "../integration/fakes/listen-locally.js";

const consumerKey = "ck_0a1b2c3d4e5f60718293a4b5c6d7e8f901234567";
const consumerSecret = "cs_1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c";

let reply: (response: ServerResponse) => void;
const seen: string[] = [];
let url: string;
let close: () => Promise<void>;
beforeAll(async () => {
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    reply(response);
  });
  ({ url, close } = await listenLocally(server));
});
afterAll(() => close());

const store = () => woocommerceStore({ url, consumerKey, consumerSecret, timeoutMs: 1_000 });
const json = (status: number, body: unknown) => (response: ServerResponse) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
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

describe("woocommerceStore", () => {
  it("authenticates with OAuth 1.0a over http, and reads times as UTC", async () => {
    reply = json(200, order);
    expect(await store().order(12)).toMatchObject({ id: 12, modifiedAt: new Date("2026-11-21T10:00:00Z") });
    expect(seen.at(-1)).toMatch(/^GET \/wp-json\/wc\/v3\/orders\/12\?.*oauth_signature=/);
    expect(seen.at(-1)).not.toContain(consumerSecret);
  });

  it("returns null for an unknown order", async () => {
    reply = json(404, { code: "woocommerce_rest_shop_order_invalid_id", message: "Invalid ID." });
    expect(await store().order(12)).toBeNull();
  });

  it("throws if the REST API is missing, instead of treating the order as deleted", async () => {
    reply = json(404, { code: "rest_no_route", message: "No route was found" });
    expect((await failure(store().order(12))).failure).toBe("refused");
  });

  it("names the missing resource if it isn't an order", async () => {
    reply = (response) =>
      seen.at(-1)?.includes("/data/currencies/current")
        ? json(404, { code: "woocommerce_rest_data_invalid_currency", message: "Invalid currency." })(
            response,
          )
        : json(200, { ...order, currency: "BHD", total: "1.00" })(response);
    const { message } = await failure(store().order(12));
    expect(message).toBe("GET data/currencies/current: not found in the store (HTTP 404)");
  });

  it.each([
    [500, "failed"],
    [401, "credentials"],
    [403, "credentials"],
    [400, "refused"],
  ] as const)("maps HTTP %i to the failure %s", async (status, kind) => {
    reply = json(status, { code: "some_error", message: "No" });
    expect((await failure(store().order(12))).failure).toBe(kind);
  });

  it("doesn't send the keys to a redirect target", async () => {
    reply = (response) => response.writeHead(301, { location: `${url}/elsewhere` }).end();
    const before = seen.length;
    expect((await failure(store().order(12))).failure).toBe("redirect");
    expect(seen.length).toBe(before + 1);
  });

  it("masks the consumer secret in errors", async () => {
    const errors = [
      await failure(woocommerceStore({ url: "http://127.0.0.1:1", consumerKey, consumerSecret }).order(1)),
    ];
    reply = json(401, { code: "bad", message: `Consumer secret ${consumerSecret} is invalid` });
    errors.push(await failure(store().order(12)));
    reply = (response) => response.destroy();
    errors.push(await failure(store().change(12, { status: "failed" })));
    for (const error of errors) {
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(consumerSecret);
      expect(JSON.stringify(error)).not.toContain(consumerSecret);
    }
  });
});
