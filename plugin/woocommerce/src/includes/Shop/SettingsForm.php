<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Admin\ConnectionTest;
use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Admin\EndSecret;
use Tillgate\WooCommerce\Admin\HealthPanel;
use Tillgate\WooCommerce\Plugin;

/** The settings page of the payment method. */
final class SettingsForm
{
    /** @return array<string, array<string, mixed>> */
    public static function fields(): array
    {
        return [
            'enabled' => [
                'title' => __('Enable', 'tillgate-for-woocommerce'),
                'label' => __('Take payments with Tillgate', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
            ],
            'account' => [
                'title' => __('Your Tillgate account', 'tillgate-for-woocommerce'),
                'type' => 'title',
                'description' => __('Client IDs and secrets are made in the console of Tillgate. A secret is shown once, when it is made.', 'tillgate-for-woocommerce'),
            ],
            'mode' => [
                'title' => __('Mode', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => 'sandbox',
                'options' => [
                    'sandbox' => __('Sandbox: for trying out, moves no money', 'tillgate-for-woocommerce'),
                    'live' => __('Live: real payments', 'tillgate-for-woocommerce'),
                ],
                'description' => __('Each mode has a client ID and a secret of its own.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'address' => [
                'title' => __('Address of Tillgate', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'placeholder' => 'https://api.example.com',
                'description' => __('Where the Tillgate API runs, without a path.', 'tillgate-for-woocommerce'),
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
                    'Belongs to the mode and the client ID above. Stored encrypted and never shown again. After a change the old one still counts for 24 hours, unless you end it.',
                    'tillgate-for-woocommerce'
                ),
            ],
            'report_address' => [
                'title' => __('Address of this shop from outside', 'tillgate-for-woocommerce'),
                'type' => 'url',
                'default' => '',
                'description' => __(
                    'Only where Tillgate reaches this shop by another address than shoppers do, such as a tunnel while trying out.',
                    'tillgate-for-woocommerce'
                ),
                'desc_tip' => true,
            ],
            'checkout' => [
                'title' => __('At the checkout', 'tillgate-for-woocommerce'),
                'type' => 'title',
            ],
            'title' => [
                'title' => __('Title', 'tillgate-for-woocommerce'),
                'type' => 'safe_text',
                'default' => __('Wallet (QR code)', 'tillgate-for-woocommerce'),
                'description' => __('What shoppers see at the checkout.', 'tillgate-for-woocommerce'),
                'desc_tip' => true,
            ],
            'description' => [
                'title' => __('Description', 'tillgate-for-woocommerce'),
                'type' => 'textarea',
                'default' => __('Pay from your wallet, with your phone or on this screen.', 'tillgate-for-woocommerce'),
            ],
            'show_as' => [
                'title' => __('Show as', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => Settings::SHOW_QR,
                'options' => [
                    Settings::SHOW_QR => __('QR code in the shop', 'tillgate-for-woocommerce'),
                    Settings::SHOW_PAGE => __('Payment page of Tillgate', 'tillgate-for-woocommerce'),
                    Settings::SHOW_POPUP => __('Pop-up on the shop’s page', 'tillgate-for-woocommerce'),
                ],
                'description' => __(
                    'A pop-up needs this shop’s address in the settings of your Tillgate account, under “Payments in your own pages”.',
                    'tillgate-for-woocommerce'
                ),
            ],
        ] + OfferFields::look() + [
            'expires_in' => [
                'title' => __('Minutes to pay', 'tillgate-for-woocommerce'),
                'type' => 'number',
                'default' => '15',
                'custom_attributes' => ['min' => '1', 'max' => '60', 'step' => '1'],
                'description' => __(
                    'An order that is not paid in this time becomes Failed and its stock returns; it can be paid again.',
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
                'title' => __('Status after payment of virtual, downloadable goods', 'tillgate-for-woocommerce'),
                'type' => 'select',
                'default' => '',
                'options' => PaidStatus::choices(),
            ],
            'refund_lines' => [
                'title' => __('Refunds made at Tillgate', 'tillgate-for-woocommerce'),
                'label' => __('Spread over items, tax and shipping', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'yes',
                'description' => __(
                    'In proportion to what is left of each, so that tax reports are right. Otherwise, the refund shows its amount only.',
                    'tillgate-for-woocommerce'
                ),
            ],
            'restock' => [
                'title' => __('Stock after refunds made at Tillgate', 'tillgate-for-woocommerce'),
                'label' => __('Put the items back into stock', 'tillgate-for-woocommerce'),
                'type' => 'checkbox',
                'default' => 'no',
                'description' => __(
                    'Only where the whole order is refunded at once: otherwise nobody can tell which items come back.',
                    'tillgate-for-woocommerce'
                ),
            ],
        ] + OfferFields::limits();
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
        $missing = $settings->whatIsMissing();
        // Of a site that may be a copy, the notice above it says the same, and asks.
        if ($missing !== null && !SiteAddress::isElsewhere()) {
            self::warn($missing);
        }
        if ($settings->holds(get_woocommerce_currency()) === false) {
            self::warn(sprintf(
                /* translators: %s: currency code */
                __(
                    'Your Tillgate account has no wallet in %s, so Tillgate is not offered at the checkout.',
                    'tillgate-for-woocommerce'
                ),
                get_woocommerce_currency()
            ));
        }
        $offer = new Offer(Plugin::services());
        $advice = $offer->decimalsAdvice();
        if ($advice !== null) {
            self::warn($offer->decimalsText() . ' ' . $advice);
        }
        // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- WooCommerce's own form, escaped field by field.
        echo '<table class="form-table">' . $gateway->generate_settings_html($gateway->get_form_fields(), false) . '</table>';
        ConnectionTest::showButton();
        printf(
            '<p><a href="%s">%s</a></p>',
            esc_url(HealthPanel::url()),
            esc_html__('See how Tillgate is doing in this shop', 'tillgate-for-woocommerce')
        );
    }

    private static function warn(string $text): void
    {
        echo '<div class="notice notice-warning inline"><p>' . esc_html($text) . '</p></div>';
    }

    /** @param array<string, mixed> $data */
    public static function secretField(Gateway $gateway, string $key, array $data, Settings $settings): string
    {
        $name = $gateway->get_field_key($key);
        $placeholder = Credentials::isStored($settings->mode(), $settings->clientId(), $settings->address())
            ? __('stored; enter another one to replace it', 'tillgate-for-woocommerce')
            : '';
        return sprintf(
            '<tr valign="top"><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th><td class="forminp">'
            . '<input class="input-text regular-input" type="password" name="%1$s" id="%1$s" value=""'
            . ' placeholder="%3$s" autocomplete="new-password" spellcheck="false"><p class="description">%4$s</p>%5$s</td></tr>',
            esc_attr($name),
            esc_html($data['title']),
            esc_attr($placeholder),
            esc_html($data['description']),
            EndSecret::list()
        );
    }
}
