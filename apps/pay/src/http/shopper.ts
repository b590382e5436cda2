import type { IncomingMessage, ServerResponse } from "node:http";
import { readSameOriginForm as readSiteForm } from "@tillgate/service/web/form";
import { addCookies, formatCookie } from "@tillgate/service/web/headers";
import { cleanUserAgent, clientAddress, readVisitor } from "@tillgate/service/web/visitor";
import type { NextApiRequestCookies } from "next/dist/server/api-utils";
import type { Config } from "#config.ts";
import type { Caller, WalletSession } from "#internal-api/checkout.ts";
import { MAX_FORM_BYTES, MAX_TOKEN_LENGTH } from "#limits.ts";

/** All ports of a host share cookies, so each app uses different names. */
export type CookieNames = {
  visitor: string;
  session: string;
  /** Marks a device on which an account has signed in. */
  device: string;
  /** Result of the last step, for the next page. Scoped to the order's path. */
  notice: string;
  /** Language chosen with the language switch. */
  language: string;
  /** Proves that this browser opened the order while it was pending. Scoped to the order's path. */
  witness: string;
};

/** Returns the cookie names, prefixed if `secure`. Prefixed cookies can only be set over HTTPS, and `__Host-` cookies only by this host. */
export function getCookieNames(secure: boolean): CookieNames {
  const [host, pathPrefix] = secure ? ["__Host-", "__Secure-"] : ["", ""];
  return {
    visitor: `${host}tillgate_pay_visitor`,
    session: `${host}tillgate_pay_session`,
    device: `${host}tillgate_pay_device`,
    notice: `${pathPrefix}tillgate_pay_notice`,
    language: `${host}tillgate_pay_language`,
    witness: `${pathPrefix}tillgate_pay_witness`,
  };
}

export type ShopperRequest = IncomingMessage & { cookies: NextApiRequestCookies };

const TOKEN = /^[A-Za-z0-9_-]+$/;
/** An opaque or signed token of the API. */
const SECRET = /^[A-Za-z0-9_.~-]{1,1024}$/;

/** Parses the payment token in the URL; null if the token is malformed. */
export function parsePaymentToken(value: string | string[] | undefined): string | null {
  return typeof value === "string" && value.length <= MAX_TOKEN_LENGTH && TOKEN.test(value) ? value : null;
}

/** Identifies a caller by the connection alone, for embedded frames and an order's data routes, which read no cookies. */
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

type CookieOptions = {
  /** Path of the cookie. By default `/`, because payment pages, links and wallet share cookies, and `__Host-` cookies require it. */
  path?: string;
  /** Lifetime. By default, the cookie lasts until the browser is closed; 0 deletes the cookie. */
  maxAgeSeconds?: number | undefined;
};

export function storeCookie(
  response: ServerResponse,
  { secure }: Pick<Config, "secure">,
  name: keyof CookieNames,
  value: string,
  { path = "/", maxAgeSeconds }: CookieOptions = {},
): void {
  const options = { path, secure, ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }) };
  addCookies(response, formatCookie(getCookieNames(secure)[name], value, options));
}

export type CookieToken = {
  token: string;
  max_age_seconds: number;
};

export type SignInChange = {
  /** New session, which lasts as long as the shopper chose, or until the browser is closed; `ended` deletes its cookie. */
  session?: WalletSession | "ended" | null;
  /** Token of a trusted device, which survives signing out. */
  device?: CookieToken;
};

export function storeSignIn(
  response: ServerResponse,
  config: Config,
  { session, device }: SignInChange,
): void {
  if (session === "ended") storeCookie(response, config, "session", "", { maxAgeSeconds: 0 });
  else if (session)
    storeCookie(response, config, "session", session.session, {
      maxAgeSeconds: session.max_age_seconds ?? undefined,
    });
  if (device)
    storeCookie(response, config, "device", device.token, { maxAgeSeconds: device.max_age_seconds });
}

/** Reads a form POST from one of our own pages. @returns the fields, or why the form was rejected and the HTTP status */
export const readSameOriginForm = (request: IncomingMessage, response: ServerResponse, config: Config) =>
  readSiteForm(request, response, { origin: config.payOrigin, maxBytes: MAX_FORM_BYTES });
