<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\ComparePayments;
use Tillgate\WooCommerce\Payments\CompareRefunds;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Payments whose refund totals in the shop and in Tillgate differ. */
final class RefundDifferences
{
    use WithServices;

    private const ACTION = 'tillgate_refund_difference';
    private const COMPARE = 'compare';
    private const ACCEPT = 'accept';
    /** Further orders are only counted. */
    private const MAX_NAMED_ORDERS = 10;
    private const MAX_COUNTED_ORDERS = 1000;

    public function addHooks(): void
    {
        add_action('admin_post_' . self::ACTION, [$this, 'handle']);
    }

    /** @return array{name: string, ok: bool, title: string, text: string, advice: string, code: string, orders: int[]} */
    public function finding(): array
    {
        $differing = $this->services->comparisons->listDiffering(self::MAX_COUNTED_ORDERS);
        $descriptions = array_map([$this, 'describe'], array_slice($differing, 0, self::MAX_NAMED_ORDERS));
        $remaining = count($differing) - count($descriptions);
        if ($remaining > 0) {
            /* translators: %d: number of orders */
            $descriptions[] = sprintf(__('%d more', 'tillgate-for-woocommerce'), $remaining);
        }
        return Finding::create(
            'refunds',
            $differing === [],
            $descriptions === [] ? __('none', 'tillgate-for-woocommerce') : implode('; ', $descriptions),
            $descriptions === []
                ? ''
                : __('Open the order and compare its refunds with those in Tillgate. If the shop has more, delete the duplicate or refund the rest in Tillgate. If Tillgate has more, record the rest with “Refund manually”. If it’s correct as it is, mark it as correct in the order’s “Tillgate” box.', 'tillgate-for-woocommerce')
        );
    }

    /** Shows the refund totals if there are differences not marked as correct. */
    public function show(\WC_Order $order): void
    {
        $attempt = $this->paidAttempt($order);
        if ($attempt === null || !($attempt->hasDifference() || ($attempt->isDifferenceAccepted && $this->services->differences->hasOpenRefunds($attempt->id)))) {
            return;
        }
        printf(
            '<p><strong>%s</strong></p><p style="display:flex;flex-wrap:wrap;gap:.4em"><a class="button" href="%s">%s</a><a class="button" href="%s">%s</a></p>',
            esc_html(sprintf(
                /* translators: 1: amount with currency in the shop, 2: amount with currency in Tillgate */
                __('Refunds: %1$s in the shop, %2$s in Tillgate', 'tillgate-for-woocommerce'),
                $this->shopText($attempt),
                $this->tillgateText($attempt)
            )),
            esc_url(self::actionUrl($order, self::COMPARE)),
            esc_html__('Compare again', 'tillgate-for-woocommerce'),
            esc_url(self::actionUrl($order, self::ACCEPT)),
            esc_html__('Mark as correct', 'tillgate-for-woocommerce')
        );
    }

    public function handle(): void
    {
        $orderId = OrderAction::requireOrderId(self::ACTION);
        $order = Orders::find($orderId);
        if ($order === null || $this->paidAttempt($order) === null) {
            wp_die(esc_html__('Order not found.', 'tillgate-for-woocommerce'), '', ['response' => 404]);
        }
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- OrderAction::requireOrderId checked it.
        $what = isset($_GET['what']) ? sanitize_key(wp_unslash($_GET['what'])) : '';
        OrderNotice::set($this->perform($order, $what));
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    /** @return string one of OrderNotice's constants */
    public function perform(\WC_Order $order, string $what): string
    {
        $attempt = $this->paidAttempt($order);
        if ($attempt === null) {
            return OrderNotice::CHECKED;
        }
        try {
            if ($what === self::ACCEPT) {
                $this->accept($order, $attempt);
                return OrderNotice::ACCEPTED;
            }
            (new CompareRefunds($this->services))->run($attempt);
            $compared = $this->services->attempts->byId($attempt->id);
            return $compared !== null && $compared->hasDifference() ? OrderNotice::DIFFERENT : OrderNotice::CHECKED;
        } catch (\Throwable $error) {
            $this->services->log->error("Order {$order->get_id()}: could not compare the refunds or mark them as correct: {$error->getMessage()}");
            return OrderNotice::FAILED;
        }
    }

    private function accept(\WC_Order $order, Attempt $attempt): void
    {
        $this->services->comparisons->acceptDifference($attempt->id);
        $this->services->health->unflagOrder($order->get_id());
        $order->add_order_note(esc_html(sprintf(
            /* translators: 1: amount with currency in the shop, 2: amount with currency in Tillgate */
            __('Tillgate: refunds of %1$s in the shop and %2$s in Tillgate were marked as correct.', 'tillgate-for-woocommerce'),
            $this->shopText($attempt),
            $this->tillgateText($attempt)
        )), 0, true);
        $differences = $this->services->differences;
        $comparison = new ComparePayments($this->services);
        try {
            if (!$differences->hasOpenRefunds($attempt->id)) {
                // No comparison has found the differences yet.
                $comparison->runOne($attempt);
            }
            $differences->acceptRefunds($attempt->id, $attempt->orderId);
            $comparison->runOne($this->services->attempts->byId($attempt->id) ?? $attempt);
        } catch (\Throwable $error) {
            // The next comparison reports the marked refunds to Tillgate.
            $this->services->log->warning("Order {$order->get_id()}: could not report to Tillgate that refunds were marked as correct: {$error->getMessage()}");
        }
    }

    private function paidAttempt(\WC_Order $order): ?Attempt
    {
        $trxId = (string) $order->get_transaction_id();
        return $trxId === '' ? null : $this->services->attempts->byTransaction($order->get_id(), $trxId);
    }

    private function describe(Attempt $attempt): string
    {
        $order = Orders::find($attempt->orderId);
        return sprintf(
            /* translators: 1: order number, 2: amount with currency in the shop, 3: amount with currency in Tillgate */
            __('order %1$s: %2$s in the shop, %3$s in Tillgate', 'tillgate-for-woocommerce'),
            $order === null ? (string) $attempt->orderId : $order->get_order_number(),
            $this->shopText($attempt),
            $this->tillgateText($attempt)
        );
    }

    private function shopText(Attempt $attempt): string
    {
        return $this->services->money->format((int) $attempt->shopRefundedMinor, $attempt->currency);
    }

    private function tillgateText(Attempt $attempt): string
    {
        return $this->services->money->format((int) $attempt->tillgateRefundedMinor, $attempt->currency);
    }

    private static function actionUrl(\WC_Order $order, string $what): string
    {
        return OrderAction::url($order, self::ACTION, "&what=$what");
    }
}
