import type { Currency } from "./currencies.js";
import { decimalToText, parseDecimal, powerOfTen } from "./decimal.js";

/** Above this, minor units no longer fit a JSON number exactly (15 significant digits). */
const wireLimit = 10n ** 15n;

/** Writes minor units in the currency's digits: 4150n with 2 digits is "41.50", 5000n with 0 is "5000". */
export function formatDecimal(minor: bigint, digits: number): string {
  return decimalToText({ coefficient: minor, scale: digits });
}

/** The contract's formatted text amount: "41.50 EUR", "5000 XAF". */
export function formatAmount(minor: bigint, currency: Currency): string {
  return `${formatDecimal(minor, currency.digits)} ${currency.code}`;
}

/** Whether an amount's JSON number is exact for every reader: it has at most 15 significant digits. */
export const fitsWireNumber = (minor: bigint): boolean => minor < wireLimit && minor > -wireLimit;

/**
 * The JSON number of an amount. It is exact: its shortest decimal text has the value of the minor units.
 * @throws RangeError from 10^15 minor units on, where a JSON number would no longer be exact.
 */
export function toWireNumber(minor: bigint, digits: number): number {
  if (!fitsWireNumber(minor)) {
    throw new RangeError(`${minor} minor units do not fit a JSON number exactly.`);
  }
  return Number(formatDecimal(minor, digits));
}

/**
 * Minor units of an amount as {@link formatDecimal} writes it, zero too.
 * @throws RangeError for what is no decimal text, or has more decimals than `digits`.
 */
export function minorUnitsOf(amount: string, digits: number): bigint {
  const decimal = parseDecimal(amount);
  if (decimal === undefined || decimal.scale > digits)
    throw new RangeError(`${amount} has no ${digits} decimals`);
  return decimal.coefficient * powerOfTen(digits - decimal.scale);
}
