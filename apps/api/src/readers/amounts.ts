import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { wrongField } from "../operation-error.js";

/**
 * Reads an amount in a currency. Where there is no such currency, only what none could hold is refused.
 * @returns minor units; undefined without a currency.
 * @throws OperationError InvalidFields naming `amount`.
 */
export function readAmount(input: number | string, currency: Currency, options?: ParseAmountOptions): bigint;
export function readAmount(input: number | string, currency: Currency | undefined): bigint | undefined;
export function readAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): bigint | undefined {
  const read = tryAmount(input, currency, options);
  if (typeof read === "string") throw wrongField("amount", read);
  return read;
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
  const read = tryAmount(input, currency, options);
  return typeof read === "string" ? read : undefined;
}

/** An amount in minor units, or what is wrong with it; undefined where there is no currency to say. */
function tryAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions,
): bigint | string | undefined {
  try {
    const amount = parseAmount(input, currency?.digits ?? MOST_DIGITS, options);
    return currency && amount;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return currency === undefined && error.reason === "too_large" ? undefined : error.message;
  }
}
