import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { wrongField } from "../errors.js";

/**
 * Reads an amount in a currency. For an unknown currency, only an amount that no currency could hold is refused.
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

/** The most decimals that any currency has; an amount with more fits none. */
const MOST_DIGITS = 4;

/**
 * What is wrong with an amount, as the text after the field's name; undefined when it is right. The largest amount depends
 * on the currency: without one it is not checked.
 */
export function wrongAmount(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): string | undefined {
  const read = tryAmount(input, currency, options);
  return typeof read === "string" ? read : undefined;
}

/** An amount in minor units, or what is wrong with it; undefined without a currency. */
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
