<?php

namespace Tillgate\WooCommerce\Payments;

/**
 * The key under which a refund is asked for: the same wish has the same key, on whichever server it is expressed. It names
 * the payment, since a shop that is rebuilt counts its orders from the beginning again.
 */
final class RefundKey
{
    private const REFERENCE_DIGITS = 16;

    /**
     * @param string $site          the shop's address without a slash at its end
     * @param int    $orderId       the shop's order
     * @param string $trxId         Tillgate's transaction that is paid back
     * @param int    $refundedMinor minor units refunded before this refund
     * @param int    $amountMinor   minor units of this refund
     * @param int    $failedBefore  refunds of the same wish that Tillgate has failed: each keeps its key for ever
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

    /** What goes to Tillgate with the key and comes back in the refund's events. */
    public static function reference(string $orderNumber, string $key): string
    {
        return $orderNumber . ' ' . substr($key, 0, self::REFERENCE_DIGITS);
    }

    /** @return string what names this shop in keys */
    public static function site(): string
    {
        return untrailingslashit(home_url());
    }
}
