import type { IncomingMessage, ServerResponse } from "node:http";
import type { Config } from "#config.ts";
import { type Locale, languageSchema, resolveLocale } from "#texts/languages.ts";
import { getCookieNames, storeCookie } from "./shopper";

const LANGUAGE_SECONDS = 365 * 24 * 3600;

export type PageLocale = {
  locale: Locale;
  /** The view's URL without `lang`, for the language switch. */
  address: string;
  legal: LegalAddresses;
};

/** URLs of the operator's terms of use and privacy policy; null if not configured. */
export type LegalAddresses = { terms: string | null; privacy: string | null };

export const toLegalAddresses = ({ termsAddress, privacyAddress }: Config): LegalAddresses => ({
  terms: termsAddress ?? null,
  privacy: privacyAddress ?? null,
});

export type LanguageRequest = {
  req: IncomingMessage & { cookies: Partial<Record<string, string>> };
  res: ServerResponse;
  /** Requested path with its query. */
  address: string;
};

/**
 * Determines the locale from, in order of precedence, `?lang=`, the cookie, the order and the browser; English by default. Stores a valid
 * `?lang=` in the cookie.
 */
export function readPageLocale(
  { req, res, address }: LanguageRequest,
  config: Config,
  order: string | null,
): PageLocale {
  const name = getCookieNames(config.secure).language;
  const { pathname, searchParams } = new URL(address, config.payOrigin);
  const requested = languageSchema.safeParse(searchParams.get("lang")).data;
  searchParams.delete("lang");
  if (requested !== undefined)
    storeCookie(res, config, "language", requested, { maxAgeSeconds: LANGUAGE_SECONDS });
  const stored = languageSchema.safeParse(req.cookies[name]).data;
  const header = req.headers["accept-language"];
  return {
    locale: resolveLocale({ chosen: requested ?? stored, order, header }),
    address: searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`,
    legal: toLegalAddresses(config),
  };
}
