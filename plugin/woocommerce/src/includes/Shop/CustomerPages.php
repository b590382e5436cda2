<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\ReadPayment;
use Tillgate\WooCommerce\WithServices;

/** The customer's pages of an order ask at once how its payment stands, so that they are right without a cron job. */
final class CustomerPages
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('template_redirect', [$this, 'checkBeforeShowing']);
    }

    /** Before the page of an order that was paid in the meantime is drawn, the order is brought up to date. */
    public function checkBeforeShowing(): void
    {
        $orderId = self::orderOfPage();
        if ($orderId === 0) {
            return;
        }
        $attempt = $this->services->attempts->current($orderId);
        if ($attempt === null || $attempt->state !== 'pending' || !self::maySee($orderId)) {
            return;
        }
        $state = (new ReadPayment($this->services))->of($orderId);
        $order = Orders::get($orderId);
        if ($state === ReadPayment::PAID && is_wc_endpoint_url('order-pay')) {
            wp_safe_redirect($order->get_checkout_order_received_url());
            exit;
        }
    }

    /** A number in the address is no reason to ask: only who knows the key, or whose order it is, makes the shop ask. */
    private static function maySee(int $orderId): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- The order's key is the proof.
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        return $key !== ''
            ? Orders::findWithKey($orderId, $key) !== null
            : current_user_can('view_order', $orderId);
    }

    private static function orderOfPage(): int
    {
        foreach (['order-pay', 'order-received', 'view-order'] as $endpoint) {
            if (is_wc_endpoint_url($endpoint)) {
                return absint(get_query_var($endpoint));
            }
        }
        return 0;
    }
}
