import { AmountError, type Currency, parseWrittenAmount } from "@tillgate/money";
import type { Context } from "../../context.js";
import { invalidValue, notFound } from "../../operation-error.js";
import { findCurrency } from "../../readers/currencies.js";

/** An amount in minor units with the currency it is in. */
export type Money = { minor: bigint; currency: Currency };

/** A currency of the table by its code in capitals. @throws OperationError NotFound. */
export async function requireCurrency(context: Context, code: string): Promise<Currency> {
  const currency = await findCurrency(context, code);
  if (!currency) throw notFound(`currency ${code}`);
  return currency;
}

/**
 * Reads decimal text as minor units of a currency: a point before the decimals, no thousands separators.
 * @param what names the amount in the refusal: "The daily limit".
 * @throws OperationError InvalidValue.
 */
export function readMinor(text: string, currency: Currency, what: string): bigint {
  try {
    return parseWrittenAmount(text, currency.digits);
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw invalidValue(`${what} (${text}) ${error.message}.`);
  }
}

/** Like {@link readMinor}; zero is an amount too. */
export const readMinorOrZero = (text: string, currency: Currency, what: string): bigint =>
  /^0(\.0{1,4})?$/.test(text) ? 0n : readMinor(text, currency, what);
