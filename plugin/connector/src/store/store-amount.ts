import {
  AmountError,
  digitsOf,
  formatAmount,
  formatDecimal,
  parseAmount,
  UnknownCurrencyError,
} from "@tillgate/money";

/** The store's total cannot be asked for: its text says why, for the shop's owner and the shopper. */
export class StoreAmountError extends Error {
  override readonly name = "StoreAmountError";
}

/**
 * Reads a store's total exactly. A total with more decimals than its currency has is refused, also where they are
 * zeros: such a shop would come to amounts that cannot be paid, and rounding would ask for another amount than shown.
 *
 * @param total decimal text, as WooCommerce writes it
 * @returns minor units
 * @throws StoreAmountError
 */
export function readStoreTotal(total: string, currency: string): bigint {
  try {
    const digits = digitsOf(currency);
    const decimals = /^\d+\.(\d+)$/.exec(total)?.[1]?.length ?? 0;
    if (decimals > digits) {
      throw new StoreAmountError(
        `The order's total ${total} has ${decimals} decimals, but ${currency} has ${digits}. Please set the shop's number of decimals to ${digits}.`,
      );
    }
    return parseAmount(total, digits);
  } catch (error) {
    if (error instanceof AmountError && error.reason === "zero")
      throw new StoreAmountError(`The order comes to ${total} ${currency}: there is nothing to pay.`);
    if (error instanceof AmountError)
      throw new StoreAmountError(`The order's total ${total} ${error.message}.`);
    if (error instanceof UnknownCurrencyError) {
      throw new StoreAmountError(`The order's currency ${currency} is not known.`);
    }
    throw error;
  }
}

/** As {@link readStoreTotal}, but an order that the shop has brought down to nothing comes to 0. */
export const readStoreSum = (total: string, currency: string): bigint =>
  /^0+(\.0+)?$/.test(total) ? 0n : readStoreTotal(total, currency);

/** What refund records come to, in minor units. One of nothing (a restock) is no amount and counts for none. */
export const sumOfRecords = (records: readonly { amount: string }[], currency: string): bigint =>
  records.reduce((sum, { amount }) => sum + (tryStoreTotal(amount, currency) ?? 0n), 0n);

/** @returns minor units, or null where the text is no amount of the currency */
export function tryStoreTotal(total: string, currency: string): bigint | null {
  try {
    return readStoreTotal(total, currency);
  } catch (error) {
    if (error instanceof StoreAmountError) return null;
    throw error;
  }
}

/** Reads an amount of an event or an answer of Tillgate. @returns minor units, or null where it is none */
export function tryWireAmount(amount: number, currency: string): bigint | null {
  try {
    return parseAmount(amount, digitsOf(currency));
  } catch (error) {
    if (error instanceof AmountError || error instanceof UnknownCurrencyError) return null;
    throw error;
  }
}

/** `41.50` */
export const decimalText = (minor: bigint, currency: string): string =>
  formatDecimal(minor, digitsOf(currency));

/** `41.50 EUR` */
export const amountText = (minor: bigint, currency: string): string =>
  formatAmount(minor, { code: currency, digits: digitsOf(currency) });
