import type { OrderLine } from "../store/store-access.js";
import { decimalText, roundAmount } from "../store/store-amount.js";

/**
 * Distributes a refund over the parts of an order, in proportion to the remaining amount of each. Amounts are in minor units.
 * @param parts the net amounts and taxes of lines, shipping and fees
 * @param before sum of earlier refunds
 * @returns shares that add up to `amount`; all zero if the parts have no positive total
 */
export function refundShares(parts: readonly bigint[], before: bigint, amount: bigint): bigint[] {
  const total = sumAmounts(parts);
  const refunded = distribute(parts, before < total ? before : total);
  const remaining = parts.map((part, index) => part - (refunded[index] ?? 0n));
  return distribute(sumAmounts(remaining) > 0n ? remaining : parts, amount);
}

const sumAmounts = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);

/** Rounds running totals, so that the shares add up to the amount exactly. */
function distribute(parts: readonly bigint[], amount: bigint): bigint[] {
  const total = sumAmounts(parts);
  let sum = 0n;
  let distributed = 0n;
  return parts.map((part) => {
    sum += part;
    const until = total > 0n ? (2n * amount * (sum > 0n ? sum : 0n) + total) / (2n * total) : 0n;
    const share = until - distributed;
    distributed = until;
    return share;
  });
}

/**
 * Returns the refund's share of each order line, for correct tax reports. Amounts are in minor units; `before` is the sum of earlier
 * refunds, and `isFull` means that this refund covers the whole order.
 */
export function shareLines(
  lines: readonly OrderLine[],
  currency: string,
  { before, amount, isFull }: { before: bigint; amount: bigint; isFull: boolean },
): OrderLine[] {
  const parts = lines.flatMap(({ total, taxes }) => [total, ...taxes.map((tax) => tax.total)]);
  const shares = refundShares(
    parts.map((part) => roundAmount(part, currency)),
    before,
    amount,
  ).values();
  const next = () => decimalText(shares.next().value ?? 0n, currency);
  return lines.map(({ id, quantity, taxes }) => ({
    id,
    // For a partial refund, the returned items are unknown.
    quantity: isFull ? quantity : 0,
    total: next(),
    taxes: taxes.map((tax) => ({ id: tax.id, total: next() })),
  }));
}
