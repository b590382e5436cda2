<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;

/** Determines in integer minor units whether an order is fully refunded. WooCommerce uses floats and possibly stale totals instead. */
final class RefundedOrders
{
    private const HOOK = 'woocommerce_order_status_refunded';

    /** WooCommerce's callback, which creates a refund of the remainder when an order is set to Refunded. */
    private const REMAINDER_REFUND = 'wc_order_fully_refunded';

    private Money $money;
    private bool $isSuspended = false;

    public function __construct(Money $money)
    {
        $this->money = $money;
    }

    /** Adds hooks before and after WooCommerce's callback at priority 10. */
    public function addHooks(): void
    {
        add_action(self::HOOK, [$this, 'suspendRemainderRefund'], 9);
        add_action(self::HOOK, [$this, 'restoreRemainderRefund'], 11);
    }

    /** Prevents a refund of "-0", which WooCommerce would create for a fully refunded order because of floating-point errors. @param int $orderId */
    public function suspendRemainderRefund($orderId): void
    {
        $order = Orders::find((int) $orderId);
        if ($order === null || $order->get_payment_method() !== Plugin::GATEWAY_ID) {
            return;
        }
        try {
            $this->isSuspended = $this->isFullyRefunded($order, new ShopRefunds($order)) && remove_action(self::HOOK, self::REMAINDER_REFUND);
        } catch (PluginError $error) {
            // If an amount is unreadable, WooCommerce's callback decides.
            $this->isSuspended = false;
        }
    }

    public function restoreRemainderRefund(): void
    {
        if ($this->isSuspended) {
            $this->isSuspended = false;
            add_action(self::HOOK, self::REMAINDER_REFUND);
        }
    }

    /**
     * Sets a fully refunded order to Refunded. WooCommerce itself doesn't do so if concurrent refunds complete the total, because each
     * request sees only the earlier refunds.
     * @throws PluginError UNREADABLE
     */
    public function updateStatus(\WC_Order $order, int $recordId = 0): void
    {
        $records = new ShopRefunds($order);
        $isPaid = $order->is_paid();
        if (!$isPaid || $records->isEmpty() || $records->hasUnfinished() || !$this->isFullyRefunded($order, $records)) {
            return;
        }
        $status = apply_filters('woocommerce_order_fully_refunded_status', 'refunded', $order->get_id(), $recordId);
        if (is_string($status) && $status !== '') {
            $order->update_status($status);
        }
    }

    private function isFullyRefunded(\WC_Order $order, ShopRefunds $records): bool
    {
        return $records->sum($this->money) === $this->money->sum([Orders::total($order)], $order->get_currency());
    }
}
