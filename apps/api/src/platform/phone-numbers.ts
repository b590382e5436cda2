import { FieldRule } from "@tillgate/contract";
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { invalidField } from "../errors.js";

/**
 * Returns the E.164 form of a phone number in any usual international notation (`+33 6 12…`, `0033…`, `33612…`), or null. A number in
 * national format (`06 12…`) is accepted if the country is known.
 * @param locale the locale of the shop's order, such as `fr-FR`, whose region is the country.
 */
export function readPhone(text: string, locale?: string | null): string | null {
  const compact = text.trim().replace(/^00/, "+");
  if (compact.startsWith("+")) {
    const phone = parsePhoneNumberFromString(compact);
    return phone?.isPossible() ? phone.number : null;
  }
  // Without a plus, many national numbers start like another country's code, so only valid ones are accepted.
  const international = parsePhoneNumberFromString(`+${compact}`);
  if (international?.isValid()) return international.number;
  const country = parseRegion(locale);
  const national = country && parsePhoneNumberFromString(compact, country);
  return national?.isValid() ? national.number : null;
}

function parseRegion(locale: string | null | undefined) {
  const region = /^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?(?<region>[a-z]{2})\b/i.exec(locale ?? "")?.groups?.region;
  const country = region?.toUpperCase();
  return country !== undefined && isSupportedCountry(country) ? country : undefined;
}

/** A phone number as people write it. */
const PHONE = /^[+(]?\d[\d\s().\-/]{5,24}$/;

/** Returns whether a string looks like a phone number without its country code. */
export const lacksCountry = (text: string, locale?: string | null): boolean =>
  PHONE.test(text.trim()) && readPhone(text, locale) === null;

/** Parses a phone number. @throws OperationError InvalidFields for an invalid one. */
export function requirePhone(text: string, locale?: string | null): string {
  const phone = readPhone(text, locale);
  if (phone === null) throw invalidField("phone", FieldRule.PhoneWithCountry.text);
  return phone;
}

/**
 * Returns the E.164 form of every phone number that a string may represent: an international one, or one in the national format of any
 * country (`06 12 34 56 78`).
 */
export function findPossiblePhones(text: string): string[] {
  if (!PHONE.test(text)) return [];
  const national = getCountries().flatMap((country) => {
    const phone = parsePhoneNumberFromString(text, country);
    return phone?.isPossible() ? phone.number : [];
  });
  return [...new Set([readPhone(text) ?? [], national].flat())];
}
