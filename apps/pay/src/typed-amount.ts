import { AmountError, findCurrency, parseTypedAmount } from "@tillgate/money";
import type { Locale } from "./texts/languages";

/**
 * An amount as a shopper typed it, as the api takes it.
 * @throws AmountError; an AmbiguousAmountError has both of its meanings.
 */
export const readTypedAmount = (typed: string, { tag }: Locale, currency: string): string =>
  parseTypedAmount(typed, { locale: tag, digits: findCurrency(currency)?.digits });

/** The same; null for what is not an amount, or has two meanings. */
export function typedAmount(typed: string, locale: Locale, currency: string): string | null {
  try {
    return readTypedAmount(typed, locale, currency);
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}
