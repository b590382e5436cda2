import { AmountError, convert, percentageOf } from "@tillgate/money";

/** What a payout costs and brings. Amounts in minor units; the rate as an exact decimal. */
export type PayoutPrice = { fee: bigint; rate: string; receiverAmount: bigint };

export type Pricing = {
  amount: bigint;
  sender: { code: string; digits: number };
  receiver: { code: string; digits: number };
  /** Fixed minor units and percent of the amount. */
  fee: { fixed: bigint; percent: string };
  /** From sender to receiver after the spread, rounded to 10 significant digits; "1" for one currency. */
  rate: string;
};

/**
 * Prices a payout: fee = fixed + percentage, rounded half up; the recipient's amount is rounded down (the wire contract's
 * money rules).
 * @returns null when the amount is too small to credit anything or too large after the conversion.
 */
export function pricePayout({ amount, sender, receiver, fee, rate }: Pricing): PayoutPrice | null {
  try {
    const receiverAmount =
      sender.code === receiver.code ? amount : convert(amount, sender.digits, receiver.digits, rate, "down");
    return receiverAmount === 0n
      ? null
      : { fee: fee.fixed + percentageOf(amount, fee.percent), rate, receiverAmount };
  } catch (error) {
    if (error instanceof AmountError) return null;
    throw error;
  }
}
