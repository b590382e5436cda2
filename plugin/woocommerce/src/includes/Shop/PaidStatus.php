<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\WithServices;

final class PaidStatus
{
    use WithServices;

    private const HOOK = 'woocommerce_payment_complete_order_status';
    /** Statuses that cannot be chosen because they don't mean paid. */
    private const NOT_PAID = ['pending', 'on-hold', 'failed', 'cancelled', 'refunded', 'checkout-draft'];

    public function addHooks(): void
    {
        add_filter(self::HOOK, [$this, 'filterStatus'], 10, 3);
    }

    /**
     * @param string $status  WooCommerce's default: completed if nothing needs processing
     * @param int    $orderId
     * @param mixed  $order
     * @return string
     */
    public function filterStatus($status, $orderId = 0, $order = null)
    {
        unset($orderId);
        if (!$order instanceof \WC_Order || $order->get_payment_method() !== Plugin::GATEWAY_ID) {
            return $status;
        }
        $chosen = $this->services->settings->statusAfterPayment($order->needs_processing());
        return $chosen !== '' && isset(self::choices()[$chosen]) ? $chosen : $status;
    }

    /** Returns the status that payment_complete() would set. */
    public static function forOrder(\WC_Order $order): string
    {
        return (string) apply_filters(self::HOOK, $order->needs_processing() ? 'processing' : 'completed', $order->get_id(), $order);
    }

    /** @return array<string, string> options of the setting */
    public static function choices(): array
    {
        $names = [];
        foreach (wc_get_order_statuses() as $status => $name) {
            $names[preg_replace('/^wc-/', '', $status)] = $name;
        }
        return ['' => __('WooCommerce default', 'tillgate-for-woocommerce')] + array_diff_key($names, array_flip(self::NOT_PAID));
    }
}
