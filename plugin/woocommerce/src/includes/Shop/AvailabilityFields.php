<?php

namespace Tillgate\WooCommerce\Shop;

final class AvailabilityFields
{
    /** @return array<string, array<string, mixed>> */
    public static function appearance(): array
    {
        return [
            'icon' => [
                'title' => __('Icon', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'placeholder' => self::defaultIcon(),
                'description' => __('URL of an image shown next to the title, for example from your media library. Leave blank to show a wallet icon.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'express' => [
                'title' => __('Express checkout', 'tillgate-for-woocommerce'),
                'label' => __('Show an express payment button in the cart and on product pages', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
                'description' => __('Goes straight to payment if the customer’s address is known and there’s nothing to choose. Otherwise, opens the checkout with this method selected.', 'tillgate-for-woocommerce'),
            ],
        ];
    }

    /** @return array<string, array<string, mixed>> */
    public static function limits(): array
    {
        return [
            'offer' => [
                'title' => __('Availability', 'tillgate-for-woocommerce'),
                'type' => 'title',
                'description' => __('Leave fields blank for no limit. Currencies your account has no wallet in are never offered.', 'tillgate-for-woocommerce'),
            ],
            'min_amount' => [
                'title' => __('Minimum amount', 'tillgate-for-woocommerce'),
                'type' => 'price',
                'default' => '',
            ],
            'max_amount' => [
                'title' => __('Maximum amount', 'tillgate-for-woocommerce'),
                'type' => 'price',
                'default' => '',
            ],
            'countries' => [
                'title' => __('Countries', 'tillgate-for-woocommerce'),
                'type' => 'multiselect',
                'class' => 'wc-enhanced-select',
                'default' => [],
                'options' => WC()->countries->get_countries(),
                'description' => __('Based on the billing address. Leave blank for all.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'currencies' => [
                'title' => __('Currencies', 'tillgate-for-woocommerce'),
                'type' => 'multiselect',
                'class' => 'wc-enhanced-select',
                'default' => [],
                'options' => get_woocommerce_currencies(),
                'description' => __('For multi-currency shops. Leave blank for all currencies your account has a wallet in.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'messages' => [
                'title' => __('Alerts', 'tillgate-for-woocommerce'),
                'type' => 'title',
            ],
            'alarm_mail' => [
                'title' => __('Send alerts to', 'tillgate-for-woocommerce'),
                'type' => 'email',
                'default' => (string) get_option('admin_email'),
                'description' => __('Sent once, then daily until resolved, for problems such as failing webhooks, refunds that don’t match, or orders paid on one side only. Leave blank for no e-mails; alerts still appear in the admin area.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'payment_mail' => [
                'title' => __('Send payment notifications to', 'tillgate-for-woocommerce'),
                'type' => 'email',
                'default' => '',
                'description' => __('An e-mail for each payment with Tillgate, in addition to WooCommerce’s own e-mails. Leave blank for none.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
        ];
    }

    public static function defaultIcon(): string
    {
        return plugins_url('assets/tillgate.svg', TILLGATE_WOOCOMMERCE_FILE);
    }
}
