import {
  AmountError,
  formatAmount,
  formatDecimal,
  getDigits,
  parseAmount,
  toMinorUnits,
  UnknownCurrencyError,
} from "@tillgate/money";

/** The message is for the shop owner and the shopper. */
export class StoreAmountError extends Error {
  override readonly name = "StoreAmountError";
}

/**
 * Parses an order total. Accepts extra zeros, because WooCommerce writes the shop's number of decimals. Rejects other extra decimals,
 * because rounding would change the amount.
 * @returns minor units
 * @throws StoreAmountError if the amount is zero, invalid or has too many decimals, or the currency is not supported
 */
export function readStoreTotal(total: string, currency: string): bigint {
  try {
    const digits = getDigits(currency);
    const [, whole = "", fraction = ""] = /^(\d+)\.(\d+)$/.exec(total) ?? [];
    if (fraction.length <= digits) return parseAmount(total, digits);
    if (!/^0*$/.test(fraction.slice(digits))) {
      throw new StoreAmountError(
        `The order total ${total} has more decimals than ${currency}, which has ${digits}. Set the shop's number of decimals to ${digits}.`,
      );
    }
    return parseAmount(digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`, digits);
  } catch (error) {
    if (error instanceof AmountError && error.reason === "zero")
      throw new StoreAmountError(`The order total is ${total} ${currency}: there is nothing to pay.`);
    if (error instanceof AmountError)
      throw new StoreAmountError(`The order total ${total} ${currency} ${error.message}.`);
    if (error instanceof UnknownCurrencyError) {
      throw new StoreAmountError(`The order's currency ${currency} is not supported.`);
    }
    throw error;
  }
}

/**
 * Computes the exact total of an order, which the store rounds to fewer decimals than the currency has.
 * @param parts amounts of the order's lines, with more decimals than any currency has
 * @returns decimal text such as `123.45`; `rounded` if the lines don't add up to it
 */
export function computeExactTotal(rounded: string, parts: readonly string[], currency: string): string {
  const scale = Math.max(getDigits(currency), ...parts.map(countDecimals));
  const sum = parts.reduce((all, part) => all + toSignedUnits(part, scale), 0n);
  const minor = roundTo(sum, scale, getDigits(currency));
  const decimals = countDecimals(rounded);
  const isTotal =
    minor > 0n && roundTo(minor, getDigits(currency), decimals) === toMinorUnits(rounded, decimals);
  return isTotal ? decimalText(minor, currency) : rounded;
}

/** Rounds to minor units, half away from zero, because discounts are negative. */
export function roundAmount(amount: string, currency: string): bigint {
  const scale = Math.max(getDigits(currency), countDecimals(amount));
  const units = toSignedUnits(amount, scale);
  return units < 0n
    ? -roundTo(-units, scale, getDigits(currency))
    : roundTo(units, scale, getDigits(currency));
}

const countDecimals = (amount: string): number => amount.split(".")[1]?.length ?? 0;

const toSignedUnits = (amount: string, scale: number): bigint =>
  amount.startsWith("-") ? -toMinorUnits(amount.slice(1), scale) : toMinorUnits(amount, scale);

/** Rounds half up, like WooCommerce. `units` must not be negative. */
function roundTo(units: bigint, scale: number, decimals: number): bigint {
  const unit = 10n ** BigInt(scale - decimals);
  return (units + unit / 2n) / unit;
}

/** Returns whether an amount is zero, as in a refund record that only restocks items. */
export const isZeroAmount = (amount: string): boolean => /^0+(\.0+)?$/.test(amount);

/** Like {@link readStoreTotal}, but accepts zero. */
export const readStoreSum = (total: string, currency: string): bigint =>
  isZeroAmount(total) ? 0n : readStoreTotal(total, currency);

/** Returns the records whose amount is not valid in the currency; they can be neither sent nor compared. */
export const unreadableRecords = <R extends { amount: string }>(
  records: readonly R[],
  currency: string,
): R[] => records.filter(({ amount }) => !isZeroAmount(amount) && tryStoreTotal(amount, currency) === null);

/** Returns the sum in minor units. @throws StoreAmountError if a record is unreadable */
export const sumOfRecords = (records: readonly { amount: string }[], currency: string): bigint =>
  records.reduce((sum, { amount }) => sum + readStoreSum(amount, currency), 0n);

/** Returns the sum in minor units; null if a record is unreadable. */
export const trySumOfRecords = (records: readonly { amount: string }[], currency: string): bigint | null =>
  unreadableRecords(records, currency).length === 0 ? sumOfRecords(records, currency) : null;

/** @returns minor units; null if the amount is zero or invalid, or the currency is not supported */
export function tryStoreTotal(total: string, currency: string): bigint | null {
  try {
    return readStoreTotal(total, currency);
  } catch (error) {
    if (error instanceof StoreAmountError) return null;
    throw error;
  }
}

/** Parses an amount received from Tillgate. @returns minor units; null if the amount is zero or invalid, or the currency is not supported */
export function tryWireAmount(amount: number, currency: string): bigint | null {
  try {
    return parseAmount(amount, getDigits(currency));
  } catch (error) {
    if (error instanceof AmountError || error instanceof UnknownCurrencyError) return null;
    throw error;
  }
}

/** Formats minor units as `41.50`. */
export const decimalText = (minor: bigint, currency: string): string =>
  formatDecimal(minor, getDigits(currency));

/** Formats minor units as `41.50 EUR`. */
export const amountText = (minor: bigint, currency: string): string =>
  formatAmount(minor, { code: currency, digits: getDigits(currency) });
