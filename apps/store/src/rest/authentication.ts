import { createHash } from "node:crypto";
import type { Request } from "express";
import { type Config, limits } from "../config.js";
import { type Database, firstRow } from "../database/database.js";
import { oauthSignature, sameSecret } from "./oauth.js";
import { type PhpObject, parsePhpQuery } from "./php-query.js";
import { RestError } from "./rest-error.js";

interface ApiKey {
  id: bigint;
  permissions: "read" | "write" | "read_write";
  consumer_secret: string;
}

const refused = (message: string, code = "woocommerce_rest_authentication_error"): RestError =>
  new RestError(code, message, 401);

const oauthNames = [
  "oauth_consumer_key",
  "oauth_timestamp",
  "oauth_nonce",
  "oauth_signature",
  "oauth_signature_method",
];

/** Makes the key that the settings name good for reading and writing, and leaves no other one good. */
export async function storeApiKey(database: Database, key: string, secret: string): Promise<void> {
  const hash = createHash("sha256").update(key).digest();
  await database.transaction(async (transaction) => {
    await transaction.query("DELETE FROM api_key WHERE consumer_key_hash <> $1", [hash]);
    await transaction.query(
      `INSERT INTO api_key (description, permissions, consumer_key_hash, consumer_secret)
       VALUES ('From the settings', 'read_write', $1, $2)
       ON CONFLICT (consumer_key_hash) DO UPDATE SET consumer_secret = excluded.consumer_secret`,
      [hash, secret],
    );
  });
}

const isLoopback = (address: string | undefined): boolean =>
  address === "::1" || /^(::ffff:)?127\./.test(address ?? "");

/** Tells who sends a REST request, by the rules and in the words of WooCommerce. */
export class Authentication {
  readonly #database: Database;
  readonly #config: Pick<Config, "storeUrl" | "basicOverHttp">;

  constructor(database: Database, config: Pick<Config, "storeUrl" | "basicOverHttp">) {
    this.#database = database;
    this.#config = config;
  }

  /**
   * @param form a form body, whose parameters are signed too.
   * @returns whether a key was given and is good for this method; false for a request without a key.
   * @throws RestError with 401 when a key is given and wrong.
   */
  async authenticate(request: Request, form: PhpObject): Promise<boolean> {
    const query = parsePhpQuery(request.originalUrl.split("?").slice(1).join("?"));
    const key = (await this.#byBasic(request, query)) ?? (await this.#byOAuth(request, query, form));
    if (!key) return false;
    allow(key, request.method);
    await this.#database.query("UPDATE api_key SET last_access_at = now() WHERE id = $1", [key.id]);
    return true;
  }

  /** Over HTTPS a key may come in the query or by Basic. */
  async #byBasic(request: Request, query: PhpObject): Promise<ApiKey | undefined> {
    const open = this.#config.basicOverHttp === "loopback" && isLoopback(request.socket.remoteAddress);
    if (!request.secure && !open) return undefined;
    const inQuery = request.secure ? [query.consumer_key, query.consumer_secret] : [];
    const [name, secret] =
      inQuery[0] && inQuery[1] ? inQuery : basicCredentials(request.get("authorization"));
    if (typeof name !== "string" || typeof secret !== "string") return undefined;
    const key = await this.#findKey(name);
    if (!key) return undefined;
    if (!sameSecret(key.consumer_secret, secret)) throw refused("Consumer secret is invalid.");
    return key;
  }

  async #byOAuth(request: Request, query: PhpObject, form: PhpObject): Promise<ApiKey | undefined> {
    const parameters: PhpObject = Object.assign(
      Object.create(null),
      query,
      form,
      headerParameters(request.get("authorization")),
    );
    const missing = oauthNames.filter((name) => !parameters[name]);
    if (missing.length === oauthNames.length) return undefined;
    if (missing.length > 0) {
      const message = `Missing OAuth parameter${missing.length > 1 ? "s" : ""} ${missing.join(", ")}`;
      throw refused(message, "woocommerce_rest_authentication_missing_parameter");
    }
    const key = await this.#findKey(String(parameters.oauth_consumer_key));
    if (!key) throw refused("Consumer key is invalid.");
    this.#checkSignature(request, parameters, key);
    await this.#takeNonce(key, String(parameters.oauth_timestamp), String(parameters.oauth_nonce));
    return key;
  }

  #checkSignature(request: Request, parameters: PhpObject, key: ApiKey): void {
    const method = parameters.oauth_signature_method;
    if (method !== "HMAC-SHA1" && method !== "HMAC-SHA256") {
      throw refused("Invalid signature - signature method is invalid.");
    }
    const path = request.originalUrl.split("?")[0] ?? "";
    // The public address, or the one that was called: behind a proxy they differ.
    const origins = new Set([this.#config.storeUrl, `${request.protocol}://${request.get("host") ?? ""}`]);
    const given = decoded(String(parameters.oauth_signature).replaceAll(" ", "+"));
    const matches = [...origins].some((origin) =>
      sameSecret(
        given,
        oauthSignature({
          method: request.method,
          address: `${origin}${path}`,
          parameters,
          algorithm: method === "HMAC-SHA1" ? "sha1" : "sha256",
          consumerSecret: key.consumer_secret,
        }),
      ),
    );
    if (!matches) throw refused("Invalid signature - provided signature does not match.");
  }

  /** A nonce counts once, for as long as its timestamp is in the window; the insert decides between two at once. */
  async #takeNonce(key: ApiKey, timestamp: string, nonce: string): Promise<void> {
    const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : 0;
    if (Math.abs(Date.now() / 1000 - seconds) > limits.oauthWindowSeconds)
      throw refused("Invalid timestamp.");
    await this.#database.query("DELETE FROM api_nonce WHERE expires_at < now()");
    const { rowCount } = await this.#database.query(
      `INSERT INTO api_nonce (api_key_id, nonce, expires_at)
       VALUES ($1, $2, to_timestamp($3::bigint) + make_interval(secs => $4)) ON CONFLICT DO NOTHING`,
      [key.id, createHash("sha256").update(nonce).digest("hex"), seconds, limits.oauthWindowSeconds + 1],
    );
    if (rowCount === 0) throw refused("Invalid nonce - nonce has already been used.");
  }

  #findKey(consumerKey: string): Promise<ApiKey | undefined> {
    const hash = createHash("sha256").update(consumerKey).digest();
    return firstRow<ApiKey>(
      this.#database,
      "SELECT id, permissions, consumer_secret FROM api_key WHERE consumer_key_hash = $1",
      [hash],
    );
  }
}

function allow(key: ApiKey, method: string): void {
  const reads = method === "GET" || method === "HEAD";
  const kind = reads ? "read" : "write";
  if (method === "OPTIONS" || key.permissions === "read_write" || key.permissions === kind) return;
  throw refused(`The API key provided does not have ${kind} permissions.`);
}

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    // A signature that is not encoded properly is compared as it came and does not match.
    return value;
  }
};

function basicCredentials(header: string | undefined): string[] {
  const match = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(header ?? "");
  if (!match?.[1]) return [];
  const text = Buffer.from(match[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? [] : [text.slice(0, colon), text.slice(colon + 1)];
}

/** `Authorization: OAuth oauth_nonce="…", …`. */
function headerParameters(header: string | undefined): PhpObject {
  const parameters: PhpObject = Object.create(null);
  if (!header?.startsWith("OAuth ")) return parameters;
  // Values are percent-encoded, so that no comma is part of one.
  for (const part of header.slice("OAuth ".length).split(",")) {
    const equals = part.indexOf("=");
    const name = part.slice(0, Math.max(0, equals)).trim();
    const value = part.slice(equals + 1).trim();
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    if (/^oauth_[a-z_-]{0,32}$/.test(name)) parameters[name] = decoded(isQuoted ? value.slice(1, -1) : value);
  }
  return parameters;
}
