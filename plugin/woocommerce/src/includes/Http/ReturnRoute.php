<?php

namespace Tillgate\WooCommerce\Http;

use Tillgate\WooCommerce\Payments\ReadPayment;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\Scripts;
use Tillgate\WooCommerce\WithServices;

/**
 * Where the shopper comes back from Tillgate. The address is only a hint: this asks Tillgate, then decides.
 * WooCommerce's own addresses would empty the cart or cancel the order before anything is known.
 */
final class ReturnRoute
{
    use WithServices;

    private const LOOK_AGAIN_SECONDS = 3;
    /** After this many looks the page tells the shopper not to wait. */
    private const PATIENT_LOOKS = 20;

    public function addHooks(): void
    {
        add_action('woocommerce_api_tillgate_return', [$this, 'decide']);
    }

    public function decide(): void
    {
        NoCache::page();
        // phpcs:disable WordPress.Security.NonceVerification.Recommended -- A link from outside; the order's key is the proof.
        $orderId = isset($_GET['order_id']) ? absint(wp_unslash($_GET['order_id'])) : 0;
        $key = isset($_GET['key']) ? sanitize_text_field(wp_unslash($_GET['key'])) : '';
        $looks = isset($_GET['look']) ? absint(wp_unslash($_GET['look'])) : 0;
        // phpcs:enable
        $order = Orders::findWithKey($orderId, $key);
        if ($order === null) {
            wp_die(
                esc_html__('Order not found.', 'tillgate-for-woocommerce'),
                esc_html__('Order not found', 'tillgate-for-woocommerce'),
                ['response' => 404]
            );
        }
        $state = (new ReadPayment($this->services))->of($order->get_id());
        $address = $this->addressFor($state, Orders::get($order->get_id()));
        if ($address !== null) {
            wp_safe_redirect($address);
            exit;
        }
        $this->showChecking($order, $looks);
        exit;
    }

    /** @return string|null null where it is not known yet */
    private function addressFor(string $state, \WC_Order $order): ?string
    {
        if ($order->is_paid() || $state === ReadPayment::PAID || $state === ReadPayment::REFUNDED) {
            return $order->get_checkout_order_received_url();
        }
        switch ($state) {
            case ReadPayment::PENDING:
                return $order->get_checkout_payment_url(!$this->services->settings->leadsToPage());
            case ReadPayment::EXPIRED:
                self::say(ReadPayment::whyOver($this->services->attempts->current($order->get_id())));
                return self::addressToGoOn($order);
            case ReadPayment::CANCELLED:
                self::say(self::hasCart()
                    ? __('Payment cancelled. Your cart hasn’t changed.', 'tillgate-for-woocommerce')
                    : __('Payment cancelled. You haven’t been charged.', 'tillgate-for-woocommerce'));
                return self::hasCart() ? wc_get_cart_url() : self::addressToGoOn($order);
            case ReadPayment::NONE:
                return self::addressToGoOn($order);
            default:
                return null;
        }
    }

    /** An order that was paid for from a mail, or on another device, has no cart here. */
    private static function hasCart(): bool
    {
        return WC()->cart !== null && !WC()->cart->is_empty();
    }

    private static function addressToGoOn(\WC_Order $order): string
    {
        if ($order->needs_payment()) {
            return $order->get_checkout_payment_url();
        }
        return self::hasCart() ? wc_get_cart_url() : (string) wc_get_page_permalink('shop');
    }

    private static function say(string $text): void
    {
        if (WC()->session !== null && !wc_has_notice($text, 'notice')) {
            wc_add_notice($text, 'notice');
        }
    }

    /** Refreshes the page, without scripts. */
    private function showChecking(\WC_Order $order, int $looks): void
    {
        $again = add_query_arg('look', $looks + 1, StartPayment::returnAddress($order));
        Scripts::style();
        $text = $looks < self::PATIENT_LOOKS
            ? __('This can take a moment. The page updates automatically.', 'tillgate-for-woocommerce')
            : __(
                'This is taking longer than usual. You don’t need to wait here: we’ll keep checking and e-mail you once the order is paid. Please don’t pay again.',
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
    <meta http-equiv="refresh" content="<?php echo esc_attr(self::LOOK_AGAIN_SECONDS . ';url=' . esc_url_raw($again)); ?>">
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
        <p><a href="<?php echo esc_url($again); ?>"><?php esc_html_e('Check now', 'tillgate-for-woocommerce'); ?></a></p>
    </main>
</body>
</html>
        <?php
    }
}
