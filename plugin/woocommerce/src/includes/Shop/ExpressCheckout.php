<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\WithServices;

/** The express button starts the payment if the customer's data is complete; otherwise, it opens the checkout. */
final class ExpressCheckout
{
    use WithServices;

    private const ROUTE = 'tillgate_express';

    public function addHooks(): void
    {
        add_action('woocommerce_proceed_to_checkout', [$this, 'showInCart'], 30);
        add_action('woocommerce_after_add_to_cart_button', [$this, 'showOnProduct']);
        add_filter('woocommerce_add_to_cart_redirect', [$this, 'redirectToPayment']);
        add_action('woocommerce_api_' . self::ROUTE, [$this, 'pay']);
    }

    public static function url(): string
    {
        return add_query_arg('_wpnonce', wp_create_nonce(self::ROUTE), WC()->api_request_url(self::ROUTE));
    }

    public static function label(string $title): string
    {
        /* translators: %s: the payment method's title, like "Wallet (QR code)" */
        return sprintf(__('Pay now: %s', 'tillgate-for-woocommerce'), wp_strip_all_tags($title));
    }

    public function showInCart(): void
    {
        $gateway = $this->gateway();
        if ($gateway !== null && $gateway->is_available()) {
            Scripts::style();
            printf(
                '<a class="button wp-element-button tillgate-express" href="%s" rel="nofollow">%s</a>',
                esc_url(self::url()),
                esc_html(self::label($gateway->get_title()))
            );
        }
    }

    /** Shows a second submit button in the add-to-cart form, so that quantity and variation are sent. */
    public function showOnProduct(): void
    {
        global $product;
        $gateway = $this->gateway();
        $isAvailable = $product instanceof \WC_Product && $product->is_type(['simple', 'variable']) && $product->is_purchasable();
        if (!$isAvailable || $gateway === null || !$gateway->supportsCurrency(get_woocommerce_currency())) {
            return;
        }
        Scripts::style();
        printf(
            '<div class="tillgate-express"><button type="submit" class="button wp-element-button" name="add-to-cart" value="%d" formaction="%s">%s</button></div>',
            absint($product->get_id()),
            esc_url(add_query_arg(self::ROUTE, '1', $product->get_permalink())),
            esc_html(self::label($gateway->get_title()))
        );
    }

    public function redirectToPayment($url)
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only selects the redirect target after WooCommerce filled the cart.
        return isset($_GET[self::ROUTE]) && $this->gateway() !== null ? self::url() : $url;
    }

    /** Starts a payment. If that fails, redirects to the checkout, or to the cart if the cart is empty or the button is disabled. */
    public function pay(): void
    {
        $gateway = $this->gateway();
        if ($gateway === null || WC()->cart === null || WC()->cart->is_empty()) {
            wp_safe_redirect(wc_get_cart_url());
            exit;
        }
        WC()->session->set('chosen_payment_method', Plugin::GATEWAY_ID);
        $nonce = isset($_GET['_wpnonce']) ? sanitize_key(wp_unslash($_GET['_wpnonce'])) : '';
        $orderId = wp_verify_nonce($nonce, self::ROUTE) && $gateway->is_available() ? (new ExpressOrder())->create() : null;
        $result = $orderId === null ? [] : $gateway->process_payment($orderId);
        $url = ($result['result'] ?? '') === 'success' ? $result['redirect'] : wc_get_checkout_url();
        // phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- To the Tillgate payment page.
        wp_redirect($url);
        exit;
    }

    private function gateway(): ?Gateway
    {
        $gateway = $this->services->settings->showsExpress()
            ? WC()->payment_gateways()->payment_gateways()[Plugin::GATEWAY_ID] ?? null
            : null;
        return $gateway instanceof Gateway && $gateway->enabled === 'yes' ? $gateway : null;
    }
}
