/**
 * Why an amount was rejected; documented under "Amounts and times".
 * - `not_a_number`: neither a finite JSON number nor a plain decimal string.
 * - `exponent`: a decimal string with an exponent, such as "1e3".
 * - `too_many_significant_digits`: more digits than a JSON number represents exactly.
 * - `too_many_decimals`: more decimals than the currency has.
 * - `too_large`: more than 10^13 minor units.
 * - `ambiguous`: one separator before exactly three digits, which could be a thousands or a decimal separator.
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

/** @param digits decimal places allowed by the currency. */
export const decimalsMessage = (digits: number): string =>
  digits === 0 ? "must be a whole number" : `must have at most ${digits} decimals`;

/** The message continues a sentence that starts with the field's name. */
export class AmountError extends Error {
  override readonly name = "AmountError";

  constructor(
    readonly reason: AmountErrorReason,
    message: string,
  ) {
    super(message);
  }
}
