import { createHmac } from "node:crypto";

const rfc3986 = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export type SignedRequest = {
  method: string;
  /** Address without the query, as the client called it. */
  address: string;
  /** Every parameter of the query. */
  parameters: Record<string, string>;
  consumerSecret: string;
};

/** The OAuth 1.0a signature of a request by HMAC-SHA256, by WooCommerce's one-legged rules: no token, parameters sorted by name. */
export function oauthSignature(request: SignedRequest): string {
  const query = Object.entries(request.parameters)
    .filter(([name]) => name !== "oauth_signature")
    .map(([name, value]) => [rfc3986(name), rfc3986(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map((pair) => pair.join("="))
    .join("&");
  const base = `${request.method.toUpperCase()}&${rfc3986(request.address)}&${rfc3986(query)}`;
  return createHmac("sha256", `${request.consumerSecret}&`).update(base).digest("base64");
}
