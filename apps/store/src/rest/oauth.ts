import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { PhpObject, PhpValue } from "./php-query.js";

const rfc3986 = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Every `name=value`, encoded as a whole; nested names are `a%5Bb%5D`, as WooCommerce joins them. */
function joined(name: string, value: PhpValue): string[] {
  if (typeof value === "string") return [rfc3986(`${name}=${rfc3986(value)}`)];
  return Object.entries(value).flatMap(([key, inner]) => joined(`${name}%5B${key}%5D`, inner));
}

const byBytes = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));

export interface SignedRequest {
  method: string;
  /** Address without the query, as the client called it. */
  address: string;
  /** Every parameter of the query and of a form body. */
  parameters: PhpObject;
  algorithm: "sha1" | "sha256";
  consumerSecret: string;
}

/** The OAuth 1.0a signature of a request, by WooCommerce's one-legged rules: no token, parameters sorted by name. */
export function oauthSignature(request: SignedRequest): string {
  const query = Object.entries(request.parameters)
    .filter(([name]) => name !== "oauth_signature")
    .sort(([one], [other]) => byBytes(one, other))
    .flatMap(([name, value]) => joined(rfc3986(name), value))
    .join("%26");
  const base = `${request.method.toUpperCase()}&${rfc3986(request.address)}&${query}`;
  return createHmac(request.algorithm, `${request.consumerSecret}&`).update(base).digest("base64");
}

const digest = (value: string): Buffer => createHash("sha256").update(value).digest();

/** Compares two secrets without telling by the time it takes where they differ, or that their lengths do. */
export const sameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other));
