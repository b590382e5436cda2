import type { IncomingMessage } from "node:http";
import { isTimeZone, UTC } from "@tillgate/contract";
import { cleanUserAgent, clientAddress, readVisitor } from "@tillgate/service/web/visitor";
import type { NextApiRequestCookies } from "next/dist/server/api-utils";
import type { Config } from "#config.ts";
import type { Caller } from "#internal-api.ts";
import { type Language, languageSchema, preferredLanguage } from "#texts/languages.ts";

/** All ports of a host share cookies, so each app uses different names. */
export type CookieNames = {
  /** Identifies the browser. Form tokens are bound to this cookie and, after sign-in, also to the session. */
  visitor: string;
  session: string;
  /** Encrypted content that the next page shows once. */
  flash: string;
  language: string;
  /** Time zone chosen by the user. */
  timeZone: string;
  /** The browser's time zone, set by the script. */
  browserZone: string;
};

/** Returns the cookie names. Cookies with the `__Host-` prefix can only be set over HTTPS and by this host. */
export function getCookieNames(secure: boolean): CookieNames {
  const prefix = secure ? "__Host-" : "";
  return {
    visitor: `${prefix}tillgate_console_visitor`,
    session: `${prefix}tillgate_console`,
    flash: `${prefix}tillgate_console_flash`,
    language: `${prefix}tillgate_console_language`,
    timeZone: `${prefix}tillgate_console_zone`,
    browserZone: `${prefix}tillgate_console_browser_zone`,
  };
}

export type BrowserRequest = IncomingMessage & { cookies: NextApiRequestCookies };

const SESSION = /^[A-Za-z0-9_.~-]{1,200}$/;

export type Visitor = {
  id: string;
  known: boolean;
  caller: Caller;
  /** True if the user chose the time zone; false if the browser reported it, or if the zone is unknown and UTC is used instead. */
  timeZoneChosen: boolean;
};

/** Identifies the visitor by cookies and connection; `known` is false for a new visitor, whose cookie must be set. */
export function identify(request: BrowserRequest, { secure, trustedProxies }: Config): Visitor {
  const names = getCookieNames(secure);
  const session = request.cookies[names.session];
  const zoneIn = (name: string) => [request.cookies[name]].find(isTimeZone);
  const chosenZone = zoneIn(names.timeZone);
  return {
    ...readVisitor(request.cookies[names.visitor]),
    caller: {
      address: clientAddress(request, trustedProxies),
      browser: cleanUserAgent(request.headers["user-agent"]),
      session: session !== undefined && SESSION.test(session) ? session : null,
      timeZone: chosenZone ?? zoneIn(names.browserZone) ?? UTC,
    },
    timeZoneChosen: chosenZone !== undefined,
  };
}

/** Returns the chosen language, otherwise the browser's, otherwise English. */
export const readLanguage = ({ cookies, headers }: BrowserRequest, { secure }: Config): Language =>
  languageSchema.safeParse(cookies[getCookieNames(secure).language]).data ??
  preferredLanguage(headers["accept-language"]);
