import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Returns the visitor's address: the peer or, behind `trustedProxies` proxies, the X-Forwarded-For entry that the outermost of these proxies wrote.
 * If that entry is missing, returns the peer.
 */
export function clientAddress(
  request: Pick<IncomingMessage, "headers" | "socket">,
  trustedProxies: number,
): string {
  const peer = request.socket.remoteAddress ?? "unknown";
  const forwarded = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const chosen = trustedProxies === 0 ? peer : (forwarded.at(-trustedProxies)?.trim() ?? "");
  const address = chosen === "" ? peer : chosen;
  return MAPPED_IPV4.exec(address)?.[1] ?? address;
}

const MAX_BROWSER = 300;

/** Removes characters that are not valid in a header, and truncates the text to 300 characters. */
export const cleanUserAgent = (userAgent: string | undefined): string =>
  (userAgent ?? "").replace(/[^\x20-\x7e]/g, "").slice(0, MAX_BROWSER);

const BROWSERS = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const SYSTEMS = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
] as const;

type Names = typeof BROWSERS | typeof SYSTEMS;
const findName = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** @returns browser and operating system; the first 40 characters if both are unknown; null for an empty user agent. */
export function getBrowserName(userAgent: string): string | null {
  const names = [findName(BROWSERS, userAgent), findName(SYSTEMS, userAgent)].filter(Boolean);
  return names.length > 0 ? names.join(", ") : userAgent.slice(0, 40) || null;
}

/** 32 random bytes as base64url. Any other cookie value is replaced. */
const VISITOR = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the visitor ID from a cookie. If the cookie is missing or invalid, creates a new ID (`known` is false), and the caller must set the cookie.
 */
export function readVisitor(cookie: string | undefined): { id: string; known: boolean } {
  const known = cookie !== undefined && VISITOR.test(cookie);
  return { id: known ? cookie : randomBytes(32).toString("base64url"), known };
}

/** Returns whether a request is for Next's page data. Only Next's client runtime requests it, and the site does not ship that runtime. */
export const isDataRequest = (request: Pick<IncomingMessage, "headers">): boolean =>
  request.headers["x-nextjs-data"] !== undefined;

/** Returns whether a device cannot scan a code on its own screen: a phone by its client hint or, without one, a phone or tablet by its user agent. */
export function isPhone({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const hint = headers["sec-ch-ua-mobile"];
  if (hint !== undefined) return hint === "?1";
  return /\b(?:Mobile|Android|iPhone|iPad)\b/.test(headers["user-agent"] ?? "");
}
