import {
  AmountError,
  digitsOf,
  formatAmount,
  formatDecimal,
  minorUnitsOf,
  parseAmount,
  UnknownCurrencyError,
} from "@tillgate/money";

/** The store's total cannot be asked for: its text says why, for the shop's owner and the shopper. */
export class StoreAmountError extends Error {
  override readonly name = "StoreAmountError";
}

/**
 * Reads an amount of the store exactly, in the currency's minor units. WooCommerce writes amounts with the shop's current number
 * of decimals, so zeros beyond the currency's own are no difference. An amount finer than the currency is rejected: rounding
 * would charge another amount than the shop shows.
 *
 * @param total decimal text, as WooCommerce writes it
 * @returns minor units
 * @throws StoreAmountError
 */
export function readStoreTotal(total: string, currency: string): bigint {
  try {
    const digits = digitsOf(currency);
    const [, whole = "", fraction = ""] = /^(\d+)\.(\d+)$/.exec(total) ?? [];
    if (fraction.length <= digits) return parseAmount(total, digits);
    if (!/^0*$/.test(fraction.slice(digits))) {
      throw new StoreAmountError(
        `The order's total ${total} is finer than ${currency}, which has ${digits} decimals. Set the shop's number of decimals to ${digits}.`,
      );
    }
    return parseAmount(digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`, digits);
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

/**
 * The total of an order whose store rounds it to fewer decimals than its currency has.
 *
 * @param rounded as the store shows it, `123`
 * @param parts what the order's lines come to, with more decimals than any currency has
 * @returns `123.45`; the rounded total where the lines do not come to it
 */
export function exactTotal(rounded: string, parts: readonly string[], currency: string): string {
  const scale = Math.max(digitsOf(currency), ...parts.map(decimalsOf));
  const sum = parts.reduce((all, part) => all + signedUnits(part, scale), 0n);
  const minor = roundTo(sum, scale, digitsOf(currency));
  const decimals = decimalsOf(rounded);
  const isTotal =
    minor > 0n && roundTo(minor, digitsOf(currency), decimals) === minorUnitsOf(rounded, decimals);
  return isTotal ? decimalText(minor, currency) : rounded;
}

/** A part of an order, which the store calculates finer than its currency, rounded half up. Also of less than zero: a discount. */
export function roundedAmount(amount: string, currency: string): bigint {
  const scale = Math.max(digitsOf(currency), decimalsOf(amount));
  const units = signedUnits(amount, scale);
  return units < 0n ? -roundTo(-units, scale, digitsOf(currency)) : roundTo(units, scale, digitsOf(currency));
}

const decimalsOf = (amount: string): number => amount.split(".")[1]?.length ?? 0;

const signedUnits = (amount: string, scale: number): bigint =>
  amount.startsWith("-") ? -minorUnitsOf(amount.slice(1), scale) : minorUnitsOf(amount, scale);

/** Half up, as WooCommerce rounds. Not for less than zero. */
function roundTo(units: bigint, scale: number, decimals: number): bigint {
  const unit = 10n ** BigInt(scale - decimals);
  return (units + unit / 2n) / unit;
}

/** Whether an amount of the store is zero: an order reduced to nothing, or a refund record that only restocks. */
export const isZeroAmount = (amount: string): boolean => /^0+(\.0+)?$/.test(amount);

/** As {@link readStoreTotal}, but zero is 0. */
export const readStoreSum = (total: string, currency: string): bigint =>
  isZeroAmount(total) ? 0n : readStoreTotal(total, currency);

/** The refund records whose amount cannot be read in the currency: their money cannot be moved or compared. */
export const unreadableRecords = <R extends { amount: string }>(
  records: readonly R[],
  currency: string,
): R[] => records.filter(({ amount }) => !isZeroAmount(amount) && tryStoreTotal(amount, currency) === null);

/** What refund records come to, in minor units. @throws StoreAmountError where one cannot be read */
export const sumOfRecords = (records: readonly { amount: string }[], currency: string): bigint =>
  records.reduce((sum, { amount }) => sum + readStoreSum(amount, currency), 0n);

/** As {@link sumOfRecords}. @returns null where a record cannot be read */
export const trySumOfRecords = (records: readonly { amount: string }[], currency: string): bigint | null =>
  unreadableRecords(records, currency).length === 0 ? sumOfRecords(records, currency) : null;

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
