import { type Decimal, decimalToText, divide, parseDecimal, powerOfTen, type Rounding } from "./decimal.js";
import { requireWithinMaximum } from "./parse-amount.js";

/** Rates are rounded to this many digits before use, so that the API returns exactly the applied rate. */
export const RATE_SIGNIFICANT_DIGITS = 10;

/** Thrown for a rate or percentage that is not a plain decimal string, or is out of range. */
export class RateError extends Error {
  override readonly name = "RateError";
}

/**
 * Converts an amount: computes minor × rate exactly, and rounds once. Round credits "down".
 * @param minor minor units of the source currency, nonnegative.
 * @param fromDigits decimal places of the source currency; `toDigits` are those of the target currency.
 * @param rate units of the target currency per unit of the source currency, as a decimal string.
 * @returns minor units of the target currency; rounded down, an amount worth less than one minor unit is 0n.
 * @throws RateError for an invalid rate, AmountError `too_large` above 10^13 minor units, RangeError for a negative amount.
 */
export function convert(
  minor: bigint,
  fromDigits: number,
  toDigits: number,
  rate: string,
  rounding: Rounding,
): bigint {
  const { coefficient, scale } = readRate(rate);
  const dividend = minor * coefficient * powerOfTen(toDigits);
  const divisor = powerOfTen(fromDigits + scale);
  return requireWithinMaximum(divide(dividend, divisor, rounding), toDigits);
}

/**
 * Computes the amount that converts to `minor` at this rate. Round debits "up".
 * @param minor minor units of the target currency, nonnegative; `fromDigits` are its decimal places.
 * @param toDigits decimal places of the source currency.
 * @param rate units of the target currency per unit of the source currency.
 * @returns minor units of the source currency.
 * @throws the same errors as {@link convert}.
 */
export const convertInverse: typeof convert = (minor, fromDigits, toDigits, rate, rounding) => {
  const { coefficient, scale } = readRate(rate);
  const dividend = minor * powerOfTen(toDigits + scale);
  const divisor = coefficient * powerOfTen(fromDigits);
  return requireWithinMaximum(divide(dividend, divisor, rounding), toDigits);
};

/**
 * Rounds a rate to 10 significant digits, half up, and drops trailing zeros after the decimal point: "655.9570000001" becomes "655.957". As a JSON
 * number, the result is exact.
 * @throws RateError unless the text is a positive plain decimal number of up to 64 characters.
 */
export function roundRate(rate: string): string {
  const exact = readRate(rate);
  const surplus = Math.max(0, exact.coefficient.toString().length - RATE_SIGNIFICANT_DIGITS);
  const rounded = divide(exact.coefficient, powerOfTen(surplus), "half-up");
  const scale = exact.scale - surplus;
  const coefficient = rounded * powerOfTen(Math.max(0, -scale));
  return decimalToText(readRate(decimalToText({ coefficient, scale: Math.max(0, scale) })));
}

/**
 * Deducts a spread from a rate, and rounds to 10 significant digits, half up.
 * @param spreadPercent percentage as a decimal string, at least 0 and below 100.
 * @throws RateError for an invalid rate or percentage.
 */
export function rateAfterSpread(rate: string, spreadPercent: string): string {
  const { coefficient, scale } = readRate(rate);
  const spread = parseDecimal(spreadPercent);
  if (!spread || spread.coefficient < 0n || spread.coefficient >= 100n * powerOfTen(spread.scale)) {
    throw new RateError(
      `${JSON.stringify(spreadPercent)} is not a valid spread: expected a decimal string from 0 up to, but not including, 100.`,
    );
  }
  const remainder = 100n * powerOfTen(spread.scale) - spread.coefficient;
  return roundRate(decimalToText({ coefficient: coefficient * remainder, scale: scale + spread.scale + 2 }));
}

/**
 * Computes a percentage of an amount, as for the variable part of a fee.
 * @param minor minor units, nonnegative.
 * @param percent nonnegative, as a decimal string: "2.5" for 2.5 %.
 * @returns minor units, rounded half up.
 * @throws RateError for an invalid percentage, RangeError for a negative amount.
 */
export function calculatePercentage(minor: bigint, percent: string): bigint {
  const decimal = parseDecimal(percent);
  if (!decimal || decimal.coefficient < 0n) {
    throw new RateError(
      `${JSON.stringify(percent)} is not a percentage: expected a nonnegative decimal string.`,
    );
  }
  return divide(minor * decimal.coefficient, powerOfTen(decimal.scale + 2), "half-up");
}

/**
 * Computes a refund in the payer's currency, with the formula of the SQL function `payer_share`. All refunds together return the payer's share of
 * their sum, rounded down, so the last refund returns the remainder.
 * @param payment `paid`: what the payer paid, in minor units of the payer's currency; `price` and `refunded`: the order's amount and its earlier
 * refunds, in minor units of the merchant's currency.
 * @param amount the refund, in minor units of the merchant's currency.
 * @returns what the payer receives, in minor units of the payer's currency.
 */
export function computePayerShare(
  { paid, price, refunded }: { paid: bigint; price: bigint; refunded: bigint },
  amount: bigint,
): bigint {
  return (paid * (refunded + amount)) / price - (paid * refunded) / price;
}

function readRate(rate: string): Decimal {
  const decimal = parseDecimal(rate);
  if (!decimal || decimal.coefficient <= 0n) {
    throw new RateError(`${JSON.stringify(rate)} is not a rate: expected a positive decimal string.`);
  }
  return decimal;
}
