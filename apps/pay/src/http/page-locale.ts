import type { IncomingMessage, ServerResponse } from "node:http";
import { addCookies, setCookie } from "@tillgate/service/web/headers";
import type { Config } from "#config.ts";
import { type Locale, languageSchema, localeOf } from "#texts/languages.ts";
import { cookieNames } from "./shopper";

const LANGUAGE_SECONDS = 365 * 24 * 3600;

/** Locale of a page and the base address of its language switch. */
export type Spoken = {
  locale: Locale;
  /** The address of the view without `lang`. */
  address: string;
  legal: Legal;
};

/** Addresses of the operator's terms of use and privacy policy, null if not configured. */
export type Legal = { terms: string | null; privacy: string | null };

export const legalOf = ({ termsAddress, privacyAddress }: Config): Legal => ({
  terms: termsAddress ?? null,
  privacy: privacyAddress ?? null,
});

export type LanguageRequest = {
  req: IncomingMessage & { cookies: Partial<Record<string, string>> };
  res: ServerResponse;
  /** The requested address with its query. */
  address: string;
};

/** Determines the page's locale: the switch (`?lang=`, then a cookie), else the order's, else the browser's. */
export function spokenBy(
  { req, res, address }: LanguageRequest,
  config: Config,
  order: string | null,
): Spoken {
  const name = cookieNames(config.secure).language;
  const { pathname, searchParams } = new URL(address, config.payOrigin);
  const wanted = languageSchema.safeParse(searchParams.get("lang")).data;
  searchParams.delete("lang");
  if (wanted !== undefined) {
    const { path } = cookieNames(config.secure);
    addCookies(
      res,
      setCookie(name, wanted, { path, secure: config.secure, maxAgeSeconds: LANGUAGE_SECONDS }),
    );
  }
  const kept = languageSchema.safeParse(req.cookies[name]).data;
  const header = req.headers["accept-language"];
  return {
    locale: localeOf({ chosen: wanted ?? kept, order, header }),
    address: searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`,
    legal: legalOf(config),
  };
}
