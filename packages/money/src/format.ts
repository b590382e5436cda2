import type { Currency } from "./currencies.js";
import { decimalToText, parseDecimal, powerOfTen } from "./decimal.js";

/** From here on, minor units do not fit a JSON number exactly (15 significant digits). */
const wireLimit = 10n ** 15n;

/** Formats minor units: 4150n with 2 decimal places is "41.50", 5000n without any is "5000". */
export function formatDecimal(minor: bigint, digits: number): string {
  return decimalToText({ coefficient: minor, scale: digits });
}

/** Formats an amount with its currency, as in the API: "41.50 EUR", "5000 XAF". */
export function formatAmount(minor: bigint, currency: Currency): string {
  return `${formatDecimal(minor, currency.digits)} ${currency.code}`;
}

/** Returns whether an amount is exact as a JSON number in every parser: it has at most 15 significant digits. */
export const fitsWireNumber = (minor: bigint): boolean => minor < wireLimit && minor > -wireLimit;

/**
 * Converts an amount to a JSON number whose shortest decimal representation is exact.
 * @throws RangeError from 10^15 minor units, which a JSON number does not represent exactly.
 */
export function toWireNumber(minor: bigint, digits: number): number {
  if (!fitsWireNumber(minor)) {
    throw new RangeError(`${minor} minor units do not fit a JSON number exactly.`);
  }
  return Number(formatDecimal(minor, digits));
}

/**
 * Parses the output of {@link formatDecimal}, including zero.
 * @throws RangeError for other text, or more decimals than `digits`.
 */
export function toMinorUnits(amount: string, digits: number): bigint {
  const decimal = parseDecimal(amount);
  if (decimal === undefined || decimal.scale > digits)
    throw new RangeError(`${amount} is not a decimal number with at most ${digits} decimals`);
  return decimal.coefficient * powerOfTen(digits - decimal.scale);
}
