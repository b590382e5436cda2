import type { OrderLine } from "../store/store-access.js";
import { decimalText, roundedAmount } from "../store/store-amount.js";

/**
 * How a refund is spread over the parts of an order, in proportion to what is left of each: the rule of
 * `plugin/vectors/refund-shares.json`. The last refund of an order takes all of what is left.
 *
 * @param parts minor units of each part: the net amounts and taxes of lines, shipping and fees
 * @param before minor units that were refunded before
 * @param amount minor units of this refund
 * @returns minor units of each part, which come to the amount; zeros where the parts come to nothing
 */
export function refundShares(parts: readonly bigint[], before: bigint, amount: bigint): bigint[] {
  const all = sumOf(parts);
  const spent = spread(parts, before < all ? before : all);
  const left = parts.map((part, index) => part - (spent[index] ?? 0n));
  return spread(sumOf(left) > 0n ? left : parts, amount);
}

const sumOf = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);

/** By running totals, so that the shares come to the amount exactly. */
function spread(parts: readonly bigint[], amount: bigint): bigint[] {
  const all = sumOf(parts);
  let sum = 0n;
  let given = 0n;
  return parts.map((part) => {
    sum += part;
    const until = all > 0n ? (2n * amount * (sum > 0n ? sum : 0n) + all) / (2n * all) : 0n;
    const share = until - given;
    given = until;
    return share;
  });
}

/**
 * The refund's share of each line of its order, so that tax reports are right.
 *
 * @param amounts minor units that were refunded before, and of this refund; `isWhole` where it is the whole order
 */
export function shareLines(
  lines: readonly OrderLine[],
  currency: string,
  { before, amount, isWhole }: { before: bigint; amount: bigint; isWhole: boolean },
): OrderLine[] {
  const parts = lines.flatMap(({ total, taxes }) => [total, ...taxes.map((tax) => tax.total)]);
  const shares = refundShares(
    parts.map((part) => roundedAmount(part, currency)),
    before,
    amount,
  ).values();
  const next = () => decimalText(shares.next().value ?? 0n, currency);
  return lines.map(({ id, quantity, taxes }) => ({
    id,
    // Which pieces come back is known only where the whole order is refunded at once.
    quantity: isWhole ? quantity : 0,
    total: next(),
    taxes: taxes.map((tax) => ({ id: tax.id, total: next() })),
  }));
}
