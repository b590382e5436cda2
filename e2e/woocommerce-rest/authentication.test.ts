import { createHmac, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { consumerKey, consumerSecret, realShop, request, restUrl } from "./store.js";

const overHttp = restUrl.startsWith("http:");

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

type Signing = {
  method?: string;
  path?: string;
  key?: string;
  secret?: string;
  algorithm?: "sha1" | "sha256";
  timestamp?: number;
  nonce?: string;
  /** Parameters excluded from the signature. */
  unsigned?: Record<string, string>;
  /** Parameters removed after signing. */
  without?: string[];
  query?: Record<string, string>;
};

/** Builds a signed address by hand according to RFC 5849, independent of the client library. */
function signedAddress(signing: Signing = {}): string {
  const { method = "GET", path = "orders", algorithm = "sha256" } = signing;
  const parameters: Record<string, string> = {
    ...signing.query,
    oauth_consumer_key: signing.key ?? consumerKey,
    oauth_nonce: signing.nonce ?? randomBytes(16).toString("hex"),
    oauth_signature_method: algorithm === "sha1" ? "HMAC-SHA1" : "HMAC-SHA256",
    oauth_timestamp: String(signing.timestamp ?? Math.floor(Date.now() / 1000)),
    oauth_version: "1.0",
  };
  const address = `${restUrl}/${path}`;
  const pairs = Object.entries(parameters)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const signature = createHmac(algorithm, `${signing.secret ?? consumerSecret}&`)
    .update(`${method}&${encode(address)}&${encode(pairs)}`)
    .digest("base64");
  const all = new URLSearchParams({ ...parameters, ...signing.unsigned, oauth_signature: signature });
  for (const name of signing.without ?? []) all.delete(name);
  return `${address}?${all}`;
}

const get = async (address: string): Promise<{ status: number; body: unknown }> => {
  const response = await fetch(address);
  return { status: response.status, body: await response.json() };
};

const refused = (message: string, code = "woocommerce_rest_authentication_error") => ({
  status: 401,
  body: { code, message, data: { status: 401 } },
});

describe("a request without a key", () => {
  const endpoints: [string, string, string, string][] = [
    ["GET", "orders", "woocommerce_rest_cannot_view", "Sorry, you cannot list resources."],
    ["GET", "orders/1", "woocommerce_rest_cannot_view", "Sorry, you cannot view this resource."],
    ["POST", "orders", "woocommerce_rest_cannot_create", "Sorry, you are not allowed to create resources."],
    ["GET", "webhooks", "woocommerce_rest_cannot_view", "Sorry, you cannot list resources."],
  ];
  for (const [method, path, code, message] of endpoints) {
    it(`is rejected with 401: ${method} ${path}`, async () => {
      const response = await fetch(`${restUrl}/${path}`, { method });
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ code, message, data: { status: 401 } });
    });
  }
});

describe("WooCommerce's client library", () => {
  it("is authenticated by the store", async () => {
    expect(await request("get", "orders", { per_page: 1 })).toMatchObject({ status: 200 });
  });

  it.runIf(realShop)("can send array parameters", async () => {
    expect(await request("get", "orders", { per_page: 1, status: ["pending", "processing"] })).toMatchObject({
      status: 200,
    });
  });
});

describe.skipIf(!overHttp)("OAuth 1.0a over HTTP", () => {
  for (const algorithm of ["sha1", "sha256"] as const) {
    it.runIf(realShop || algorithm === "sha256")(`accepts HMAC-${algorithm.toUpperCase()}`, async () => {
      const query = { per_page: "1", search: "an (odd) search & more" };
      expect(await get(signedAddress({ algorithm, query }))).toMatchObject({ status: 200 });
    });
  }

  it.runIf(realShop)("accepts a signature in the Authorization header", async () => {
    const parameters = [...new URL(signedAddress()).searchParams];
    const header = parameters.map(([name, value]) => `${name}="${encode(value)}"`).join(", ");
    const response = await fetch(`${restUrl}/orders`, { headers: { Authorization: `OAuth ${header}` } });
    expect(response.status).toBe(200);
  });

  it("rejects an unknown key", async () => {
    expect(await get(signedAddress({ key: "ck_nobody" }))).toEqual(refused("Consumer key is invalid."));
  });

  it("rejects a wrong secret, a changed parameter and a different method", async () => {
    const mismatch = refused("Invalid signature - provided signature does not match.");
    expect(await get(signedAddress({ secret: "cs_wrong" }))).toEqual(mismatch);
    expect(await get(signedAddress({ unsigned: { per_page: "5" } }))).toEqual(mismatch);
    expect(await get(signedAddress({ method: "DELETE" }))).toEqual(mismatch);
  });

  it("rejects a timestamp more than 15 minutes off", async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const timestamp of [now - 16 * 60, now + 16 * 60]) {
      expect(await get(signedAddress({ timestamp }))).toEqual(refused("Invalid timestamp."));
    }
    expect(await get(signedAddress({ timestamp: now - 14 * 60 }))).toMatchObject({ status: 200 });
  });

  it("rejects a replayed request", async () => {
    const address = signedAddress();
    expect(await get(address)).toMatchObject({ status: 200 });
    expect(await get(address)).toEqual(refused("Invalid nonce - nonce has already been used."));
  });

  it("rejects a nonce that was already used with a different timestamp", async () => {
    const nonce = randomBytes(16).toString("hex");
    const now = Math.floor(Date.now() / 1000);
    expect(await get(signedAddress({ nonce, timestamp: now }))).toMatchObject({ status: 200 });
    expect(await get(signedAddress({ nonce, timestamp: now - 5 }))).toEqual(
      refused("Invalid nonce - nonce has already been used."),
    );
  });

  it("reports the missing parameters", async () => {
    const code = "woocommerce_rest_authentication_missing_parameter";
    expect(await get(signedAddress({ without: ["oauth_nonce"] }))).toEqual(
      refused("Missing OAuth parameter oauth_nonce", code),
    );
    expect(await get(signedAddress({ without: ["oauth_nonce", "oauth_timestamp"] }))).toEqual(
      refused("Missing OAuth parameters oauth_timestamp, oauth_nonce", code),
    );
  });

  const { WOO_READ_KEY: key, WOO_READ_SECRET: secret } = process.env;
  it.runIf(realShop && key && secret)("lets a read-only key read but not write", async () => {
    const reading = { ...(key && { key }), ...(secret && { secret }) };
    expect(await get(signedAddress(reading))).toMatchObject({ status: 200 });
    const response = await fetch(signedAddress({ ...reading, method: "POST" }), { method: "POST" });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({
      message: "The API key provided does not have write permissions.",
    });
  });
});
