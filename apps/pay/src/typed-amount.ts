import { AmountError, findCurrency, parseTypedAmount } from "@tillgate/money";
import type { Locale } from "./texts/languages";

/** Parses an entered amount into the API's decimal text. @throws AmountError; AmbiguousAmountError contains both interpretations */
export const readTypedAmount = (typed: string, { tag }: Locale, currency: string): string =>
  parseTypedAmount(typed, { locale: tag, digits: findCurrency(currency)?.digits });

/** Parses an amount like {@link readTypedAmount}, but returns null if the amount is invalid or ambiguous. */
export function parseLocalAmount(typed: string, locale: Locale, currency: string): string | null {
  try {
    return readTypedAmount(typed, locale, currency);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}
