<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Http\NoCache;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\WithServices;

/** The customer's pages of an order ask at once how its payment stands, so that they are right without a cron job. */
final class CustomerPages
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('template_redirect', [$this, 'refreshOrder']);
    }

    /** Before the page of an order that was paid in the meantime is drawn, the order is brought up to date. */
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
        $address = is_wc_endpoint_url('order-pay') ? $this->paidOrderUrl(Orders::get($orderId)) : null;
        if ($address !== null) {
            wp_safe_redirect($address);
            exit;
        }
    }

    /**
     * Where somebody reads that the order is paid, or was refunded: WooCommerce's page for paying says only that it cannot be paid.
     *
     * @return string|null null where it can be paid, or where Tillgate took nothing
     */
    public function paidOrderUrl(\WC_Order $order): ?string
    {
        $attempt = $this->services->attempts->findForDisplay($order->get_id(), (string) $order->get_transaction_id());
        if ($attempt === null || $attempt->trxId === null || $order->needs_payment()) {
            return null;
        }
        // WooCommerce's page of thanks empties the cart. One that was filled for another order since is not its own to empty.
        $cart = WC()->cart;
        $isAnotherCart = $cart !== null && !$cart->is_empty() && !$order->has_cart_hash($cart->get_cart_hash());
        if ($isAnotherCart) {
            return current_user_can('view_order', $order->get_id()) ? $order->get_view_order_url() : null;
        }
        return $order->get_checkout_order_received_url();
    }

    /** A number in the address is no reason to ask: only who knows the key, or whose order it is, makes the shop ask. */
    private static function canView(int $orderId): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- The order's key is the proof.
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
