import type { ParsedUrlQuery } from "node:querystring";
import { z } from "zod";
import { type NoticeCode, noticeCodeSchema } from "#notice.ts";
import { type Language, languageSchema } from "#texts/languages.ts";

/** State of an embedded frame, stored in its URL because a frame has no cookies. */
export type EmbedAddress = {
  /** Language requested by the shop's page. */
  language: Language | null;
  notice: NoticeCode | null;
};

export const embedAddress = (
  token: string,
  { language = null, notice = null }: Partial<EmbedAddress> = {},
): string => withQuery(`/embed/${token}`, { lang: language, said: notice });

export const readEmbedAddress = ({ lang, said: notice }: ParsedUrlQuery): EmbedAddress => ({
  language: languageSchema.safeParse(lang).data ?? null,
  notice: noticeCodeSchema.safeParse(notice).data ?? null,
});

/** State of the page, stored in its URL. It contains no personal data, and opening a URL changes nothing. */
export type PageView = {
  /** Currency of the selected wallet. */
  wallet: string | null;
  /** Number of the current check for the outcome of a step whose response was lost; null outside such a check. */
  check: number | null;
  /** Whether this is the QR-only view, which can refresh itself because it has no input field. */
  codeOnly: boolean;
  /** Whether the last step was rejected because the browser stores no cookies. */
  cookiesNeeded: boolean;
};

/** Number of checks for a step's outcome after which the page offers the step again. */
export const MAX_CHECKS = 5;

const CURRENCY = /^[A-Z0-9]{2,10}$/;
const CHECK = /^[1-9]$/;

/** Returns the path of a view with its query. Omits a check number above {@link MAX_CHECKS}. */
export const pageAddress = (
  token: string,
  { wallet = null, check = null, codeOnly, cookiesNeeded }: Partial<PageView> = {},
): string =>
  withQuery(`/pay/${token}`, {
    wallet,
    check: check === null || check > MAX_CHECKS ? null : String(check),
    view: codeOnly ? "code" : null,
    cookies: cookiesNeeded ? "needed" : null,
  });

export function readPageView(query: ParsedUrlQuery): PageView {
  const { wallet, check, view, cookies } = query;
  return {
    wallet: parseCurrencyCode(typeof wallet === "string" ? wallet : null),
    check:
      typeof check === "string" && CHECK.test(check) && Number(check) <= MAX_CHECKS ? Number(check) : null,
    codeOnly: view === "code",
    cookiesNeeded: cookies === "needed",
  };
}

export const parseCurrencyCode = (text: string | null): string | null =>
  text !== null && CURRENCY.test(text) ? text : null;

export const doneSchema = z.enum([
  "signed_out",
  "signed_out_everywhere",
  "session_ended",
  "device_forgotten",
  "passkey_removed",
  "pin_changed",
  "pin_set",
  "made",
  "topped_up",
  "converted",
]);
export type Done = z.infer<typeof doneSchema>;

export const WALLET = "/wallet";
export const WALLET_SIGN_IN = `${WALLET}/sign-in`;
export const WALLET_ACTIVITY = `${WALLET}/activity`;
export const WALLET_SECURITY = `${WALLET}/security`;
export const WALLET_NEW = `${WALLET}/new`;
export const WALLET_FORGOT_PIN = `${WALLET}/forgot-pin`;
export const WALLET_TOP_UP = `${WALLET}/top-up`;
export const WALLET_CONVERT = `${WALLET}/convert`;

/** Paths of wallet and payment pages. The allowed characters exclude other hosts. */
const OWN_PATH = /^\/(wallet|pay)(\/[\w-]+)*(\?[\w=&.-]*)?$/;

/** Returns a query parameter; null unless the parameter is given exactly once and is not empty. */
export const queryValue = (query: ParsedUrlQuery, name: string): string | null => {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** Returns the path after sign-in: `next` if it is one of our pages, otherwise the wallet. */
export function getNextAddress(query: ParsedUrlQuery): string {
  const next = queryValue(query, "next");
  return next !== null && next.length <= 400 && OWN_PATH.test(next) ? next : WALLET;
}

/** Appends a query with the values that are not null. */
export function withQuery(path: string, values: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
