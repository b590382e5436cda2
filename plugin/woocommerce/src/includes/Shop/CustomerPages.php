<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Http\NoCache;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\WithServices;

/** Checks an order's pending payment before customer pages are rendered, so that they are up to date without a cron job. */
final class CustomerPages
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('template_redirect', [$this, 'refreshOrder']);
    }

    public function refreshOrder(): void
    {
        $orderId = self::currentOrderId();
        if ($orderId === 0) {
            return;
        }
        $attempt = $this->services->attempts->current($orderId);
        if ($attempt === null || !self::canView($orderId)) {
            return;
        }
        NoCache::sendHeaders();
        if ($attempt->state === 'pending') {
            (new PaymentStatus($this->services))->refresh($orderId);
        }
        $url = is_wc_endpoint_url('order-pay') ? $this->paidOrderUrl(Orders::get($orderId)) : null;
        if ($url !== null) {
            wp_safe_redirect($url);
            exit;
        }
    }

    /**
     * Returns the page to show for a paid order, because WooCommerce's payment page would only report that the order cannot be paid.
     * @return string|null URL to redirect to; null to keep the payment page
     */
    public function paidOrderUrl(\WC_Order $order): ?string
    {
        $attempt = $this->services->attempts->findForDisplay($order->get_id(), (string) $order->get_transaction_id());
        if ($attempt === null || $attempt->trxId === null || $order->needs_payment()) {
            return null;
        }
        // WooCommerce's order-received page empties the cart, which may have been filled for another order since.
        $cart = WC()->cart;
        $isOtherCart = $cart !== null && !$cart->is_empty() && !$order->has_cart_hash($cart->get_cart_hash());
        if ($isOtherCart) {
            return current_user_can('view_order', $order->get_id()) ? $order->get_view_order_url() : null;
        }
        return $order->get_checkout_order_received_url();
    }

    /** Whether the request may view the order. Requires the order key or, if the request has none, permission to view the order. */
    private static function canView(int $orderId): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Authorized by the order key.
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        return $key !== ''
            ? Orders::findByKey($orderId, $key) !== null
            : current_user_can('view_order', $orderId);
    }

    private static function currentOrderId(): int
    {
        foreach (['order-pay', 'order-received', 'view-order'] as $endpoint) {
            if (is_wc_endpoint_url($endpoint)) {
                return absint(get_query_var($endpoint));
            }
        }
        return 0;
    }
}
