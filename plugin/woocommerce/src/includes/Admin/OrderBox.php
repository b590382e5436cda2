<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\ReadPayment;
use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** On the screen of an order: the state of its payment, and a button that asks Tillgate now. */
final class OrderBox
{
    use WithServices;

    private const ACTION = 'tillgate_check_payment';
    private const ANSWER = 'tillgate_checked';
    public const CHECKED = 'checked';
    public const FAILED = 'failed';


    public function addHooks(): void
    {
        add_action('add_meta_boxes', [$this, 'addBox'], 10, 2);
        add_action('admin_post_' . self::ACTION, [$this, 'check']);
        add_action('admin_notices', [$this, 'showAnswer']);
    }

    /**
     * @param string $screen
     * @param mixed  $postOrOrder
     */
    public function addBox($screen, $postOrOrder): void
    {
        $isOrderScreen = in_array($screen, ['shop_order', wc_get_page_screen_id('shop-order')], true);
        if (!$isOrderScreen) {
            return;
        }
        $order = $postOrOrder instanceof \WP_Post ? wc_get_order($postOrOrder->ID) : $postOrOrder;
        if ($order instanceof \WC_Order && $this->services->attempts->current($order->get_id()) !== null) {
            add_meta_box(
                'tillgate-payment',
                __('Tillgate', 'tillgate-for-woocommerce'),
                [$this, 'show'],
                $screen,
                'side',
                'high'
            );
        }
    }

    /** @param mixed $postOrOrder */
    public function show($postOrOrder): void
    {
        $order = $postOrOrder instanceof \WP_Post ? wc_get_order($postOrOrder->ID) : $postOrOrder;
        if (!$order instanceof \WC_Order) {
            return;
        }
        // The screen is right without a cron job: it asks at once.
        (new ReadPayment($this->services))->of($order->get_id());
        $attempt = $this->services->attempts->current($order->get_id());
        if ($attempt === null) {
            return;
        }
        $lines = [
            __('State', 'tillgate-for-woocommerce') => OrderColumn::words($attempt),
            __('Payment', 'tillgate-for-woocommerce') => (string) $attempt->tillgateOrderId,
            __('Transaction', 'tillgate-for-woocommerce') => (string) $attempt->trxId,
            __('Mode', 'tillgate-for-woocommerce') => $attempt->mode,
        ];
        echo '<ul>';
        foreach (array_filter($lines) as $title => $text) {
            printf('<li>%s: <strong>%s</strong></li>', esc_html($title), esc_html($text));
        }
        echo '</ul>';
        (new RefundDifferences($this->services))->show($order);
        $isOurs = $order->get_payment_method() === Situation::PAYMENT_METHOD;
        if (!$attempt->isOpen() || !$isOurs) {
            return;
        }
        $address = OrderAction::address($order, self::ACTION);
        printf(
            '<p><a class="button" href="%s">%s</a></p>',
            esc_url($address),
            esc_html__('Check now', 'tillgate-for-woocommerce')
        );
    }

    public function check(): void
    {
        $orderId = OrderAction::orderId(self::ACTION);
        $order = Orders::find($orderId);
        $attempt = $this->services->attempts->current($orderId);
        if ($order === null || $attempt === null) {
            wp_die(esc_html__('There is no such order.', 'tillgate-for-woocommerce'), '', ['response' => 404]);
        }
        $answer = self::CHECKED;
        try {
            $this->services->attempts->takenUp($attempt->id);
            $isOpen = (new CheckAttempt($this->services))->of($attempt);
            $answer = $isOpen ? 'open' : self::CHECKED;
        } catch (\Throwable $error) {
            $this->services->log->error("Order $orderId: could not be checked: {$error->getMessage()}");
            $answer = self::FAILED;
        }
        wp_safe_redirect(self::answerAddress($order, $answer));
        exit;
    }

    /** The address of the order's screen, which then shows the outcome. */
    public static function answerAddress(\WC_Order $order, string $answer): string
    {
        return add_query_arg(self::ANSWER, $answer, $order->get_edit_order_url());
    }

    public function showAnswer(): void
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- One of three fixed texts is shown.
        $answer = isset($_GET[self::ANSWER]) ? sanitize_key(wp_unslash($_GET[self::ANSWER])) : '';
        $texts = [
            self::CHECKED => __('Tillgate was asked, and the order is up to date.', 'tillgate-for-woocommerce'),
            'open' => __('Tillgate was asked: the payment is still under way.', 'tillgate-for-woocommerce'),
            self::FAILED => __('Tillgate could not be asked. The log tells why; it is tried again by itself.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$answer])) {
            printf(
                '<div class="notice notice-%s is-dismissible"><p>%s</p></div>',
                esc_attr($answer === self::FAILED ? 'error' : 'success'),
                esc_html($texts[$answer])
            );
        }
    }
}
