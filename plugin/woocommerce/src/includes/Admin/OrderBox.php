<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Accounts;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\TestMode;
use Tillgate\WooCommerce\WithServices;

final class OrderBox
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('add_meta_boxes', [$this, 'addBox'], 10, 2);
    }

    /**
     * @param string $screen
     * @param mixed  $postOrOrder
     */
    public function addBox($screen, $postOrOrder): void
    {
        $isOrderScreen = in_array($screen, ['shop_order', wc_get_page_screen_id('shop-order')], true);
        $order = $isOrderScreen ? self::toOrder($postOrOrder) : null;
        if ($order === null) {
            return;
        }
        $hasPayment = $this->services->attempts->current($order->get_id()) !== null;
        if ($hasPayment || (new PaymentActions($this->services))->available($order) !== []) {
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
        $order = self::toOrder($postOrOrder);
        if ($order === null) {
            return;
        }
        // Refreshed here, so that the box is up to date even without a cron job.
        (new PaymentStatus($this->services))->refresh($order->get_id());
        $order = Orders::get($order->get_id());
        $attempt = $this->services->attempts->findForDisplay($order->get_id(), (string) $order->get_transaction_id());
        if ($attempt !== null) {
            $this->showPayment($attempt);
            (new RefundList($this->services))->show($order, $attempt);
            (new RefundDifferences($this->services))->show($order);
            (new ReconciliationReport($this->services))->showForOrder($order);
        }
        (new PaymentActions($this->services))->show($order);
    }

    private function showPayment(Attempt $attempt): void
    {
        $page = Accounts::consoleUrl($attempt->clientId, $attempt->mode, 'orders/' . $attempt->tillgateOrderId);
        echo '<ul>';
        self::showLine(__('Status', 'tillgate-for-woocommerce'), OrderColumn::stateText($attempt));
        self::showLine(__('Payment', 'tillgate-for-woocommerce'), (string) $attempt->tillgateOrderId, $page);
        self::showLine(__('Transaction', 'tillgate-for-woocommerce'), (string) $attempt->trxId);
        if ($attempt->state === 'pending' && $attempt->expiresAt > time()) {
            self::showLine(__('Link', 'tillgate-for-woocommerce'), (string) $attempt->paymentUrl, $attempt->paymentUrl);
            self::showLine(__('Time left', 'tillgate-for-woocommerce'), human_time_diff(time(), $attempt->expiresAt));
        }
        echo '</ul>';
        if (TestMode::isActive($attempt->mode)) {
            echo '<p>' . wp_kses_post(TestMode::badge()) . ' ' . esc_html(TestMode::text()) . '</p>';
        }
    }

    private static function showLine(string $title, string $text, ?string $url = null): void
    {
        if ($text === '') {
            return;
        }
        printf('<li>%s: ', esc_html($title));
        if ($url === null) {
            printf('<strong>%s</strong></li>', esc_html($text));
            return;
        }
        printf(
            '<a href="%s" target="_blank" rel="noopener" style="overflow-wrap:anywhere"><strong>%s</strong></a></li>',
            esc_url($url),
            esc_html($text)
        );
    }

    /** @param mixed $postOrOrder depends on the order storage */
    private static function toOrder($postOrOrder): ?\WC_Order
    {
        $order = $postOrOrder instanceof \WP_Post ? wc_get_order($postOrOrder->ID) : $postOrOrder;
        return $order instanceof \WC_Order ? $order : null;
    }
}
