<?php

namespace Tillgate\WooCommerce\Shop;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;
use Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry;
use Tillgate\WooCommerce\Plugin;

final class BlocksMethod extends AbstractPaymentMethodType
{
    private const SCRIPT = 'tillgate-blocks';

    /** @var string */
    protected $name = Plugin::GATEWAY_ID;

    private ?Gateway $gateway = null;

    public static function register(PaymentMethodRegistry $registry): void
    {
        $registry->register(new self());
    }

    /** @return void */
    public function initialize()
    {
        $this->settings = (array) get_option(Settings::OPTION, []);
        $gateways = WC()->payment_gateways()->payment_gateways();
        $gateway = $gateways[Plugin::GATEWAY_ID] ?? null;
        $this->gateway = $gateway instanceof Gateway ? $gateway : null;
    }

    /**
     * Checks only the currency. The amount and country may still change during checkout, so the script checks them, and the server checks
     * them again when the order is placed.
     * @return bool
     */
    public function is_active()
    {
        return $this->gateway !== null && $this->gateway->supportsCurrency(get_woocommerce_currency());
    }

    /** @return string[] */
    public function get_payment_method_script_handles()
    {
        Scripts::register(self::SCRIPT, 'blocks');
        return [self::SCRIPT];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data()
    {
        if ($this->gateway === null) {
            return [];
        }
        $settings = Plugin::services()->settings;
        return [
            'title' => $this->gateway->get_title(),
            'description' => (string) $this->gateway->description,
            'testMode' => TestMode::isActive($settings->mode()) ? TestMode::text() : '',
            'express' => $settings->showsExpress()
                ? ['address' => ExpressCheckout::url(), 'label' => ExpressCheckout::label($this->gateway->get_title())]
                : null,
            'minAmount' => $settings->minAmount(),
            'maxAmount' => $settings->maxAmount(),
            'digits' => Plugin::services()->money->digits(get_woocommerce_currency()),
            'countries' => $settings->countries(),
            'icon' => $this->gateway->icon,
            'button' => $this->gateway->order_button_text,
            'supports' => array_values(array_filter($this->gateway->supports, [$this->gateway, 'supports'])),
        ];
    }
}
