import type { Mode } from "@tillgate/contract";
import type { WalletUserModel } from "@tillgate/database";
import { getCountries, parsePhoneNumberFromString } from "libphonenumber-js";
import type { Context } from "../context.js";

/** E.164 of a phone number in any usual international spelling (`+33 6 12…`, `0033…`, `33612…`), or null. */
export function readPhone(text: string): string | null {
  const compact = text.trim().replace(/^00/, "+");
  const phone = parsePhoneNumberFromString(compact.startsWith("+") ? compact : `+${compact}`);
  return phone?.isPossible() ? phone.number : null;
}

/** Digits of a phone number, written as people write it. */
const PHONE = /^[+(]?\d[\d\s().\-/]{5,24}$/;

/** E.164 of every phone number that a text may be: an international one, or one in the national format of any country (`06 12 34 56 78`). */
export function phonesOf(text: string): string[] {
  if (!PHONE.test(text)) return [];
  const national = getCountries().flatMap((country) => {
    const phone = parsePhoneNumberFromString(text, country);
    return phone?.isPossible() ? phone.number : [];
  });
  return [...new Set([readPhone(text) ?? [], national].flat())];
}

/** Finds a wallet user of a mode by phone in any usual spelling, or e-mail in any case; deactivated ones too. */
export async function findWalletUser(
  context: Context,
  { phone, email }: { phone?: string | undefined; email?: string | undefined },
  mode: Mode,
): Promise<WalletUserModel | null> {
  const users = context.database.prisma.walletUser;
  if (email !== undefined)
    return users.findUnique({ where: { mode_email: { mode, email: email.trim().toLowerCase() } } });
  const number = phone === undefined ? null : readPhone(phone);
  return number === null ? null : users.findUnique({ where: { mode_phone: { mode, phone: number } } });
}
