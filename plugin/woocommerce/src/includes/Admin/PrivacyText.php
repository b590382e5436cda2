<?php

namespace Tillgate\WooCommerce\Admin;

/** What the plugin contributes to WordPress's guide to a privacy policy (Settings → Privacy). */
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
            __('When you choose to pay with your wallet, we send the number of your order, its amount and currency, what it is for, the language that you read our shop in, and the address to return to, to the Tillgate service that takes our payments. We send neither your name nor your address.', 'tillgate-for-woocommerce'),
            __('You pay on a page of that service. What you enter there, it keeps under its own privacy policy; we do not see it. It tells us whether the order is paid, and by which transaction.', 'tillgate-for-woocommerce'),
            __('We keep the numbers of payments and refunds with your order, for as long as we keep the order.', 'tillgate-for-woocommerce'),
        ];
        return '<p>' . implode('</p><p>', array_map('esc_html', $paragraphs)) . '</p>';
    }
}
