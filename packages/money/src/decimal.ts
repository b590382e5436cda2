/** An exact decimal number: coefficient ÷ 10^scale. Parsing leaves no trailing zero after the point. */
export type Decimal = {
  readonly coefficient: bigint;
  readonly scale: number;
};

export type Rounding = "down" | "up" | "half-up";

/** Longest decimal text that is read at all; far above what any amount or rate needs. */
export const MAXIMUM_DECIMAL_TEXT_LENGTH = 64;

/** JSON's number grammar without the exponent: no sign but minus, no spaces, no bare point, no leading zeros. */
const decimalText = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/;

/** Reads plain decimal text exactly, or gives undefined when it is anything else. "1.50" is 15 ÷ 10. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > MAXIMUM_DECIMAL_TEXT_LENGTH) return undefined;
  const match = decimalText.exec(text);
  if (!match) return undefined;
  const [, sign = "", whole = "", decimals = ""] = match;
  const fraction = withoutTrailingZeros(decimals);
  return { coefficient: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

export function withoutTrailingZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals.endsWith("0", end)) end -= 1;
  return decimals.slice(0, end);
}

/** Writes a decimal with at least its scale's digits: 1 ÷ 10^2 is "0.01". */
export function decimalToText({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = absolute(coefficient)
    .toString()
    .padStart(scale + 1, "0");
  if (scale === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The number's digits without leading zeros: 0.0120 (read as 12 ÷ 10^3) has two. Zero has none. */
export function significantDigits({ coefficient }: Decimal): number {
  return coefficient === 0n ? 0 : absolute(coefficient).toString().length;
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/**
 * Divides and rounds once. "half-up" rounds a half away from zero for the non-negative numbers it is for.
 * @throws RangeError for a negative dividend or a divisor that is not positive.
 */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (dividend < 0n || divisor <= 0n) throw new RangeError("Only non-negative numbers can be divided here.");
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (rounding === "up") return remainder > 0n ? quotient + 1n : quotient;
  if (rounding === "half-up") return remainder * 2n >= divisor ? quotient + 1n : quotient;
  return quotient;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
