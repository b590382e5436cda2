<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;

/**
 * WooCommerce turns an order Refunded by what was refunded when the last refund began: two that cross and come to the whole
 * order together leave it as it was.
 */
final class RefundedOrders
{
    /**
     * Does what WooCommerce would have done, and only where nothing is left: of an order that is turned Refunded with a rest,
     * WooCommerce makes a refund of that rest.
     */
    public static function close(\WC_Order $order, Money $money, int $recordId = 0): void
    {
        $records = new ShopRefunds($order);
        $isPaid = $order->has_status(wc_get_is_paid_statuses());
        if (!$isPaid || $records->areNone() || $records->isBeingMade()) {
            return;
        }
        if ($records->sum($money) !== $money->sum([Orders::totalOf($order)], $order->get_currency())) {
            return;
        }
        $status = apply_filters('woocommerce_order_fully_refunded_status', 'refunded', $order->get_id(), $recordId);
        if (is_string($status) && $status !== '') {
            // Of the rest that floats make of nothing, WooCommerce would make a refund over "-0".
            $isHooked = remove_action('woocommerce_order_status_refunded', 'wc_order_fully_refunded');
            $order->update_status($status);
            if ($isHooked) {
                add_action('woocommerce_order_status_refunded', 'wc_order_fully_refunded');
            }
        }
    }
}
