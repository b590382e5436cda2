import { AmountError, decimalsMessage, MUST_BE_POSITIVE } from "./amount-error.js";
import {
  type Decimal,
  decimalToText,
  divide,
  MAXIMUM_DECIMAL_TEXT_LENGTH,
  parseDecimal,
  powerOfTen,
} from "./decimal.js";
import { formatDecimal } from "./format.js";

/** The limit of any amount, as sent and after a conversion. */
export const maximumMinorUnits = 10n ** 13n;
/** JSON numbers of up to 15 significant digits are exact in every binary64 parser. */
export const MAXIMUM_SIGNIFICANT_DIGITS = 15;

export type ParseAmountOptions = {
  /** Rounds half up. Only for `payment/create`. */
  roundToTwoDecimalsFirst?: boolean;
};

/**
 * Parses an amount from an API request. Numbers and strings of equal value yield the same result: "10.00", 10.0 and 10 are equal, even for XAF, which has
 * no decimals.
 * @param input a JSON number or decimal string; anything else is rejected.
 * @param digits the currency's decimal places.
 * @returns minor units, from 1 to 10^13.
 * @throws AmountError with the reason, and a message to append to the field's name.
 */
export function parseAmount(input: unknown, digits: number, options: ParseAmountOptions = {}): bigint {
  let amount = readDecimal(input);
  if (amount.coefficient < 0n) throw new AmountError("negative", MUST_BE_POSITIVE);
  if (options.roundToTwoDecimalsFirst) amount = roundToScale(amount, 2);
  if (amount.coefficient === 0n) throw new AmountError("zero", MUST_BE_POSITIVE);
  if (amount.coefficient.toString().length > MAXIMUM_SIGNIFICANT_DIGITS) {
    throw new AmountError(
      "too_many_significant_digits",
      `must have at most ${MAXIMUM_SIGNIFICANT_DIGITS} significant digits`,
    );
  }
  if (amount.scale > digits) {
    throw new AmountError("too_many_decimals", decimalsMessage(digits));
  }
  return requireWithinMaximum(amount.coefficient * powerOfTen(digits - amount.scale), digits);
}

/** @param digits the currency's decimal places, for the message. @throws AmountError `too_large` above 10^13 minor units. */
export function requireWithinMaximum(minor: bigint, digits: number): bigint {
  if (minor <= maximumMinorUnits) return minor;
  throw new AmountError("too_large", `must be at most ${formatDecimal(maximumMinorUnits, digits)}`);
}

/**
 * Rounds to two decimals, half up: "10.005" becomes "10.01", "0.004" becomes "0".
 * @throws AmountError unless the input is a nonnegative decimal string or JSON number; `too_large` for a number of 10^21 or more, `too_many_decimals`
 * for a number below 10^-32.
 */
export function roundToTwoDecimals(input: number | string): string {
  const amount = readDecimal(input);
  if (amount.coefficient < 0n) throw new AmountError("negative", MUST_BE_POSITIVE);
  return decimalToText(roundToScale(amount, 2));
}

function readDecimal(input: unknown): Decimal {
  if (typeof input !== "number" && typeof input !== "string") {
    throw new AmountError("not_a_number", "must be a number");
  }
  const [text = "", exponent] = typeof input === "number" ? splitNumber(input) : [input];
  const amount = parseDecimal(text);
  if (amount) return { coefficient: amount.coefficient, scale: amount.scale + Number(exponent ?? 0) };
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i.test(text)) {
    throw new AmountError("exponent", "must be a plain decimal number without an exponent");
  }
  throw new AmountError("not_a_number", "must be a number");
}

/**
 * Splits a number at its exponent: JavaScript writes numbers below 10^-6 in exponent notation, such as 1.5e-7. For numbers of up to 15 significant
 * digits, `String(value)` has the same value as the number in the JSON document.
 * @returns the number as text or, in exponent notation, its mantissa and its negated exponent: "1.5" and "7".
 * @throws AmountError `not_a_number` unless the number is finite, `too_large` from 10^21, `too_many_decimals` below 10^-32.
 */
function splitNumber(value: number): string[] {
  if (!Number.isFinite(value)) throw new AmountError("not_a_number", "must be a number");
  if (Math.abs(value) >= 1e21) throw new AmountError("too_large", "is too large");
  const parts = String(value).split("e-");
  // No currency has that many decimals, so the number is rejected without being parsed.
  if (Number(parts[1]) > MAXIMUM_DECIMAL_TEXT_LENGTH / 2) {
    throw new AmountError("too_many_decimals", "has too many decimals");
  }
  return parts;
}

function roundToScale(amount: Decimal, scale: number): Decimal {
  if (amount.scale <= scale) return amount;
  const coefficient = divide(amount.coefficient, powerOfTen(amount.scale - scale), "half-up");
  // Parse again, so that trailing zeros after rounding do not count as decimals.
  return readDecimal(decimalToText({ coefficient, scale }));
}
