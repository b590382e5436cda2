import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { type OperationError, wrongField } from "./errors.js";

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
  try {
    return parseAmount(input, currency.digits, options);
  } catch (error) {
    throw error instanceof AmountError ? refused(error) : error;
  }
}

/** The most decimals that any currency has: what is finer is an amount of none. */
const MOST_DIGITS = 4;

/**
 * Looks at an amount whose currency is not known yet. How large it may be depends on the currency and is left open.
 * @throws OperationError InvalidFields naming `amount`, for what is an amount in no currency.
 */
export function refuseAmountOfNoCurrency(input: number | string): void {
  try {
    parseAmount(input, MOST_DIGITS);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    if (error.reason !== "too_large") throw refused(error);
  }
}

const refused = ({ message }: AmountError): OperationError => wrongField("amount", message);
