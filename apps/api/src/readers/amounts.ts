import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { wrongField } from "../operation-error.js";

/**
 * Reads an amount in a currency.
 * @returns minor units.
 * @throws OperationError InvalidFields naming `amount`.
 */
export function readAmount(
  input: number | string,
  currency: Currency,
  options: ParseAmountOptions = {},
): bigint {
  const wrong = wrongAmount(input, currency, options);
  if (wrong !== undefined) throw wrongField("amount", wrong);
  return parseAmount(input, currency.digits, options);
}

/** The most decimals that any currency has: what is finer is an amount of none. */
const MOST_DIGITS = 4;

/**
 * What is wrong with an amount, told behind the field's name; undefined where nothing is. How large an amount may be depends
 * on its currency: where that is not known it is left open.
 */
export function wrongAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): string | undefined {
  try {
    parseAmount(input, currency?.digits ?? MOST_DIGITS, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return currency === undefined && error.reason === "too_large" ? undefined : error.message;
  }
}
