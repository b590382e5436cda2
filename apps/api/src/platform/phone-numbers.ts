import { FieldRule } from "@tillgate/contract";
import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { invalidField } from "../errors.js";

/**
 * Converts a number in international notation (`+33 6…`, `0033…`, `33612…`) or, if the country is known, in national format to E.164.
 * @returns null for any other text.
 * @param locale of the shop's order, such as `fr-FR`, whose region is the country.
 */
export function readPhone(text: string, locale?: string | null): string | null {
  const compact = text.trim().replace(/^00/, "+");
  if (compact.startsWith("+")) {
    const phone = parsePhoneNumberFromString(compact);
    return phone?.isPossible() ? phone.number : null;
  }
  // Without a plus, many national numbers start like another country's code, so only valid numbers are accepted.
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

/** Returns whether the text looks like a phone number that {@link readPhone} cannot read. */
export const lacksCountry = (text: string, locale?: string | null): boolean =>
  PHONE.test(text.trim()) && readPhone(text, locale) === null;

/** @throws OperationError InvalidFields for an invalid phone number. */
export function requirePhone(text: string, locale?: string | null): string {
  const phone = readPhone(text, locale);
  if (phone === null) throw invalidField("phone", FieldRule.PhoneWithCountry.text);
  return phone;
}

/** Returns the phone numbers that the text may mean, in E.164: the international number, and the national number in every country that allows it. */
export function findPossiblePhones(text: string): string[] {
  if (!PHONE.test(text)) return [];
  const national = getCountries().flatMap((country) => {
    const phone = parsePhoneNumberFromString(text, country);
    return phone?.isPossible() ? phone.number : [];
  });
  return [...new Set([readPhone(text) ?? [], national].flat())];
}
