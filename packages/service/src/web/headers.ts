import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";

/** Allows only the site's own origin, and no framing. An inline style needs the response's nonce. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/**
 * Headers of every response of a site. The referrer policy is `same-origin`, because under `no-referrer` browsers send `Origin: null` with the site's
 * own forms, which the origin check rejects.
 */
export const SITE_HEADERS = [
  { key: "Content-Security-Policy", value: CONTENT_SECURITY_POLICY },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
  {
    key: "Permissions-Policy",
    value: "camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-write=(self)",
  },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
  { key: "Cross-Origin-Resource-Policy", value: "same-origin" },
  { key: "X-Robots-Tag", value: "noindex" },
];

/** Two years. Operators decide about subdomains themselves. */
const HSTS = "max-age=63072000";

/** Prevents caching of a dynamic response, and sets HSTS if the site is served over https. */
export function setResponseHeaders(response: ServerResponse, { secure }: { secure: boolean }): void {
  response.setHeader("Cache-Control", "no-store");
  if (secure) response.setHeader("Strict-Transport-Security", HSTS);
}

export type CookieOptions = {
  /** By default, the cookie lasts for the browser session. 0 deletes it. */
  maxAgeSeconds?: number;
  path: string;
  secure: boolean;
};

/** Formats a cookie that is `HttpOnly` and `SameSite=Lax`. Does not escape the value. */
export function formatCookie(name: string, value: string, options: CookieOptions): string {
  const parts = [`${name}=${value}`, `Path=${options.path}`, "HttpOnly", "SameSite=Lax"];
  if (options.secure) parts.push("Secure");
  if (options.maxAgeSeconds !== undefined) parts.push(`Max-Age=${options.maxAgeSeconds}`);
  return parts.join("; ");
}

/** Adds cookies, and keeps those that are already set. */
export function addCookies(response: ServerResponse, ...cookies: string[]): void {
  const existing = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
  response.setHeader("Set-Cookie", [...existing, ...cookies]);
}

const POLICY_HEADER = "Content-Security-Policy";
const NO_FRAMES = "frame-ancestors 'none'";

/**
 * Allows only these origins to frame the response. An empty list allows no framing.
 * @param origins validated by the contract, so safe in a policy.
 * @throws Error if there are origins and the response has no policy that forbids framing.
 */
export function allowFraming(response: ServerResponse, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const policy = String(response.getHeader(POLICY_HEADER) ?? "");
  if (!policy.includes(NO_FRAMES)) throw new Error("The response has no policy that forbids framing.");
  response.setHeader(POLICY_HEADER, policy.replace(NO_FRAMES, `frame-ancestors ${origins.join(" ")}`));
  // X-Frame-Options does not support a list of origins.
  response.removeHeader("X-Frame-Options");
}

/**
 * Allows one inline `<style>` element, for the merchant's colour.
 * @returns the value of the element's `nonce` attribute.
 * @throws Error if the response has no policy for styles.
 */
export function allowInlineStyle(response: ServerResponse): string {
  const policy = String(response.getHeader(POLICY_HEADER) ?? "");
  if (!policy.includes("style-src 'self'")) throw new Error("The response has no policy for styles.");
  const nonce = randomBytes(16).toString("base64");
  response.setHeader(POLICY_HEADER, policy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`));
  return nonce;
}
