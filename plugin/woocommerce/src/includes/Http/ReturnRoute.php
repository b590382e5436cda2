<?php

namespace Tillgate\WooCommerce\Http;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\Scripts;
use Tillgate\WooCommerce\WithServices;

/** Return URL of payments. WooCommerce's own return and cancel URLs would empty the cart or cancel the order before the outcome is known. */
final class ReturnRoute
{
    use WithServices;

    private const RELOAD_SECONDS = 3;
    /** After this many page reloads, the page tells the customer not to wait. */
    private const MAX_SHORT_WAIT_CHECKS = 20;

    public function addHooks(): void
    {
        add_action('woocommerce_api_tillgate_return', [$this, 'handle']);
    }

    public function handle(): void
    {
        NoCache::sendHeaders();
        // phpcs:disable WordPress.Security.NonceVerification.Recommended -- Link from outside; authorized by the order key.
        $orderId = isset($_GET['order_id']) ? absint(wp_unslash($_GET['order_id'])) : 0;
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        $checks = isset($_GET['look']) ? absint(wp_unslash($_GET['look'])) : 0;
        // phpcs:enable
        $order = Orders::findByKey($orderId, $key);
        if ($order === null) {
            wp_die(
                esc_html__('Order not found.', 'tillgate-for-woocommerce'),
                esc_html__('Order not found', 'tillgate-for-woocommerce'),
                ['response' => 404]
            );
        }
        $state = (new PaymentStatus($this->services))->refresh($order->get_id());
        $redirectUrl = $this->redirectUrl($state, Orders::get($order->get_id()));
        if ($redirectUrl !== null) {
            wp_safe_redirect($redirectUrl);
            exit;
        }
        $this->showChecking($order, $checks);
        exit;
    }

    /** Adds a notice if the payment ended unpaid. @return string|null URL to redirect the customer to; null while the outcome is unknown */
    public function redirectUrl(string $state, \WC_Order $order): ?string
    {
        if ($order->is_paid() || $state === PaymentStatus::PAID || $state === PaymentStatus::REFUNDED) {
            return $order->get_checkout_order_received_url();
        }
        switch ($state) {
            case PaymentStatus::PENDING:
                return $order->get_checkout_payment_url(!$this->services->settings->redirectsToPaymentPage());
            case PaymentStatus::EXPIRED:
                if ($order->needs_payment()) {
                    self::addNotice(PaymentStatus::expiredMessage($this->services->attempts->current($order->get_id())));
                    return $order->get_checkout_payment_url();
                }
                // The order was cancelled in the shop, or is paid another way.
            case PaymentStatus::CANCELLED:
                self::addNotice(__('Payment cancelled. You haven’t been charged.', 'tillgate-for-woocommerce'));
                return self::hasCart() ? wc_get_cart_url() : self::continueUrl($order);
            case PaymentStatus::NONE:
                return self::continueUrl($order);
            default:
                return null;
        }
    }

    /** A customer who pays from an e-mail link or on another device may have no cart. */
    private static function hasCart(): bool
    {
        return WC()->cart !== null && !WC()->cart->is_empty();
    }

    private static function continueUrl(\WC_Order $order): string
    {
        if ($order->needs_payment()) {
            return $order->get_checkout_payment_url();
        }
        return self::hasCart() ? wc_get_cart_url() : (string) wc_get_page_permalink('shop');
    }

    private static function addNotice(string $text): void
    {
        if (WC()->session !== null && !wc_has_notice($text, 'notice')) {
            wc_add_notice($text, 'notice');
        }
    }

    /** The page reloads itself without JavaScript. */
    private function showChecking(\WC_Order $order, int $checks): void
    {
        $reloadUrl = add_query_arg('look', $checks + 1, StartPayment::returnUrl($order));
        Scripts::style();
        $text = $checks < self::MAX_SHORT_WAIT_CHECKS
            ? __('This can take a moment. The page updates automatically.', 'tillgate-for-woocommerce')
            : __(
                'This is taking longer than usual. You don’t need to wait here: we’ll keep checking and update your order once it’s paid. Please don’t pay again.',
                'tillgate-for-woocommerce'
            );
        status_header(200);
        header('Content-Type: text/html; charset=utf-8');
        ?>
<!doctype html>
<html <?php language_attributes(); ?>>
<head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta http-equiv="refresh" content="<?php echo esc_attr(self::RELOAD_SECONDS . ';url=' . esc_url_raw($reloadUrl)); ?>">
    <title><?php echo esc_html(__('Checking your payment', 'tillgate-for-woocommerce') . ' – ' . get_bloginfo('name')); ?></title>
    <?php wp_print_styles(Scripts::STYLE); ?>
</head>
<body class="tillgate-page">
    <main class="tillgate-checking">
        <p class="tillgate-shop"><?php echo esc_html(get_bloginfo('name')); ?></p>
        <h1><?php esc_html_e('Checking your payment', 'tillgate-for-woocommerce'); ?></h1>
        <div class="tillgate-spinner" aria-hidden="true"></div>
        <p role="status"><?php echo esc_html($text); ?></p>
        <p>
            <?php
            /* translators: %s: order number */
            echo esc_html(sprintf(__('Order %s', 'tillgate-for-woocommerce'), $order->get_order_number()));
            ?>
        </p>
        <p><a href="<?php echo esc_url($reloadUrl); ?>"><?php esc_html_e('Check now', 'tillgate-for-woocommerce'); ?></a></p>
    </main>
</body>
</html>
        <?php
    }
}
