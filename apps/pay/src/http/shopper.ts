import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { NextApiRequestCookies } from "next/dist/server/api-utils";
import { type Config, MAX_TOKEN_LENGTH } from "../config";
import type { Caller, WalletSession } from "../edge/checkout-edge";
import { clientAddress } from "./client-address";
import { cookieNames, setCookie } from "./cookies";

export type ShopperRequest = IncomingMessage & { cookies: NextApiRequestCookies };

const TOKEN = /^[A-Za-z0-9_-]+$/;
/** 32 random bytes as base64url. A cookie of another shape is not ours and is replaced. */
const VISITOR = /^[A-Za-z0-9_-]{43}$/;
const SESSION = /^[A-Za-z0-9_.~-]{1,1024}$/;

/**
 * Whether Next was asked for a page's data instead of the page. Only its own runtime does that, which is not shipped;
 * an order is shown as a page or not at all.
 */
export const asksForData = (request: IncomingMessage): boolean =>
  request.headers["x-nextjs-data"] !== undefined;

/** The payment token of the address, or null for what can't be one. */
export function paymentToken(value: string | string[] | undefined): string | null {
  return typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value) ? value : null;
}

/** Who asks, by cookies and connection; `known` is false when the visitor's cookie has to be made first. */
export function identify(request: ShopperRequest, config: Config): { caller: Caller; known: boolean } {
  const names = cookieNames(config.secure);
  const visitor = request.cookies[names.visitor];
  const session = request.cookies[names.session];
  const known = visitor !== undefined && VISITOR.test(visitor);
  return {
    known,
    caller: {
      address: clientAddress(request, config.trustedProxies),
      visitor: known ? visitor : randomBytes(32).toString("base64url"),
      session: session !== undefined && SESSION.test(session) ? session : null,
    },
  };
}

/** Adds cookies to those that the answer already sets. */
export function addCookies(response: ServerResponse, ...cookies: string[]): void {
  const before = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
  response.setHeader("Set-Cookie", [...before, ...cookies]);
}

/** Cookie that keeps a wallet session. */
export function keptSession(config: Config, { session, max_age_seconds }: WalletSession): string {
  const names = cookieNames(config.secure);
  const options = { path: names.path, secure: config.secure, maxAgeSeconds: max_age_seconds };
  return setCookie(names.session, session, options);
}

/** Cookie that forgets a wallet session. */
export function endedSession(config: Config): string {
  const names = cookieNames(config.secure);
  return setCookie(names.session, "", { path: names.path, secure: config.secure, maxAgeSeconds: 0 });
}
