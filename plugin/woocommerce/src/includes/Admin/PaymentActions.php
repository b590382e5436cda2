<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\CancelPayment;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

final class PaymentActions
{
    use WithServices;

    public const CHECK = 'check';
    public const CANCEL = 'cancel';
    public const RESEND_LINK = 'send';
    public const CREATE_LINK = 'renew';

    private const ACTION = 'tillgate_payment_action';
    private const ORDER_ACTION_PREFIX = 'tillgate_';

    public function addHooks(): void
    {
        add_action('admin_post_' . self::ACTION, [$this, 'handle']);
        add_filter('woocommerce_order_actions', [$this, 'addOrderActions'], 10, 2);
        foreach ([self::CHECK, self::CANCEL, self::RESEND_LINK, self::CREATE_LINK] as $name) {
            add_action('woocommerce_order_action_' . self::ORDER_ACTION_PREFIX . $name, function ($order) use ($name): void {
                OrderNotice::set($this->perform($order, $name));
            });
        }
    }

    /** @return array<string, string> labels of the available actions by name */
    public function available(\WC_Order $order): array
    {
        if (SiteAddress::hasMoved()) {
            return [];
        }
        $attempt = $this->services->attempts->current($order->get_id());
        $isPayable = $this->isPayable($order, $attempt);
        $isOpen = $attempt !== null && $attempt->isOpen() && $order->get_payment_method() === Plugin::GATEWAY_ID;
        return array_filter([
            self::CHECK => $isOpen ? __('Check now', 'tillgate-for-woocommerce') : '',
            self::RESEND_LINK => $isPayable && $order->get_billing_email() !== '' ? __('Resend link', 'tillgate-for-woocommerce') : '',
            self::CREATE_LINK => $isPayable ? __('New link', 'tillgate-for-woocommerce') : '',
            self::CANCEL => $isOpen ? __('Cancel payment', 'tillgate-for-woocommerce') : '',
        ]);
    }

    public function show(\WC_Order $order): void
    {
        $actions = $this->available($order);
        echo $actions === [] ? '' : '<p style="display:flex;flex-wrap:wrap;gap:.4em">';
        foreach ($actions as $name => $label) {
            printf(
                '<a class="button" data-tillgate-action="%s" href="%s">%s</a>',
                esc_attr($name),
                esc_url(OrderAction::url($order, self::ACTION, "&what=$name")),
                esc_html($label)
            );
        }
        echo $actions === [] ? '' : '</p>';
    }

    public function handle(): void
    {
        $orderId = OrderAction::requireOrderId(self::ACTION);
        $order = Orders::find($orderId);
        if ($order === null) {
            wp_die(esc_html__('Order not found.', 'tillgate-for-woocommerce'), '', ['response' => 404]);
        }
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- OrderAction::requireOrderId checked it.
        OrderNotice::set($this->perform($order, isset($_GET['what']) ? sanitize_key(wp_unslash($_GET['what'])) : ''));
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    /**
     * @param mixed $actions
     * @param mixed $order
     * @return mixed
     */
    public function addOrderActions($actions, $order = null)
    {
        if (!is_array($actions) || !$order instanceof \WC_Order) {
            return $actions;
        }
        foreach ($this->available($order) as $name => $label) {
            /* translators: %s: action, like "Check now" */
            $actions[self::ORDER_ACTION_PREFIX . $name] = sprintf(__('Tillgate: %s', 'tillgate-for-woocommerce'), $label);
        }
        return $actions;
    }

    /** @return string one of OrderNotice's constants */
    public function perform(\WC_Order $order, string $name): string
    {
        // The page may be outdated: if the action is no longer available, only check the payment.
        $what = isset($this->available($order)[$name]) ? $name : self::CHECK;
        try {
            switch ($what) {
                case self::CANCEL:
                    return $this->cancel($order);
                case self::RESEND_LINK:
                    return $this->resendLink($order);
                case self::CREATE_LINK:
                    return $this->createLink($order);
                default:
                    return $this->check($order);
            }
        } catch (\Throwable $error) {
            $this->services->log->error("Order {$order->get_id()}: action \"$what\" failed: {$error->getMessage()}");
            return OrderNotice::FAILED;
        }
    }

    private function check(\WC_Order $order): string
    {
        $attempt = $this->services->attempts->current($order->get_id());
        if ($attempt === null || !$attempt->isOpen()) {
            return OrderNotice::CHECKED;
        }
        $this->services->attempts->resumeChecks($attempt->id);
        return (new CheckAttempt($this->services))->run($attempt) ? OrderNotice::OPEN : OrderNotice::CHECKED;
    }

    private function cancel(\WC_Order $order): string
    {
        $state = (new CancelPayment($this->services))->run($order->get_id());
        return $state === 'paid' || $state === 'refunded' ? OrderNotice::TOO_LATE : OrderNotice::CANCELLED;
    }

    /** The payment link in WooCommerce's invoice e-mail starts a payment if none is open. */
    private function resendLink(\WC_Order $order): string
    {
        Orders::assignGateway($order);
        WC()->mailer()->customer_invoice($order);
        $order->add_order_note(esc_html__('Tillgate: payment link e-mailed to the customer.', 'tillgate-for-woocommerce'), 0, true);
        return OrderNotice::LINK_SENT;
    }

    private function createLink(\WC_Order $order): string
    {
        if ($this->cancel($order) === OrderNotice::TOO_LATE) {
            return OrderNotice::TOO_LATE;
        }
        (new StartPayment($this->services))->run($order->get_id());
        // Later checks depend on the order's payment method.
        Orders::assignGateway(Orders::get($order->get_id()));
        return OrderNotice::LINK_CREATED;
    }

    private function isPayable(\WC_Order $order, ?Attempt $attempt): bool
    {
        $isOurs = in_array($order->get_payment_method(), ['', Plugin::GATEWAY_ID], true);
        $isRefunded = $attempt !== null && in_array($attempt->state, ['paid', 'refunded'], true);
        return $isOurs && !$isRefunded && $order->needs_payment() && $this->services->settings->setupError() === null;
    }
}
