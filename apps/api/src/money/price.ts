import { AmountError, type Currency, convertInverse, rateAfterSpread } from "@tillgate/money";

/** `amount` is in minor units of the wallet's currency. */
export type ConvertedPrice = {
  amount: bigint;
  /** Units of the order's currency per unit of the wallet's, net of the spread; null for equal currencies. */
  rate: string | null;
};

/** Returns SQL for the margin in percent: the spread of the rate in effect at `at`. Arguments are SQL expressions. */
export const marginAtSql = (of: { mode: string; from: string; to: string; at: string }): string => `
  (SELECT trim_scale(m.spread_percent)::text FROM exchange_rates m
   WHERE m.mode = ${of.mode} AND m.base = ${of.from} AND m.quote = ${of.to} AND m.effective_from <= ${of.at}
   ORDER BY m.effective_from DESC, m.created_at DESC LIMIT 1)`;

const RATE_DECIMALS = 20;

/**
 * Returns what a wallet pays for an order: the order's amount or, if the wallet has another currency, the amount divided by the rate, rounded up.
 * There is no fee; the rate includes the margin.
 * @param rate from the wallet's to the order's currency, and its spread in percent; null if there is no rate.
 * @returns null without a required rate, if the rate net of the spread has too many decimals to store, or if the price exceeds the maximum amount.
 */
export function convertPrice(
  order: { amount: bigint; currency: Currency },
  wallet: Currency,
  rate: { rate: string; spread: string } | null,
): ConvertedPrice | null {
  if (wallet.code === order.currency.code) return { amount: order.amount, rate: null };
  if (rate === null) return null;
  const after = rateAfterSpread(rate.rate, rate.spread);
  if ((after.split(".")[1] ?? "").length > RATE_DECIMALS) return null;
  try {
    const amount = convertInverse(order.amount, order.currency.digits, wallet.digits, after, "up");
    return { amount, rate: after };
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}
