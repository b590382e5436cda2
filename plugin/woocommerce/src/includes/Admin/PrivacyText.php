<?php

namespace Tillgate\WooCommerce\Admin;

/** Suggested text for the privacy policy guide (Settings → Privacy). */
final class PrivacyText
{
    public function addHooks(): void
    {
        add_action('admin_init', [$this, 'add']);
    }

    public function add(): void
    {
        if (function_exists('wp_add_privacy_policy_content')) {
            wp_add_privacy_policy_content(__('Tillgate for WooCommerce', 'tillgate-for-woocommerce'), wp_kses_post(self::text()));
        }
    }

    public static function text(): string
    {
        $paragraphs = [
            __('When you choose to pay with your wallet, we send your order number, amount, currency, description, language and the return URL to Tillgate, our payment service. Later, we also send the order’s status, total and refunds, to compare them with the payment. We don’t send your name or address.', 'tillgate-for-woocommerce'),
            __('You pay on that service’s own page. What you enter there is covered by its privacy policy, and we can’t see it. The service tells us only the IDs, amounts, times and status of your payment and refunds.', 'tillgate-for-woocommerce'),
            __('We store payment and refund IDs with your order for as long as we keep the order.', 'tillgate-for-woocommerce'),
        ];
        return '<p>' . implode('</p><p>', array_map('esc_html', $paragraphs)) . '</p>';
    }
}
