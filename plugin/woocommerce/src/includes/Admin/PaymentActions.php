<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\EndPayment;
use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

/** What an owner can do about the payment of an order: by a button in its box, or by WooCommerce's list of order actions. */
final class PaymentActions
{
    use WithServices;

    public const CHECK = 'check';
    public const CANCEL = 'cancel';
    public const SEND = 'send';
    public const RENEW = 'renew';

    private const ACTION = 'tillgate_payment_action';
    /** How they are called in WooCommerce's list, with the name behind it. */
    private const LISTED = 'tillgate_';

    public function addHooks(): void
    {
        add_action('admin_post_' . self::ACTION, [$this, 'act']);
        add_filter('woocommerce_order_actions', [$this, 'list'], 10, 2);
        foreach ([self::CHECK, self::CANCEL, self::SEND, self::RENEW] as $name) {
            add_action('woocommerce_order_action_' . self::LISTED . $name, function ($order) use ($name): void {
                OrderAnswer::keep($this->perform($order, $name));
            });
        }
    }

    /** @return array<string, string> what can be done now, in words, by name */
    public function of(\WC_Order $order): array
    {
        if (SiteAddress::isElsewhere()) {
            return [];
        }
        $attempt = $this->services->attempts->current($order->get_id());
        $isPayable = $this->isPayable($order, $attempt);
        $isOpen = $attempt !== null && $attempt->isOpen() && $order->get_payment_method() === Situation::PAYMENT_METHOD;
        return array_filter([
            self::CHECK => $isOpen ? __('Check now', 'tillgate-for-woocommerce') : '',
            self::SEND => $isPayable && $order->get_billing_email() !== '' ? __('Resend link', 'tillgate-for-woocommerce') : '',
            self::RENEW => $isPayable ? __('New link', 'tillgate-for-woocommerce') : '',
            self::CANCEL => $isOpen ? __('Cancel payment', 'tillgate-for-woocommerce') : '',
        ]);
    }

    public function show(\WC_Order $order): void
    {
        $actions = $this->of($order);
        echo $actions === [] ? '' : '<p style="display:flex;flex-wrap:wrap;gap:.4em">';
        foreach ($actions as $name => $label) {
            printf(
                '<a class="button" data-tillgate-action="%s" href="%s">%s</a>',
                esc_attr($name),
                esc_url(OrderAction::address($order, self::ACTION, "&what=$name")),
                esc_html($label)
            );
        }
        echo $actions === [] ? '' : '</p>';
    }

    public function act(): void
    {
        $orderId = OrderAction::orderId(self::ACTION);
        $order = Orders::find($orderId);
        if ($order === null) {
            wp_die(esc_html__('Order not found.', 'tillgate-for-woocommerce'), '', ['response' => 404]);
        }
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- OrderAction::orderId checked it.
        OrderAnswer::keep($this->perform($order, isset($_GET['what']) ? sanitize_key(wp_unslash($_GET['what'])) : ''));
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    /**
     * @param mixed $actions
     * @param mixed $order
     * @return mixed
     */
    public function list($actions, $order = null)
    {
        if (!is_array($actions) || !$order instanceof \WC_Order) {
            return $actions;
        }
        foreach ($this->of($order) as $name => $label) {
            /* translators: %s: what is done, like "Check now" */
            $actions[self::LISTED . $name] = sprintf(__('Tillgate: %s', 'tillgate-for-woocommerce'), $label);
        }
        return $actions;
    }

    /** @return string what it came to, one of OrderAnswer's */
    public function perform(\WC_Order $order, string $name): string
    {
        // The page may be an old one: what cannot be done any more is a look at how it stands.
        $what = isset($this->of($order)[$name]) ? $name : self::CHECK;
        try {
            switch ($what) {
                case self::CANCEL:
                    return $this->cancel($order);
                case self::SEND:
                    return $this->send($order);
                case self::RENEW:
                    return $this->renew($order);
                default:
                    return $this->check($order);
            }
        } catch (\Throwable $error) {
            $this->services->log->error("Order {$order->get_id()}: \"$what\" failed: {$error->getMessage()}");
            return OrderAnswer::FAILED;
        }
    }

    private function check(\WC_Order $order): string
    {
        $attempt = $this->services->attempts->current($order->get_id());
        if ($attempt === null || !$attempt->isOpen()) {
            return OrderAnswer::CHECKED;
        }
        $this->services->attempts->takenUp($attempt->id);
        return (new CheckAttempt($this->services))->of($attempt) ? OrderAnswer::OPEN : OrderAnswer::CHECKED;
    }

    private function cancel(\WC_Order $order): string
    {
        $state = (new EndPayment($this->services))->of($order->get_id());
        return $state === 'paid' || $state === 'refunded' ? OrderAnswer::TOO_LATE : OrderAnswer::ENDED;
    }

    /** WooCommerce's own mail with the order and the link to its payment page, which starts a payment where none is under way. */
    private function send(\WC_Order $order): string
    {
        Orders::takeMethod($order);
        WC()->mailer()->customer_invoice($order);
        $order->add_order_note(esc_html__('Tillgate: payment link e-mailed to the customer.', 'tillgate-for-woocommerce'), 0, true);
        return OrderAnswer::SENT;
    }

    private function renew(\WC_Order $order): string
    {
        if ($this->cancel($order) === OrderAnswer::TOO_LATE) {
            return OrderAnswer::TOO_LATE;
        }
        (new StartPayment($this->services))->of($order->get_id());
        // What follows is decided by the method that the order carries.
        Orders::takeMethod(Orders::get($order->get_id()));
        return OrderAnswer::RENEWED;
    }

    private function isPayable(\WC_Order $order, ?Attempt $attempt): bool
    {
        $isOurs = in_array($order->get_payment_method(), ['', Situation::PAYMENT_METHOD], true);
        $isRefunded = $attempt !== null && in_array($attempt->state, ['paid', 'refunded'], true);
        return $isOurs && !$isRefunded && $order->needs_payment() && $this->services->settings->whatIsMissing() === null;
    }
}
