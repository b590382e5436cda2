import type { BalanceEntry, WalletActivity } from "@tillgate/contract";
import { formatDecimal } from "@tillgate/money";
import type { Entry } from "./operation.js";

/** Parses a formatted amount into minor units: `-41.50 EUR` is -4150. The API always writes all decimals of the currency. */
export const parseMinor = (formatted: string): number =>
  Number(formatted.split(" ")[0]?.replace(".", "") ?? Number.NaN);

const DIGITS: Readonly<Record<string, number>> = { EUR: 2, USD: 2, XAF: 0 };

export const formatMinor = (minor: number, currency: string): string =>
  formatDecimal(BigInt(minor), DIGITS[currency] ?? 2);

export const toMinor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** (DIGITS[currency] ?? 2));

/*
 * Most transfers appear in two lists: that of the payer's wallet and that of the payee's. A transfer's element must be the same in both, must be
 * known before the call is sent, and must belong to no other transfer. The element is the transfer's kind with its reference (for a refund, that of
 * the order), or with the amount that a conversion debits or a top-up credits. The drill must therefore refund an order at most once, and must never
 * convert or top up the same amount of a currency twice for one shopper.
 */

export const toEntry = ({ kind, reference, amount, balance }: BalanceEntry): Entry => ({
  element: `${kind} ${reference}`,
  amount: parseMinor(amount),
  balance: parseMinor(balance),
});

/** Converts wallet activity to an entry. Unlike a merchant's statement, wallet activity has no running balance. */
export function toShopperEntry(activity: WalletActivity): Entry {
  const { kind, direction, amount, description, counter_amount: counter } = activity;
  const sign = direction === "out" ? -1 : 1;
  const named = direction === "out" ? amount : (counter ?? amount);
  return {
    element: `${kind} ${description ?? named}`,
    amount: sign * parseMinor(amount),
  };
}
