/**
 * Why an amount was refused (the wire contract's money rules).
 * - `not_a_number`: neither a finite JSON number nor plain decimal text.
 * - `exponent`: decimal text with an exponent, as "1e3".
 * - `negative`, `zero`: an amount must be above zero.
 * - `too_many_significant_digits`: more digits than a JSON number carries safely.
 * - `too_many_decimals`: more decimals than the currency has.
 * - `too_large`: more minor units than any amount may have.
 * - `ambiguous`: typed with one separator before exactly three digits, which could be a thousands or a decimal separator.
 */
export type AmountErrorReason =
  | "not_a_number"
  | "exponent"
  | "negative"
  | "zero"
  | "too_many_significant_digits"
  | "too_many_decimals"
  | "too_large"
  | "ambiguous";

export const MUST_BE_POSITIVE = "must be greater than zero";

/** @param digits decimals of the currency. */
export const mustHaveDecimals = (digits: number): string =>
  digits === 0 ? "must be a whole number" : `must have at most ${digits} decimals`;

/** A refused amount. The message reads on after a field's name. */
export class AmountError extends Error {
  override readonly name = "AmountError";

  constructor(
    readonly reason: AmountErrorReason,
    message: string,
  ) {
    super(message);
  }
}
