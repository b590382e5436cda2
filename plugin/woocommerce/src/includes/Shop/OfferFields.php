<?php

namespace Tillgate\WooCommerce\Shop;

/** The settings that say where the method is offered, how it looks there, and whom it tells. */
final class OfferFields
{
    /** @return array<string, array<string, mixed>> */
    public static function look(): array
    {
        return [
            'icon' => [
                'title' => __('Icon', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'placeholder' => self::ownIcon(),
                'description' => __('Address of a picture beside the title, such as one of your media library. Empty: the sign of a wallet.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'express' => [
                'title' => __('Express', 'tillgate-for-woocommerce'),
                'label' => __('Show a button to pay at once in the cart and on products', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
                'description' => __('It leads to the payment where the address of the shopper is known and nothing is to be chosen, else to the checkout with this method chosen.', 'tillgate-for-woocommerce'),
            ],
        ];
    }

    /** @return array<string, array<string, mixed>> */
    public static function limits(): array
    {
        return [
            'offer' => [
                'title' => __('Where it is offered', 'tillgate-for-woocommerce'),
                'type' => 'title',
                'description' => __('Empty fields set no limit. Currencies in which your account has no wallet are never offered.', 'tillgate-for-woocommerce'),
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
                'description' => __('Of the billing address. Empty: all.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'currencies' => [
                'title' => __('Currencies', 'tillgate-for-woocommerce'),
                'type' => 'multiselect',
                'class' => 'wc-enhanced-select',
                'default' => [],
                'options' => get_woocommerce_currencies(),
                'description' => __('For shops with several. Empty: all that your account has a wallet in.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'messages' => [
                'title' => __('When something needs you', 'tillgate-for-woocommerce'),
                'type' => 'title',
            ],
            'alarm_mail' => [
                'title' => __('Mail to', 'tillgate-for-woocommerce'),
                'type' => 'email',
                'default' => (string) get_option('admin_email'),
                'description' => __('Told once, and again each day while it lasts: reports that fail, refunds that differ, orders paid on one side only. Empty: no mails; the administration shows it in any case.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
        ];
    }

    public static function ownIcon(): string
    {
        return plugins_url('assets/tillgate.svg', TILLGATE_WOOCOMMERCE_FILE);
    }
}
