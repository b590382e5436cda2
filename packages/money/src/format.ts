import type { Currency } from "./currencies.js";
import { decimalToText, parseDecimal, powerOfTen } from "./decimal.js";

/** The smallest number with more than 15 digits. A JSON number in major units might not represent such amounts exactly. */
const wireLimit = 10n ** 15n;

/** Formats minor units: 4150n with 2 decimal places is "41.50", 5000n with 0 is "5000". */
export function formatDecimal(minor: bigint, digits: number): string {
  return decimalToText({ coefficient: minor, scale: digits });
}

/** Formats an amount as the API does: "41.50 EUR", "5000 XAF". */
export function formatAmount(minor: bigint, currency: Currency): string {
  return `${formatDecimal(minor, currency.digits)} ${currency.code}`;
}

/** Returns whether an amount has at most 15 digits in minor units, in which case a JSON number represents it exactly. */
export const fitsWireNumber = (minor: bigint): boolean => minor < wireLimit && minor > -wireLimit;

/**
 * Converts minor units to a JSON number in major units. The number's shortest decimal representation is exact.
 * @throws RangeError if the amount has more than 15 digits in minor units.
 */
export function toWireNumber(minor: bigint, digits: number): number {
  if (!fitsWireNumber(minor)) {
    throw new RangeError(
      `The amount (${minor} minor units) has more than 15 digits, so a JSON number might not represent it exactly.`,
    );
  }
  return Number(formatDecimal(minor, digits));
}

/**
 * Parses a plain decimal string of any sign, such as the output of {@link formatDecimal}. Trailing zeros do not count as decimals.
 * @throws RangeError for other text, for more than 64 characters, and for more decimals than `digits`.
 */
export function toMinorUnits(amount: string, digits: number): bigint {
  const decimal = parseDecimal(amount);
  if (decimal === undefined || decimal.scale > digits)
    throw new RangeError(
      `${JSON.stringify(amount)} is not a decimal number with at most ${digits} decimals.`,
    );
  return decimal.coefficient * powerOfTen(digits - decimal.scale);
}
