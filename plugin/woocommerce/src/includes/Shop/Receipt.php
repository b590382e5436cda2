<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

/** Payment details (status, transaction, refunds) in the customer's account, on the order-received page and in e-mails. */
final class Receipt
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('woocommerce_order_details_after_order_table', [$this, 'showOnPage']);
        add_action('woocommerce_email_after_order_table', [$this, 'showInEmail'], 10, 3);
    }

    public function showOnPage($order): void
    {
        $lines = $order instanceof \WC_Order ? $this->lines($order) : [];
        if ($lines === []) {
            return;
        }
        echo '<section class="tillgate-order-payment"><h2>' . esc_html__('Payment', 'tillgate-for-woocommerce') . '</h2>';
        echo '<table class="woocommerce-table shop_table"><tbody>';
        foreach ($lines as [$title, $text]) {
            printf('<tr><th scope="row">%s</th><td>%s</td></tr>', esc_html($title), esc_html($text));
        }
        echo '</tbody></table></section>';
    }

    /**
     * @param mixed $order
     * @param bool  $isToAdmin
     * @param bool  $isPlain
     */
    public function showInEmail($order, $isToAdmin = false, $isPlain = false): void
    {
        unset($isToAdmin);
        // E-mails that request a payment show no details, because nothing is paid yet.
        $lines = $order instanceof \WC_Order && $order->get_transaction_id() !== '' ? $this->lines($order) : [];
        if ($lines === []) {
            return;
        }
        if ($isPlain) {
            foreach ($lines as [$title, $text]) {
                echo esc_html(wp_strip_all_tags("$title: $text")) . "\n";
            }
            echo "\n";
            return;
        }
        echo '<h2>' . esc_html__('Payment', 'tillgate-for-woocommerce') . '</h2><p style="margin:0 0 40px">';
        foreach ($lines as [$title, $text]) {
            printf('%s: <strong>%s</strong><br>', esc_html($title), esc_html($text));
        }
        echo '</p>';
    }

    /** @return array<int, array{0: string, 1: string}> titles and texts; empty without a payment, or if the order has another payment method */
    public function lines(\WC_Order $order): array
    {
        $attempt = $this->services->attempts->findForDisplay($order->get_id(), (string) $order->get_transaction_id());
        if ($attempt === null || $order->get_payment_method() !== Plugin::GATEWAY_ID) {
            return [];
        }
        $paidAt = $order->get_date_paid();
        $isPaid = $attempt->trxId !== null;
        $lines = [
            [(string) $order->get_payment_method_title(), self::stateText($attempt)],
            [__('Amount', 'tillgate-for-woocommerce'), $isPaid ? $this->formatAmount($attempt->amountMinor, $attempt->currency) : ''],
            [__('Paid on', 'tillgate-for-woocommerce'), $isPaid && $paidAt !== null ? wc_format_datetime($paidAt) : ''],
            [__('Transaction', 'tillgate-for-woocommerce'), (string) $attempt->trxId],
        ];
        foreach ($this->services->refunds->forOrder($order->get_id()) as $refund) {
            if ($refund->state === 'completed' && $refund->trxId === $attempt->trxId) {
                $amount = $this->formatAmount($refund->amountMinor, $refund->currency);
                $lines[] = [__('Refunded', 'tillgate-for-woocommerce'), "$amount ({$refund->refundId})"];
            }
        }
        if (TestMode::isActive($attempt->mode)) {
            $lines[] = [__('Note', 'tillgate-for-woocommerce'), TestMode::text()];
        }
        return array_values(array_filter($lines, static function (array $line): bool {
            return $line[1] !== '';
        }));
    }

    private static function stateText(Attempt $attempt): string
    {
        $state = $attempt->isOpen() ? PaymentStatus::PENDING : PaymentStatus::forAttempt($attempt);
        $texts = [
            PaymentStatus::PENDING => __('waiting for your payment', 'tillgate-for-woocommerce'),
            PaymentStatus::PAID => __('paid', 'tillgate-for-woocommerce'),
            PaymentStatus::EXPIRED => __('expired', 'tillgate-for-woocommerce'),
            PaymentStatus::CANCELLED => __('cancelled', 'tillgate-for-woocommerce'),
            PaymentStatus::REFUNDED => __('refunded', 'tillgate-for-woocommerce'),
        ];
        return $texts[$state] ?? __('not started', 'tillgate-for-woocommerce');
    }

    /** Formats an amount as the shop does, without HTML. The float is used for display only. */
    private function formatAmount(int $amountMinor, string $currency): string
    {
        $decimal = $this->services->money->toDecimal($amountMinor, $currency);
        return html_entity_decode(wp_strip_all_tags(wc_price((float) $decimal, ['currency' => $currency])), ENT_QUOTES);
    }
}
