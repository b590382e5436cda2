<?php

namespace Tillgate\WooCommerce\Payments;

/** How a refund is spread over the parts of an order: the rule of plugin/vectors/refund-shares.json. */
final class RefundShares
{
    /**
     * In proportion to what is left of each part. The last refund of an order takes all of what is left.
     *
     * @param int[] $parts  minor units of each part: the net amounts and taxes of lines, shipping and fees
     * @param int   $before minor units that were refunded before
     * @param int   $amount minor units of this refund
     * @return int[] minor units of each part, which come to the amount; none where the parts come to nothing
     */
    public static function allocate(array $parts, int $before, int $amount): array
    {
        $spent = self::distribute($parts, min($before, array_sum($parts)));
        $left = array_map(static function (int $part, int $share): int {
            return $part - $share;
        }, $parts, $spent);
        return self::distribute(array_sum($left) > 0 ? $left : $parts, $amount);
    }

    /**
     * By running totals, so that the shares come to the amount exactly.
     *
     * @param int[] $parts
     * @return int[]
     */
    private static function distribute(array $parts, int $amount): array
    {
        $all = array_sum($parts);
        $shares = [];
        $sum = 0;
        $given = 0;
        foreach ($parts as $part) {
            $sum += $part;
            $until = $all > 0 ? self::divide($amount, max(0, $sum), $all) : 0;
            $shares[] = $until - $given;
            $given = $until;
        }
        return $shares;
    }

    /** Amount × sum ÷ all, rounded half up, bit by bit: the product may be larger than an integer. */
    private static function divide(int $amount, int $sum, int $all): int
    {
        $quotient = 0;
        $rest = 0;
        foreach (str_split(decbin($amount)) as $bit) {
            $quotient = 2 * $quotient + ($bit === '1' ? intdiv($sum, $all) : 0);
            $rest = 2 * $rest + ($bit === '1' ? $sum % $all : 0);
            $quotient += intdiv($rest, $all);
            $rest %= $all;
        }
        return $quotient + (2 * $rest >= $all ? 1 : 0);
    }
}
