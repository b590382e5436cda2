/** The number is exactly coefficient ÷ 10^scale. Parsing removes trailing zeros of the fraction. */
export type Decimal = {
  readonly coefficient: bigint;
  readonly scale: number;
};

export type Rounding = "down" | "up" | "half-up";

/** Far more characters than any amount or rate has. */
export const MAXIMUM_DECIMAL_TEXT_LENGTH = 64;

/** JSON's number grammar without exponents: no plus sign, spaces, bare point or leading zeros. */
const decimalText = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?$/;

/** Parses a plain decimal string exactly: "1.50" is 15 ÷ 10. Returns undefined for invalid text. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > MAXIMUM_DECIMAL_TEXT_LENGTH) return undefined;
  const match = decimalText.exec(text);
  if (!match) return undefined;
  const [, whole = "", decimals = ""] = match;
  const fraction = trimTrailingZeros(decimals);
  return { coefficient: BigInt(`${whole}${fraction}`), scale: fraction.length };
}

export function trimTrailingZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals.endsWith("0", end)) end -= 1;
  return decimals.slice(0, end);
}

/** Formats with exactly `scale` decimals: 1 ÷ 10^2 is "0.01", and 150 ÷ 10^2 is "1.50". */
export function decimalToText({ coefficient, scale }: Decimal): string {
  const sign = coefficient < 0n ? "-" : "";
  const digits = coefficient
    .toString()
    .slice(sign.length)
    .padStart(scale + 1, "0");
  if (scale === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Divides, and rounds once. The divisor must be positive. @throws RangeError for a negative dividend. */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (dividend < 0n) throw new RangeError("The dividend must not be negative.");
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (rounding === "up") return remainder > 0n ? quotient + 1n : quotient;
  if (rounding === "half-up") return remainder * 2n >= divisor ? quotient + 1n : quotient;
  return quotient;
}
