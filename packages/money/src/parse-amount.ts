import { AmountError, MUST_BE_POSITIVE, mustHaveDecimals } from "./amount-error.js";
import {
  type Decimal,
  decimalToText,
  divide,
  MAXIMUM_DECIMAL_TEXT_LENGTH,
  parseDecimal,
  powerOfTen,
  significantDigits,
} from "./decimal.js";
import { formatDecimal } from "./format.js";

/** No amount has more minor units than this, neither as sent nor after a conversion. */
export const maximumMinorUnits = 10n ** 13n;
/** A JSON number of up to 15 significant digits survives every binary64 parser unchanged. */
export const MAXIMUM_SIGNIFICANT_DIGITS = 15;

export type ParseAmountOptions = {
  /** Round to two decimals, half up, before anything else is decided: the rule of `payment/create` only. */
  roundToTwoDecimalsFirst?: boolean;
};

/**
 * Reads an amount as the wire contract's money rules say. A number and a text of the same value get the same
 * answer, so zeros at the end of the decimals do not count: "10.00", 10.0 and 10 are equal, also for XAF.
 *
 * @param input JSON number or decimal text; anything else is refused.
 * @param digits digits of the currency's minor unit.
 * @returns minor units, from 1 to 10^13.
 * @throws AmountError with the reason and a message to put behind the field's name.
 */
export function parseAmount(input: unknown, digits: number, options: ParseAmountOptions = {}): bigint {
  let amount = readDecimal(input);
  if (amount.coefficient < 0n) throw new AmountError("negative", MUST_BE_POSITIVE);
  if (options.roundToTwoDecimalsFirst) amount = roundToScale(amount, 2);
  if (amount.coefficient === 0n) throw new AmountError("zero", MUST_BE_POSITIVE);
  if (significantDigits(amount) > MAXIMUM_SIGNIFICANT_DIGITS) {
    throw new AmountError(
      "too_many_significant_digits",
      `must have at most ${MAXIMUM_SIGNIFICANT_DIGITS} significant digits`,
    );
  }
  if (amount.scale > digits) {
    throw new AmountError("too_many_decimals", mustHaveDecimals(digits));
  }
  return withinMaximum(amount.coefficient * powerOfTen(digits - amount.scale), digits);
}

/**
 * Passes an amount through, or refuses it above 10^13 minor units; for amounts that were computed.
 * @throws AmountError `too_large`.
 */
export function withinMaximum(minor: bigint, digits: number): bigint {
  if (minor <= maximumMinorUnits) return minor;
  throw new AmountError("too_large", `must be at most ${formatDecimal(maximumMinorUnits, digits)}`);
}

/**
 * Rounds to two decimals, half up: "10.005" gives "10.01", "0.004" gives "0". Exact, on the decimal text.
 * @throws AmountError for anything but a JSON number or decimal text that is not negative.
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
  const text = typeof input === "number" ? numberToText(input) : input;
  const amount = parseDecimal(text);
  if (amount) return amount;
  if (/^[+-]?(\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i.test(text.slice(0, MAXIMUM_DECIMAL_TEXT_LENGTH))) {
    throw new AmountError("exponent", "must be a plain decimal number without an exponent");
  }
  throw new AmountError("not_a_number", "must be a number");
}

/**
 * The shortest decimal text that is this binary64 number, without an exponent. For every number of up to 15
 * significant digits that is the text which stood in the JSON document.
 */
function numberToText(value: number): string {
  if (!Number.isFinite(value)) throw new AmountError("not_a_number", "must be a number");
  if (Math.abs(value) >= 1e21) throw new AmountError("too_large", "is too large");
  const text = String(value);
  const [mantissa = "", exponent] = text.split("e-");
  if (exponent === undefined) return text;
  // Below 10^-6 JavaScript writes 1e-7. No currency has that many digits; what is left is to say why.
  if (Number(exponent) > MAXIMUM_DECIMAL_TEXT_LENGTH / 2) {
    throw new AmountError("too_many_decimals", "has too many decimals");
  }
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const sign = value < 0 ? "-" : "";
  return `${sign}0.${"0".repeat(Number(exponent) - whole.length)}${whole}${fraction}`;
}

function roundToScale(amount: Decimal, scale: number): Decimal {
  if (amount.scale <= scale) return amount;
  const coefficient = divide(amount.coefficient, powerOfTen(amount.scale - scale), "half-up");
  // Read again, so that the zeros a rounding leaves at the end do not count as decimals.
  return parseDecimal(decimalToText({ coefficient, scale })) ?? { coefficient, scale };
}
