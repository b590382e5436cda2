import type { ParsedUrlQuery } from "node:querystring";
import { z } from "zod";
import { type NoticeCode, noticeCodeSchema } from "#notice.ts";
import { type Language, languageSchema } from "#texts/languages.ts";

/** What the address of a frame in the shop's page holds. It stands in for cookies, which a frame has none of. */
export type EmbedAddress = {
  /** The language that the shop's page asks for. */
  language: Language | null;
  /** What became of the last step. It picks one of our own texts. */
  said: NoticeCode | null;
};

export function embedAddress(token: string, { language, said }: Partial<EmbedAddress> = {}): string {
  const query = new URLSearchParams();
  if (language) query.set("lang", language);
  if (said) query.set("said", said);
  return query.size === 0 ? `/embed/${token}` : `/embed/${token}?${query}`;
}

export const readEmbedAddress = ({ lang, said }: ParsedUrlQuery): EmbedAddress => ({
  language: languageSchema.safeParse(lang).data ?? null,
  said: noticeCodeSchema.safeParse(said).data ?? null,
});

/** The page's view. Nothing in it is personal, and opening a view changes nothing. */
export type PageView = {
  /** The currency of the wallet that the shopper chose to pay from. */
  wallet: string | null;
  /** How often the page has looked for the outcome of a step with a lost answer; null when there is none. */
  check: number | null;
  /** The code alone, on a page that may refresh itself because it has no field. */
  codeOnly: boolean;
  /** The step before was refused because the browser keeps no cookies. */
  cookiesNeeded: boolean;
};

/** How often the page looks for the outcome of a step before it offers the step again. */
export const MAX_CHECKS = 5;

const CURRENCY = /^[A-Z0-9]{2,10}$/;
const CHECK = /^[1-9]$/;

/** The address of a view, relative to the page's origin. */
export function pageAddress(token: string, view: Partial<PageView> = {}): string {
  const query = new URLSearchParams();
  if (view.wallet != null) query.set("wallet", view.wallet);
  if (view.check != null && view.check <= MAX_CHECKS) query.set("check", String(view.check));
  if (view.codeOnly) query.set("view", "code");
  if (view.cookiesNeeded) query.set("cookies", "needed");
  return query.size === 0 ? `/pay/${token}` : `/pay/${token}?${query}`;
}

/** The view of an address; an unknown one shows the plain page. */
export function readPageView(query: ParsedUrlQuery): PageView {
  const { wallet, check, view, cookies } = query;
  return {
    wallet: currencyCode(typeof wallet === "string" ? wallet : null),
    check:
      typeof check === "string" && CHECK.test(check) && Number(check) <= MAX_CHECKS ? Number(check) : null,
    codeOnly: view === "code",
    cookiesNeeded: cookies === "needed",
  };
}

/** A well-formed currency code, or null. */
export const currencyCode = (text: string | null): string | null =>
  text !== null && CURRENCY.test(text) ? text : null;

/** What was done, as the address of the next page says; a made-up one shows only our own texts. */
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

/** A page of the wallet, or of a payment. The characters are those of our own addresses: it never leads to another host. */
const OWN = /^\/(wallet|pay)(\/[\w-]+)*(\?[\w=&.-]*)?$/;

/** One value of a query. */
export const one = (query: ParsedUrlQuery, name: string): string | null => {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
};

/** Where a visitor goes after signing in; the wallet where the address names no page of ours. */
export function nextAddress(query: ParsedUrlQuery): string {
  const next = one(query, "next");
  return next !== null && next.length <= 400 && OWN.test(next) ? next : WALLET;
}

/** An address with what it says. */
export function withQuery(path: string, values: Record<string, string | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}
