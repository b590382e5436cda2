import type { ParsedUrlQuery } from "node:querystring";
import { z } from "zod";

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
