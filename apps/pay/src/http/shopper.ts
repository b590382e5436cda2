import type { IncomingMessage, ServerResponse } from "node:http";
import { readSameOriginForm as readSiteForm } from "@tillgate/service/web/form";
import { formatCookie } from "@tillgate/service/web/headers";
import { cleanUserAgent, clientAddress, readVisitor } from "@tillgate/service/web/visitor";
import type { NextApiRequestCookies } from "next/dist/server/api-utils";
import type { Config } from "#config.ts";
import type { Caller, WalletSession } from "#internal-api/checkout.ts";
import { MAX_FORM_BYTES, MAX_TOKEN_LENGTH } from "#limits.ts";

/** Cookie names. All ports of a host share cookies, so each app has its own. */
export type CookieNames = {
  visitor: string;
  session: string;
  /** Marks a device on which an account has signed in. Long-lived. */
  device: string;
  /** Result of the last step, for the next page. Scoped to the order's path. */
  notice: string;
  /** Set by the language switch. */
  language: string;
  /** Proves that this browser saw the order pending. Scoped to the order's path. */
  witness: string;
  /** Path of all other cookies: `/`, because payment pages, links and wallet share them, and `__Host-` cookies require it. */
  path: string;
};

/**
 * Returns the cookie names. Over HTTPS, their prefixes prevent plain HTTP connections and, with `__Host-`, other hosts from setting these
 * cookies.
 */
export function getCookieNames(secure: boolean): CookieNames {
  const [host, pathPrefix] = secure ? ["__Host-", "__Secure-"] : ["", ""];
  return {
    visitor: `${host}tillgate_pay_visitor`,
    session: `${host}tillgate_pay_session`,
    device: `${host}tillgate_pay_device`,
    notice: `${pathPrefix}tillgate_pay_notice`,
    language: `${host}tillgate_pay_language`,
    witness: `${pathPrefix}tillgate_pay_witness`,
    path: "/",
  };
}

export type ShopperRequest = IncomingMessage & { cookies: NextApiRequestCookies };

const TOKEN = /^[A-Za-z0-9_-]+$/;
/** An opaque or signed token of the API. */
const SECRET = /^[A-Za-z0-9_.~-]{1,1024}$/;

/** Parses the payment token in the URL; null if malformed. */
export function parsePaymentToken(value: string | string[] | undefined): string | null {
  return typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value) ? value : null;
}

/** Identifies a caller by the connection alone, without reading cookies, for embedded frames and an order's data routes. */
export const callerWithoutCookies = (request: IncomingMessage, config: Config): Caller => ({
  address: clientAddress(request, config.trustedProxies),
  visitor: "",
  session: null,
  device: null,
  witness: null,
  browser: "",
});

/** Identifies the visitor by cookies and connection; `known` is false for a new visitor, whose cookie must be set. */
export function identify(request: ShopperRequest, config: Config): { caller: Caller; known: boolean } {
  const names = getCookieNames(config.secure);
  const { id, known } = readVisitor(request.cookies[names.visitor]);
  const readSecret = (name: string): string | null => {
    const value = request.cookies[name];
    return value !== undefined && SECRET.test(value) ? value : null;
  };
  return {
    known,
    caller: {
      address: clientAddress(request, config.trustedProxies),
      visitor: id,
      session: readSecret(names.session),
      device: readSecret(names.device),
      witness: readSecret(names.witness),
      browser: cleanUserAgent(request.headers["user-agent"]),
    },
  };
}

/** Creates the cookie that identifies the visitor until the browser is closed. */
export function createVisitorCookie(config: Config, { visitor }: Pick<Caller, "visitor">): string {
  const names = getCookieNames(config.secure);
  return formatCookie(names.visitor, visitor, { path: names.path, secure: config.secure });
}

/** Creates the cookie of a wallet session. It lasts as long as the shopper chose, or until the browser is closed. */
export function createSessionCookie(config: Config, { session, max_age_seconds }: WalletSession): string {
  const names = getCookieNames(config.secure);
  const options = { path: names.path, secure: config.secure };
  return formatCookie(
    names.session,
    session,
    max_age_seconds === null ? options : { ...options, maxAgeSeconds: max_age_seconds },
  );
}

/** A token of the API to store in a cookie, and its lifetime. */
export type CookieToken = {
  token: string;
  max_age_seconds: number;
};

/** Creates the cookie that marks a trusted device. It survives signing out. */
export function createDeviceCookie(config: Config, { token, max_age_seconds }: CookieToken): string {
  const names = getCookieNames(config.secure);
  const options = { path: names.path, secure: config.secure, maxAgeSeconds: max_age_seconds };
  return formatCookie(names.device, token, options);
}

/** Creates the cookie that proves that this browser saw the order while it was pending. It is sent only to this order's page. */
export function createViewCookie(
  config: Config,
  address: string,
  { token, max_age_seconds }: CookieToken,
): string {
  const options = { path: address, secure: config.secure, maxAgeSeconds: max_age_seconds };
  return formatCookie(getCookieNames(config.secure).witness, token, options);
}

/** Clears the wallet session cookie. */
export function clearSessionCookie(config: Config): string {
  const names = getCookieNames(config.secure);
  return formatCookie(names.session, "", { path: names.path, secure: config.secure, maxAgeSeconds: 0 });
}

/** Reads a form POST, which must come from one of our own pages. @returns the fields, or why the form was rejected and the HTTP status. */
export const readSameOriginForm = (request: IncomingMessage, response: ServerResponse, config: Config) =>
  readSiteForm(request, response, { origin: config.payOrigin, maxBytes: MAX_FORM_BYTES });
