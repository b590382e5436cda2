<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;

final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = Plugin::GATEWAY_ID;
        $this->method_title = __('Tillgate', 'tillgate-for-woocommerce');
        $this->method_description = __(
            'Customers pay from their wallet by scanning a QR code or on the payment page.',
            'tillgate-for-woocommerce'
        );
        $this->icon = Plugin::services()->settings->icon();
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->order_button_text = __('Continue to payment', 'tillgate-for-woocommerce');
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    /** @return void */
    public function init_form_fields()
    {
        $this->form_fields = SettingsForm::fields();
    }

    public function is_available()
    {
        $order = self::orderToPay();
        $customer = WC()->customer;
        $country = $order === null ? ($customer === null ? '' : (string) $customer->get_billing_country()) : $order->get_billing_country();
        $total = $order === null
            ? (WC()->cart === null ? 0.0 : (float) $this->get_order_total())
            : (float) Orders::total($order);
        $currency = $order === null ? get_woocommerce_currency() : $order->get_currency();
        $offer = new Availability(Plugin::services());
        return parent::is_available()
            && $this->supportsCurrency($currency)
            && $offer->supportsPrecision($total, $currency)
            && $offer->isWithinLimits($total, $country);
    }

    public function supportsCurrency(string $currency): bool
    {
        return $this->enabled === 'yes' && (new Availability(Plugin::services()))->supportsCurrency($currency);
    }

    private static function orderToPay(): ?\WC_Order
    {
        $orderId = absint(get_query_var('order-pay'));
        return $orderId > 0 ? Orders::find($orderId) : null;
    }

    public function get_description()
    {
        $description = (string) parent::get_description();
        return TestMode::isActive(Plugin::services()->settings->mode()) ? trim($description . "\n\n" . TestMode::text()) : $description;
    }

    /** Returns the URL of the payment's page in the Tillgate console, or WooCommerce's default if that URL is unknown. */
    public function get_transaction_url($order)
    {
        $attempt = Plugin::services()->attempts->byTransaction($order->get_id(), (string) $order->get_transaction_id());
        $page = $attempt === null
            ? null
            : Accounts::consoleUrl($attempt->clientId, $attempt->mode, 'orders/' . $attempt->tillgateOrderId);
        return $page ?? parent::get_transaction_url($order);
    }

    public function needs_setup()
    {
        return Plugin::services()->settings->setupError() !== null;
    }

    /** @return void */
    public function admin_options()
    {
        SettingsForm::show($this, Plugin::services()->settings);
    }

    /**
     * The stored secret is never output.
     * @param string               $key
     * @param array<string, mixed> $data
     * @return string
     */
    public function generate_secret_html($key, $data)
    {
        return SettingsForm::secretField($this, $key, $data, Plugin::services()->settings);
    }

    /**
     * @param string      $key
     * @param string|null $value
     * @return string
     * @throws \Exception with the error message
     */
    public function validate_secret_field($key, $value)
    {
        unset($key);
        $secret = is_string($value) ? trim(wp_unslash($value)) : '';
        self::throwIfInvalid(CredentialFormat::secretError($secret));
        return $secret;
    }

    /**
     * @param string      $key
     * @param string|null $value
     * @return string
     * @throws \Exception with the error message
     */
    public function validate_client_id_field($key, $value)
    {
        $clientId = trim($this->validate_text_field($key, $value));
        self::throwIfInvalid(CredentialFormat::clientIdError($clientId));
        return $clientId;
    }

    /** Saves the settings and displays field errors, which WooCommerce doesn't do for payment gateways. */
    public function process_admin_options()
    {
        $isSaved = parent::process_admin_options();
        foreach ($this->get_errors() as $error) {
            \WC_Admin_Settings::add_error($error);
        }
        return $isSaved;
    }

    private static function throwIfInvalid(?string $error): void
    {
        if ($error !== null) {
            throw new \Exception(esc_html($error));
        }
    }

    /**
     * @param string $key
     * @param string|null $value
     * @return string
     * @throws \Exception with the error message
     */
    public function validate_url_field($key, $value)
    {
        unset($key);
        $address = rtrim(trim((string) $value), '/');
        $isUrl = preg_match('~^https?://[^/?#@\s]+(/[^?#\s]*)?$~i', $address) === 1;
        if ($address !== '' && !$isUrl) {
            self::throwIfInvalid(__('Enter a URL such as https://api.example.com.', 'tillgate-for-woocommerce'));
        }
        return esc_url_raw($address);
    }

    /**
     * The order status and the cart stay unchanged until Tillgate reports the payment.
     * @param int $order_id
     * @return array<string, string>
     */
    public function process_payment($order_id)
    {
        $services = Plugin::services();
        try {
            $attempt = (new StartPayment($services))->run((int) $order_id);
        } catch (\Throwable $error) {
            $services->log->error("Order $order_id: could not start the payment: {$error->getMessage()}");
            if (!$error instanceof PluginError || $error->customerMessage() === null) {
                $services->health->recordPaymentStart($error->getMessage());
            }
            if ($error instanceof PluginError && $error->customerMessage() === null) {
                $services->health->recordError(Health::CAUSE_SHOP, "Order $order_id: {$error->getMessage()}");
            }
            wc_add_notice($this->customerMessage($error), 'error');
            return ['result' => 'failure', 'redirect' => ''];
        }
        $services->health->recordPaymentStart(null);
        do_action('tillgate_payment_started', (int) $order_id);
        $order = Orders::get((int) $order_id);
        if ($attempt->state !== 'pending') {
            $isPaid = PaymentStatus::forAttempt($attempt) === PaymentStatus::PAID;
            $address = $isPaid ? $this->get_return_url($order) : $order->get_checkout_payment_url();
            return ['result' => 'success', 'redirect' => $address];
        }
        return [
            'result' => 'success',
            'redirect' => $services->settings->redirectsToPaymentPage() ? (string) $attempt->paymentUrl : $order->get_checkout_payment_url(true),
        ];
    }

    /**
     * @param int        $order_id
     * @param string|float|null $amount
     * @param string     $reason
     * @return true|\WP_Error true only if the refund is completed
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return (new RequestRefund(Plugin::services()))->run((int) $order_id, Orders::decimalText($amount), (string) $reason);
    }

    public function can_refund_order($order)
    {
        return parent::can_refund_order($order) && $order->get_transaction_id() !== '';
    }

    /** Returns the error's customer message, or a message that names the payment method by its configured title. */
    private function customerMessage(\Throwable $error): string
    {
        if ($error instanceof PluginError && $error->customerMessage() !== null) {
            return $error->customerMessage();
        }
        $title = wp_strip_all_tags($this->get_title());
        if ($error instanceof PluginError && $error->is(PluginError::REJECTED)) {
            /* translators: %s: the payment method's title, like "Wallet (QR code)" */
            return sprintf(__('%s isn’t available for this payment right now. Please choose another payment method.', 'tillgate-for-woocommerce'), $title);
        }
        return sprintf(
            /* translators: %s: the payment method's title, like "Wallet (QR code)" */
            __('We can’t start a payment with %s right now. If you’ve already paid this order, don’t pay again. Otherwise, please try again or choose another payment method.', 'tillgate-for-woocommerce'),
            $title
        );
    }
}
