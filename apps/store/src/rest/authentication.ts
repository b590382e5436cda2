import { createHash, createHmac } from "node:crypto";
import type { Request, RequestHandler } from "express";
import { type Config, limits } from "../config.js";
import type { Database } from "../database/database.js";
import { isSameSecret } from "../same-secret.js";
import { RestError, readQuery } from "./rest-request.js";

const encodeRfc3986 = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export type SignedRequest = {
  method: string;
  /** URL without the query, as called by the client. */
  address: string;
  parameters: Record<string, string>;
  consumerSecret: string;
};

/** Computes an OAuth 1.0a signature with HMAC-SHA256 according to WooCommerce's one-legged rules: no token, parameters sorted by name. */
export function computeOauthSignature(request: SignedRequest): string {
  const query = Object.entries(request.parameters)
    .filter(([name]) => name !== "oauth_signature")
    .map(([name, value]) => [encodeRfc3986(name), encodeRfc3986(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const base = `${request.method.toUpperCase()}&${encodeRfc3986(request.address)}&${encodeRfc3986(query)}`;
  return createHmac("sha256", `${request.consumerSecret}&`).update(base).digest("base64");
}

const unauthorized = (message: string, code = "woocommerce_rest_authentication_error"): RestError =>
  new RestError(code, message, 401);

const oauthNames = [
  "oauth_consumer_key",
  "oauth_timestamp",
  "oauth_nonce",
  "oauth_signature",
  "oauth_signature_method",
];

const isLoopback = (address: string | undefined): boolean =>
  address === "::1" || /^(::ffff:)?127\./.test(address ?? "");

export type RestKey = Pick<Config, "storeUrl" | "basicOverHttp" | "consumerKey" | "consumerSecret">;

/** Requires the shop's REST key, and responds with WooCommerce's errors. */
export const createAuthentication =
  (database: Database, key: RestKey): RequestHandler =>
  async (request, _response, next) => {
    const has = authenticateBasic(request, key) || (await authenticateOAuth(database, request, key));
    next(has ? undefined : missingKeyError(request));
  };

/** Checks Basic authentication over HTTPS or, if configured, local HTTP; false if the request has no known key. @throws RestError 401 for a wrong secret */
function authenticateBasic(
  request: Request,
  { basicOverHttp, consumerKey, consumerSecret }: RestKey,
): boolean {
  const open = basicOverHttp === "loopback" && isLoopback(request.socket.remoteAddress);
  const header = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(request.get("authorization") ?? "")?.[1];
  if (header === undefined || !(request.secure || open)) return false;
  const [name = "", ...secret] = Buffer.from(header, "base64").toString("utf8").split(":");
  if (!isSameSecret(name, consumerKey)) return false;
  if (!isSameSecret(secret.join(":"), consumerSecret)) throw unauthorized("Consumer secret is invalid.");
  return true;
}

async function authenticateOAuth(database: Database, request: Request, key: RestKey): Promise<boolean> {
  const parameters = readQuery(request);
  const missing = oauthNames.filter((name) => !parameters[name]);
  if (missing.length === oauthNames.length) return false;
  if (missing.length > 0) {
    const message = `Missing OAuth parameter${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
    throw unauthorized(message, "woocommerce_rest_authentication_missing_parameter");
  }
  const { oauth_consumer_key = "", oauth_timestamp = "", oauth_nonce = "" } = parameters;
  if (!isSameSecret(oauth_consumer_key, key.consumerKey)) throw unauthorized("Consumer key is invalid.");
  checkSignature(request, parameters, key);
  await consumeNonce(database, oauth_timestamp, oauth_nonce);
  return true;
}

function checkSignature(request: Request, parameters: Record<string, string>, key: RestKey): void {
  if (parameters.oauth_signature_method !== "HMAC-SHA256") {
    throw unauthorized("Invalid signature - signature method is invalid.");
  }
  const path = request.originalUrl.split("?")[0] ?? "";
  const { consumerSecret } = key;
  // The client signs the URL it called: the public URL or, without a proxy, the one in this request.
  const origins = [key.storeUrl, `${request.protocol}://${request.get("host") ?? ""}`];
  const matches = origins.some((origin) =>
    isSameSecret(
      parameters.oauth_signature ?? "",
      computeOauthSignature({
        method: request.method,
        address: `${origin}${path}`,
        parameters,
        consumerSecret,
      }),
    ),
  );
  if (!matches) throw unauthorized("Invalid signature - provided signature does not match.");
}

/** Consumes a nonce. Of several simultaneous requests with the same nonce, only one succeeds. @throws RestError 401 if the timestamp or the nonce is invalid */
async function consumeNonce(database: Database, timestamp: string, nonce: string): Promise<void> {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : 0;
  if (Math.abs(Date.now() / 1000 - seconds) > limits.oauthWindowSeconds)
    throw unauthorized("Invalid timestamp.");
  await database.query("DELETE FROM api_nonce WHERE expires_at < now()");
  const { rowCount } = await database.query(
    `INSERT INTO api_nonce (nonce, expires_at)
     VALUES ($1, to_timestamp($2::bigint) + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
    [createHash("sha256").update(nonce).digest("hex"), seconds, limits.oauthWindowSeconds + 1],
  );
  if (rowCount === 0) throw unauthorized("Invalid nonce - nonce has already been used.");
}

function missingKeyError({ method, path }: Request): RestError {
  const isOne = /\/\d+\/?$/.test(path);
  const view = isOne ? "Sorry, you cannot view this resource." : "Sorry, you cannot list resources.";
  const [verb, message] =
    method === "GET" || method === "HEAD"
      ? ["view", view]
      : method === "POST"
        ? ["create", "Sorry, you are not allowed to create resources."]
        : method === "PUT"
          ? ["edit", "Sorry, you are not allowed to edit this resource."]
          : ["delete", "Sorry, you are not allowed to delete this resource."];
  return unauthorized(message, `woocommerce_rest_cannot_${verb}`);
}
