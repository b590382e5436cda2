<?php

namespace Tillgate\WooCommerce\Shop;

final class PaymentEmail
{
    /**
     * @param string $to   empty: no e-mail
     * @param string $text the payment's order note
     */
    public static function send(string $to, \WC_Order $order, string $mode, string $text): void
    {
        if ($to === '') {
            return;
        }
        $shop = html_entity_decode(get_bloginfo('name'), ENT_QUOTES);
        /* translators: 1: shop name, 2: order number */
        $subject = sprintf(__('[%1$s] Tillgate payment for order %2$s', 'tillgate-for-woocommerce'), $shop, $order->get_order_number());
        $testMode = TestMode::isActive($mode) ? TestMode::text() . "\n\n" : '';
        wp_mail($to, $subject, "$testMode$text\n\n" . $order->get_edit_order_url());
    }
}
