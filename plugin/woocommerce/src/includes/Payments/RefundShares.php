<?php

namespace Tillgate\WooCommerce\Payments;

/** Test vectors: plugin/vectors/refund-shares.json. */
final class RefundShares
{
    /**
     * Splits a refund in proportion to the remaining amount of each part, so that partial refunds that together cover the whole order add up to
     * each part's amount. All amounts are in minor units.
     * @param int[] $parts net amounts and taxes of items, shipping and fees
     * @param int $before sum of earlier refunds
     * @return int[] shares that add up to `$amount`; all are zero if the parts have no positive total
     */
    public static function allocate(array $parts, int $before, int $amount): array
    {
        $alreadyRefunded = self::distribute($parts, min($before, array_sum($parts)));
        $left = array_map(static function (int $part, int $share): int {
            return $part - $share;
        }, $parts, $alreadyRefunded);
        return self::distribute(array_sum($left) > 0 ? $left : $parts, $amount);
    }

    /**
     * Rounds running totals, so that the shares add up to the amount exactly.
     * @param int[] $parts
     * @return int[]
     */
    private static function distribute(array $parts, int $amount): array
    {
        $total = array_sum($parts);
        $shares = [];
        $sum = 0;
        $allocated = 0;
        foreach ($parts as $part) {
            $sum += $part;
            $allocatedUpToHere = $total > 0 ? self::divide($amount, max(0, $sum), $total) : 0;
            $shares[] = $allocatedUpToHere - $allocated;
            $allocated = $allocatedUpToHere;
        }
        return $shares;
    }

    /** Returns amount × sum ÷ total, rounded half up; computed bit by bit, because the product may overflow. */
    private static function divide(int $amount, int $sum, int $total): int
    {
        $quotient = 0;
        $rest = 0;
        foreach (str_split(decbin($amount)) as $bit) {
            $quotient = 2 * $quotient + ($bit === '1' ? intdiv($sum, $total) : 0);
            $rest = 2 * $rest + ($bit === '1' ? $sum % $total : 0);
            $quotient += intdiv($rest, $total);
            $rest %= $total;
        }
        return $quotient + (2 * $rest >= $total ? 1 : 0);
    }
}
