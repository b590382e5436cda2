import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { invalidField } from "../errors.js";

/** Returns minor units; without a currency, undefined if some currency could represent the amount. @throws OperationError InvalidFields. */
export function readAmount(input: number | string, currency: Currency, options?: ParseAmountOptions): bigint;
export function readAmount(input: number | string, currency: Currency | undefined): bigint | undefined;
export function readAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): bigint | undefined {
  const parsed = tryAmount(input, currency, options);
  if (typeof parsed === "string") throw invalidField("amount", parsed);
  return parsed;
}

/** No currency can represent more decimals. */
const MAX_DIGITS = 4;

/**
 * Returns the error's text after the field's name; undefined if the amount is valid. Without a currency, up to {@link MAX_DIGITS} decimals and any
 * size are allowed.
 */
export function amountError(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): string | undefined {
  const parsed = tryAmount(input, currency, options);
  return typeof parsed === "string" ? parsed : undefined;
}

/** Returns minor units, or the error's text; undefined for a valid amount without a currency. */
function tryAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions,
): bigint | string | undefined {
  try {
    const amount = parseAmount(input, currency?.digits ?? MAX_DIGITS, options);
    return currency && amount;
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    return currency === undefined && error.reason === "too_large" ? undefined : error.message;
  }
}
