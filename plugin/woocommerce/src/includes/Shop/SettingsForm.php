<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Admin\ConnectionTest;
use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Admin\HealthPanel;
use Tillgate\WooCommerce\Admin\RevokeSecret;
use Tillgate\WooCommerce\Plugin;

final class SettingsForm
{
    /** @return array<string, array<string, mixed>> by name, in the order of the page */
    public static function fields(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'tillgate-for-woocommerce'),
                'label' => __('Accept payments with Tillgate', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
            ],
            'account' => [
                'title' => __('Your Tillgate account', 'tillgate-for-woocommerce'),
                'type' => 'title',
                'description' => __('Create API keys in the Tillgate console. The client secret is shown only once.', 'tillgate-for-woocommerce'),
            ],
            'mode' => [
                'title' => __('Mode', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => 'sandbox',
                'options' => [
                    'sandbox' => __('Test (sandbox): no real money', 'tillgate-for-woocommerce'),
                    'live' => __('Live: real payments', 'tillgate-for-woocommerce'),
                ],
                'description' => __('Each mode has its own client ID and secret.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'address' => [
                'title' => __('Tillgate URL', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'placeholder' => 'https://api.example.com',
                'description' => __('The URL of the Tillgate API, without a path.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'client_id' => [
                'title' => __('Client ID', 'tillgate-for-woocommerce'),
                'type' => 'text',
                'default' => '',
                'custom_attributes' => ['autocomplete' => 'off', 'spellcheck' => 'false'],
            ],
            'client_secret' => [
                'title' => __('Client secret', 'tillgate-for-woocommerce'),
                'type' => 'secret',
                'default' => '',
                'description' => __(
                    'For the mode and client ID above. Stored encrypted and never shown again. After a change, the old secret stays valid for 24 hours unless you revoke it.',
                    'tillgate-for-woocommerce'
                ),
            ],
            'report_address' => [
                'title' => __('Public URL of this shop', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'description' => __(
                    'Only if Tillgate reaches this shop at a different URL than your customers do, such as a tunnel while testing.',
                    'tillgate-for-woocommerce'
                ),
                'desc_tip' => true,
            ],
            'checkout' => [
                'title' => __('Checkout', 'tillgate-for-woocommerce'),
                'type' => 'title',
            ],
            'title' => [
                'title' => __('Title', 'tillgate-for-woocommerce'),
                'type' => 'safe_text',
                'default' => __('Wallet (QR code)', 'tillgate-for-woocommerce'),
                'description' => __('Shown to customers at checkout.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'description' => [
                'title' => __('Description', 'tillgate-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('Pay with your wallet, on your phone or on this device.', 'tillgate-for-woocommerce'),
            ],
            'show_as' => [
                'title' => __('Display', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => Settings::DISPLAY_QR,
                'options' => [
                    Settings::DISPLAY_QR => __('QR code on the shop’s page', 'tillgate-for-woocommerce'),
                    Settings::DISPLAY_PAGE => __('Tillgate payment page', 'tillgate-for-woocommerce'),
                    Settings::DISPLAY_POPUP => __('Pop-up on the shop’s page', 'tillgate-for-woocommerce'),
                ],
                'description' => __(
                    'For the pop-up, add this shop’s URL in your Tillgate account under Settings → Embedded payments.',
                    'tillgate-for-woocommerce'
                ),
            ],
        ] + AvailabilityFields::appearance() + [
            'expires_in' => [
                'title' => __('Time to pay (minutes)', 'tillgate-for-woocommerce'),
                'type' => 'number',
                'default' => '15',
                'custom_attributes' => ['min' => '1', 'max' => '60', 'step' => '1'],
                'description' => __(
                    'Orders not paid in time are set to Failed and their items are restocked. The customer can still pay.',
                    'tillgate-for-woocommerce'
                ),
            ],
            'paid_status' => [
                'title' => __('Status after payment', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => '',
                'options' => PaidStatus::choices(),
            ],
            'paid_status_virtual' => [
                'title' => __('Status after payment of virtual, downloadable products', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => '',
                'options' => PaidStatus::choices(),
            ],
            'refund_lines' => [
                'title' => __('Refunds made in Tillgate', 'tillgate-for-woocommerce'),
                'label' => __('Split across items, tax and shipping', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'yes',
                'description' => __(
                    'In proportion to the amount of each that hasn’t been refunded yet, so tax reports are correct. Otherwise, the refund only shows the total amount.',
                    'tillgate-for-woocommerce'
                ),
            ],
            'restock' => [
                'title' => __('Stock after refunds made in Tillgate', 'tillgate-for-woocommerce'),
                'label' => __('Restock items', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
                'description' => __(
                    'Only for full refunds. For partial refunds, it’s unclear which items were returned.',
                    'tillgate-for-woocommerce'
                ),
            ],
        ] + AvailabilityFields::limits();
    }

    public static function show(Gateway $gateway, Settings $settings): void
    {
        echo '<h2>' . esc_html($gateway->get_method_title());
        wc_back_link(
            __('Return to payments', 'tillgate-for-woocommerce'),
            admin_url('admin.php?page=wc-settings&tab=checkout')
        );
        echo '</h2>';
        echo '<p>' . esc_html($gateway->get_method_description()) . '</p>';
        ConnectShop::showBox($settings);
        $setupError = $settings->setupError();
        // On a site that may be a copy, SiteMoveNotice already shows this error.
        if ($setupError !== null && !SiteAddress::hasMoved()) {
            self::warn($setupError);
        }
        if ($settings->hasWallet(get_woocommerce_currency()) === false) {
            self::warn(sprintf(
                /* translators: %s: currency code */
                __(
                    'Your Tillgate account has no %s wallet, so Tillgate isn’t offered at checkout.',
                    'tillgate-for-woocommerce'
                ),
                get_woocommerce_currency()
            ));
        }
        $offer = new Availability(Plugin::services());
        $advice = $offer->decimalsAdvice();
        if ($advice !== null) {
            self::warn($offer->decimalsText() . ' ' . $advice);
        }
        // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- WooCommerce escapes each field.
        echo '<table class="form-table">' . $gateway->generate_settings_html($gateway->get_form_fields(), false) . '</table>';
        ConnectionTest::showButton();
        printf(
            '<p><a href="%s">%s</a></p>',
            esc_url(HealthPanel::url()),
            esc_html__('View Tillgate status', 'tillgate-for-woocommerce')
        );
    }

    private static function warn(string $text): void
    {
        echo '<div class="notice notice-warning inline"><p>' . esc_html($text) . '</p></div>';
    }

    /** Returns HTML: the field of the secret, always empty, and the list of old secrets. @param array<string, mixed> $data settings of the field */
    public static function secretField(Gateway $gateway, string $key, array $data, Settings $settings): string
    {
        $name = $gateway->get_field_key($key);
        $placeholder = Credentials::isStored($settings->mode(), $settings->clientId(), $settings->apiUrl())
            ? __('saved; enter a new one to replace it', 'tillgate-for-woocommerce')
            : '';
        return sprintf(
            '<tr valign="top"><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th><td class="forminp">'
            . '<input class="input-text regular-input" type="password" name="%1$s" id="%1$s" value=""'
            . ' placeholder="%3$s" autocomplete="new-password" spellcheck="false"><p class="description">%4$s</p>%5$s</td></tr>',
            esc_attr($name),
            esc_html($data['title']),
            esc_attr($placeholder),
            esc_html($data['description']),
            RevokeSecret::listHtml()
        );
    }
}
