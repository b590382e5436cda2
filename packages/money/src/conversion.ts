import { type Decimal, decimalToText, divide, parseDecimal, powerOfTen, type Rounding } from "./decimal.js";
import { withinMaximum } from "./parse-amount.js";

/** A rate is rounded to this many significant digits before use, and the wire shows exactly that rate. */
export const RATE_SIGNIFICANT_DIGITS = 10;

/** Thrown for a rate or percentage that is not plain decimal text, or out of its range. */
export class RateError extends Error {
  override readonly name = "RateError";
}

/**
 * Converts by multiplying: minor × rate, exactly, rounded once. Credits are rounded "down".
 * @param minor minor units of the source currency, not negative.
 * @param fromDigits digits of the source currency.
 * @param toDigits digits of the target currency.
 * @param rate units of the target currency for one unit of the source, as decimal text.
 * @returns minor units of the target currency; 0n when the amount is worth less than one of them.
 * @throws RateError for a bad rate, AmountError `too_large` above 10^13 minor units, RangeError for a negative amount.
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
  return withinMaximum(divide(dividend, divisor, rounding), toDigits);
}

/**
 * Converts by dividing: how much is worth `minor` at this rate. Debits are rounded "up".
 * @param minor minor units of the currency that the rate leads to, not negative.
 * @param fromDigits digits of the currency of `minor`.
 * @param toDigits digits of the currency that is asked for.
 * @param rate units of the currency of `minor` for one unit of the currency that is asked for.
 * @returns minor units of the currency that is asked for.
 * @throws RateError for a bad rate, AmountError `too_large` above 10^13 minor units, RangeError for a negative amount.
 */
export const convertInverse: typeof convert = (minor, fromDigits, toDigits, rate, rounding) => {
  const { coefficient, scale } = readRate(rate);
  const dividend = minor * powerOfTen(toDigits + scale);
  const divisor = coefficient * powerOfTen(fromDigits);
  return withinMaximum(divide(dividend, divisor, rounding), toDigits);
};

/**
 * Rounds a rate to 10 significant digits, half up, and writes it without zeros at the end: "655.9570000001" gives
 * "655.957". The text has at most 15 significant digits, so `Number(text)` is its exact JSON number.
 * @throws RateError when the text is not a decimal number above zero.
 */
export function roundRate(rate: string): string {
  const exact = readRate(rate);
  const surplus = exact.coefficient.toString().length - RATE_SIGNIFICANT_DIGITS;
  if (surplus <= 0) return decimalToText(exact);
  const rounded = divide(exact.coefficient, powerOfTen(surplus), "half-up");
  const scale = exact.scale - surplus;
  const text =
    scale < 0
      ? decimalToText({ coefficient: rounded * powerOfTen(-scale), scale: 0 })
      : decimalToText({ coefficient: rounded, scale });
  return decimalToText(readRate(text));
}

/**
 * Takes a spread off a rate, exactly, and rounds the result to 10 significant digits: the rate on the wire is the rate that
 * is booked.
 * @param spreadPercent percentage as decimal text, from zero to below 100.
 * @throws RateError when either text is not such a number.
 */
export function rateAfterSpread(rate: string, spreadPercent: string): string {
  const { coefficient, scale } = readRate(rate);
  const spread = parseDecimal(spreadPercent);
  if (!spread || spread.coefficient < 0n || spread.coefficient >= 100n * powerOfTen(spread.scale)) {
    throw new RateError(
      `${JSON.stringify(spreadPercent)} is not a spread: decimal text from zero to below 100.`,
    );
  }
  const kept = 100n * powerOfTen(spread.scale) - spread.coefficient;
  return roundRate(decimalToText({ coefficient: coefficient * kept, scale: scale + spread.scale + 2 }));
}

/**
 * A percentage of an amount, rounded half up: the variable part of a fee.
 * @param minor minor units, not negative.
 * @param percent percentage as decimal text, "2.5" for 2.5 %; zero or more.
 * @throws RateError when the percentage is not such text, RangeError for a negative amount.
 */
export function percentageOf(minor: bigint, percent: string): bigint {
  const decimal = parseDecimal(percent);
  if (!decimal || decimal.coefficient < 0n) {
    throw new RateError(`${JSON.stringify(percent)} is not a percentage: decimal text of zero or more.`);
  }
  return divide(minor * decimal.coefficient, powerOfTen(decimal.scale + 2), "half-up");
}

/**
 * What a refund gives back in the payer's currency, as `payer_share` of the database books it: all refunds together give back
 * the payer's part of their sum, rounded down, so the last one returns the rest.
 * @param payment what the payer paid, what the merchant got for it, and what of that was refunded before; minor units.
 * @param amount minor units of the merchant's currency.
 */
export function payerShare(
  { paid, price, refunded }: { paid: bigint; price: bigint; refunded: bigint },
  amount: bigint,
): bigint {
  return (paid * (refunded + amount)) / price - (paid * refunded) / price;
}

function readRate(rate: string): Decimal {
  const decimal = parseDecimal(rate);
  if (!decimal || decimal.coefficient <= 0n) {
    throw new RateError(`${JSON.stringify(rate)} is not a rate: decimal text above zero.`);
  }
  return decimal;
}
