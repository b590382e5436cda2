<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;

/** Tillgate as WooCommerce sees it: a payment method with settings, payments and refunds. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = RuleContext::PAYMENT_METHOD;
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

    /** Offered only where it can be paid and where the owner wants it. */
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

    /** In test mode shoppers read so before they pay. */
    public function get_description()
    {
        $description = (string) parent::get_description();
        return TestMode::isActive(Plugin::services()->settings->mode()) ? trim($description . "\n\n" . TestMode::text()) : $description;
    }

    /** WooCommerce links the transaction on the order's screen to it. */
    public function get_transaction_url($order)
    {
        $attempt = Plugin::services()->attempts->byTransaction($order->get_id(), (string) $order->get_transaction_id());
        $page = $attempt === null
            ? null
            : Accounts::consoleUrl($attempt->clientId, $attempt->mode, 'orders/' . $attempt->tillgateOrderId);
        return $page ?? parent::get_transaction_url($order);
    }

    /** WooCommerce shows this on its list of payment methods. */
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
     * A password field that is never filled: the stored secret does not come back.
     *
     * @param string               $key
     * @param array<string, mixed> $data
     * @return string
     */
    public function generate_secret_html($key, $data)
    {
        return SettingsForm::secretField($this, $key, $data, Plugin::services()->settings);
    }

    /**
     * Taken out of the settings and stored by itself before they are saved.
     *
     * @param string      $key
     * @param string|null $value
     * @return string
     * @throws \Exception with the text that is shown
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
     * @throws \Exception with the text that is shown
     */
    public function validate_client_id_field($key, $value)
    {
        $clientId = trim($this->validate_text_field($key, $value));
        self::throwIfInvalid(CredentialFormat::clientIdError($clientId));
        return $clientId;
    }

    /** WooCommerce collects what a field refuses, and does not show it for payment methods. */
    public function process_admin_options()
    {
        $isSaved = parent::process_admin_options();
        foreach ($this->get_errors() as $error) {
            \WC_Admin_Settings::add_error($error);
        }
        return $isSaved;
    }

    private static function throwIfInvalid(?string $why): void
    {
        if ($why !== null) {
            throw new \Exception(esc_html($why));
        }
    }

    /**
     * As {@see validate_client_id_field()}.
     *
     * @param string      $key
     * @param string|null $value
     * @return string
     * @throws \Exception
     */
    public function validate_url_field($key, $value)
    {
        unset($key);
        $address = rtrim(trim((string) $value), '/');
        $isAddress = preg_match('~^https?://[^/?#@\s]+(/[^?#\s]*)?$~i', $address) === 1;
        if ($address !== '' && !$isAddress) {
            self::throwIfInvalid(__('Enter a URL such as https://api.example.com.', 'tillgate-for-woocommerce'));
        }
        return esc_url_raw($address);
    }

    /**
     * Leaves the order Pending and the cart as it is: neither changes before Tillgate says that the order is paid.
     *
     * @param int $order_id
     * @return array<string, string>
     */
    public function process_payment($order_id)
    {
        $services = Plugin::services();
        try {
            $attempt = (new StartPayment($services))->run((int) $order_id);
        } catch (\Throwable $error) {
            $services->log->error("Order $order_id: no payment could be started: {$error->getMessage()}");
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
     * @return true|\WP_Error true only once the money has moved
     */
    public function process_refund($order_id, $amount = null, $reason = '')
    {
        return (new RequestRefund(Plugin::services()))->run((int) $order_id, Orders::decimalText($amount), (string) $reason);
    }

    /** Only what Tillgate took can be given back there. */
    public function can_refund_order($order)
    {
        return parent::can_refund_order($order) && $order->get_transaction_id() !== '';
    }

    /** Shoppers know the method by the owner's title. */
    private function customerMessage(\Throwable $error): string
    {
        if ($error instanceof PluginError && $error->customerMessage() !== null) {
            return $error->customerMessage();
        }
        $title = wp_strip_all_tags($this->get_title());
        if ($error instanceof PluginError && $error->is(PluginError::REJECTED)) {
            /* translators: %s: the owner's title of the method, like "Wallet (QR code)" */
            return sprintf(__('%s isn’t available for this payment right now. Please choose another payment method.', 'tillgate-for-woocommerce'), $title);
        }
        return sprintf(
            /* translators: %s: the owner's title of the method, like "Wallet (QR code)" */
            __('We can’t reach %s right now. You haven’t been charged. Please try again, or choose another payment method.', 'tillgate-for-woocommerce'),
            $title
        );
    }
}
