import { fieldError } from "@tillgate/contract";
import { AmountError, type Currency, type ParseAmountOptions, parseAmount } from "@tillgate/money";
import { OperationError, Refusal } from "./errors.js";

/**
 * Reads an amount in a currency.
 * @returns minor units.
 * @throws OperationError InvalidFields naming `amount`.
 */
export function readAmount(
  input: number | string,
  currency: Currency,
  options: ParseAmountOptions = {},
): bigint {
  try {
    return parseAmount(input, currency.digits, options);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw new OperationError(Refusal.InvalidFields, {
      fields: { amount: [fieldError("amount", error.message)] },
    });
  }
}
