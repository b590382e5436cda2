<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Plugin;

/** Creates the order through WooCommerce's checkout, with the customer's stored data. */
final class ExpressOrder extends \WC_Checkout
{
    /** @return int|null order ID; null if the customer has to complete the checkout form, or the order cannot be created or needs no payment */
    public function create(): ?int
    {
        $mustRegister = !is_user_logged_in() && $this->is_registration_required();
        if ($mustRegister || !WC()->cart->needs_payment()) {
            return null;
        }
        WC()->cart->calculate_totals();
        $data = $this->checkoutData();
        $errors = new \WP_Error();
        $this->validate_checkout($data, $errors);
        if ($errors->has_errors() || wc_notice_count('error') > 0) {
            wc_clear_notices();
            return null;
        }
        $orderId = $this->create_order($data);
        if (is_wp_error($orderId)) {
            return null;
        }
        // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- WooCommerce's own hook.
        do_action('woocommerce_checkout_order_processed', $orderId, $data, Orders::get((int) $orderId));
        // If the payment cannot be started, the checkout reuses this order.
        WC()->session->set('order_awaiting_payment', $orderId);
        WC()->session->save_data();
        return (int) $orderId;
    }

    /** @return array<string, mixed> in the format of the posted checkout form */
    private function checkoutData(): array
    {
        $data = [
            'terms' => 0,
            'terms-field' => (int) wc_terms_and_conditions_checkbox_enabled(),
            'createaccount' => 0,
            'payment_method' => Plugin::GATEWAY_ID,
            'shipping_method' => WC()->session->get('chosen_shipping_methods', []),
            'ship_to_different_address' => WC()->customer->has_shipping_address() && !wc_ship_to_billing_address_only(),
            'woocommerce_checkout_update_totals' => false,
        ];
        foreach (['billing', 'shipping', 'order'] as $part) {
            foreach (array_keys((array) $this->get_checkout_fields($part)) as $name) {
                $data[$name] = (string) $this->get_value($name);
            }
        }
        return $data;
    }
}
