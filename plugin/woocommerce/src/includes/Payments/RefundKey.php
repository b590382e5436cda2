<?php

namespace Tillgate\WooCommerce\Payments;

/**
 * Idempotency key of a refund, the same on every web server of the shop. The key includes the transaction, because a rebuilt shop reuses order
 * IDs.
 */
final class RefundKey
{
    private const REFERENCE_DIGITS = 16;

    /**
     * @param string $site          shop URL without trailing slash
     * @param int    $refundedMinor minor units refunded before this refund
     * @param int    $failedBefore  number of failed refunds with the same values, whose keys cannot be reused
     * @return string 64 hex digits
     */
    public static function generate(
        string $site,
        int $orderId,
        string $trxId,
        int $refundedMinor,
        int $amountMinor,
        int $failedBefore
    ): string {
        $lines = [$site, $orderId, $trxId, $refundedMinor, $amountMinor];
        return hash('sha256', implode("\n", $failedBefore === 0 ? $lines : array_merge($lines, [$failedBefore])));
    }

    /** Tillgate includes the reference in all events and responses of the refund. */
    public static function reference(string $orderNumber, string $key): string
    {
        return $orderNumber . ' ' . substr($key, 0, self::REFERENCE_DIGITS);
    }

    public static function site(): string
    {
        return untrailingslashit(home_url());
    }
}
