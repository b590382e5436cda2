<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\WithServices;

/** The status that an order paid with Tillgate gets: WooCommerce's own, or the owner's. */
final class PaidStatus
{
    use WithServices;

    private const HOOK = 'woocommerce_payment_complete_order_status';
    /** A payment is not taken for done while its order is in one of these. */
    private const NOT_PAID = ['pending', 'on-hold', 'failed', 'cancelled', 'refunded', 'checkout-draft'];

    public function addHooks(): void
    {
        add_filter(self::HOOK, [$this, 'filterStatus'], 10, 3);
    }

    /**
     * @param string $status  WooCommerce's own: completed where nothing needs processing
     * @param int    $orderId
     * @param mixed  $order
     * @return string
     */
    public function filterStatus($status, $orderId = 0, $order = null)
    {
        unset($orderId);
        if (!$order instanceof \WC_Order || $order->get_payment_method() !== RuleContext::PAYMENT_METHOD) {
            return $status;
        }
        $chosen = $this->services->settings->statusAfterPayment($order->needs_processing());
        return $chosen !== '' && isset(self::choices()[$chosen]) ? $chosen : $status;
    }

    /** As WooCommerce sets it when a payment is complete. */
    public static function forOrder(\WC_Order $order): string
    {
        return (string) apply_filters(self::HOOK, $order->needs_processing() ? 'processing' : 'completed', $order->get_id(), $order);
    }

    /** @return array<string, string> what the owner may choose */
    public static function choices(): array
    {
        $names = [];
        foreach (wc_get_order_statuses() as $status => $name) {
            $names[preg_replace('/^wc-/', '', $status)] = $name;
        }
        return ['' => __('WooCommerce decides', 'tillgate-for-woocommerce')] + array_diff_key($names, array_flip(self::NOT_PAID));
    }
}
