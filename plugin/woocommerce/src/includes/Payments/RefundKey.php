<?php

namespace Tillgate\WooCommerce\Payments;

/** The key under which a refund is asked for: the same wish has the same key, on whichever server it is expressed. */
final class RefundKey
{
    /**
     * @param string $site          the shop's address
     * @param int    $orderId       the shop's order
     * @param int    $refundedMinor minor units refunded before this refund
     * @param int    $amountMinor   minor units of this refund
     * @return string 64 hex digits
     */
    public static function of(string $site, int $orderId, int $refundedMinor, int $amountMinor): string
    {
        return hash('sha256', implode(':', [$site, $orderId, $refundedMinor, $amountMinor]));
    }

    /** A wish whose refund failed can be expressed again, under the key that follows. */
    public static function after(string $key): string
    {
        return hash('sha256', "again:$key");
    }

    /** @return string what names this shop in keys */
    public static function site(): string
    {
        return home_url();
    }
}
