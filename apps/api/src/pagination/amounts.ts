import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { invalidField } from "../errors.js";

/**
 * Parses an amount in a currency. For an unknown currency, rejects only an amount that no currency could represent.
 * @returns minor units; undefined if no currency is given.
 * @throws OperationError InvalidFields naming `amount`.
 */
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

/** Maximum decimals of any currency; no currency can represent more. */
const MAX_DIGITS = 4;

/**
 * Returns the error for an amount, as the text after the field's name; undefined if it is valid. Without a currency, up to
 * {@link MAX_DIGITS} decimals and any size are allowed.
 */
export function amountError(
  input: number | string,
  currency: Currency | undefined,
  options: ParseAmountOptions = {},
): string | undefined {
  const parsed = tryAmount(input, currency, options);
  return typeof parsed === "string" ? parsed : undefined;
}

/** Parses an amount into minor units. Returns its error if it is invalid, and undefined if no currency is given. */
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
