import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The visitor's address: the peer of the connection, or behind `trustedProxies` reverse proxies the entry of
 * X-Forwarded-For that the outermost of them wrote. An entry from the browser itself never counts.
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

/** The longest that is passed on; the api keeps the beginning. */
const MAX_BROWSER = 300;

/** What a browser calls itself, in characters that a header may carry. */
export const userAgentOf = (userAgent: string | undefined): string =>
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
const nameIn = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** The name of a browser and its system, by what it says of itself; its first words where that is unknown. */
export function browserName(userAgent: string): string | null {
  const names = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter(Boolean);
  return names.length > 0 ? names.join(", ") : userAgent.slice(0, 40) || null;
}

/** 32 random bytes as base64url. A cookie of another shape is not ours and is replaced. */
const VISITOR = /^[A-Za-z0-9_-]{43}$/;

/** The visitor of a cookie; `known` is false for a new one, whose cookie must be created first. */
export function visitorOf(cookie: string | undefined): { id: string; known: boolean } {
  const known = cookie !== undefined && VISITOR.test(cookie);
  return { id: known ? cookie : randomBytes(32).toString("base64url"), known };
}

/** Whether the request is for Next's page data instead of the page. Only Next's runtime asks for that, and it is not shipped. */
export const isDataRequest = (request: Pick<IncomingMessage, "headers">): boolean =>
  request.headers["x-nextjs-data"] !== undefined;

/** Whether a phone or tablet asks, which cannot scan a code on its own screen: by its client hint, or else by its name. */
export function isPhone({ headers }: Pick<IncomingMessage, "headers">): boolean {
  const hint = headers["sec-ch-ua-mobile"];
  if (hint !== undefined) return hint === "?1";
  return /\b(?:Mobile|Android|iPhone|iPad)\b/.test(headers["user-agent"] ?? "");
}
