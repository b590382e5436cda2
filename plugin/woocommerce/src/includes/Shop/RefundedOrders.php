<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\PluginError;

/** When an order of ours is Refunded, in minor units: WooCommerce counts in floats, and by what was refunded earlier. */
final class RefundedOrders
{
    private const HOOK = 'woocommerce_order_status_refunded';

    /** WooCommerce's own: it refunds the rest of an order that is turned Refunded. */
    private const REMAINDER_REFUND = 'wc_order_fully_refunded';

    /** @var Money */
    private $money;

    /** @var bool */
    private $isSuspended = false;

    public function __construct(Money $money)
    {
        $this->money = $money;
    }

    /** Around the priority 10 of WooCommerce's own. */
    public function addHooks(): void
    {
        add_action(self::HOOK, [$this, 'suspendRemainderRefund'], 9);
        add_action(self::HOOK, [$this, 'restoreRemainderRefund'], 11);
    }

    /**
     * Where nothing is left, floats may still leave something: of that, WooCommerce would make a refund over "-0".
     *
     * @param int $orderId
     */
    public function suspendRemainderRefund($orderId): void
    {
        $order = Orders::find((int) $orderId);
        if ($order === null || $order->get_payment_method() !== RuleContext::PAYMENT_METHOD) {
            return;
        }
        try {
            $this->isSuspended = $this->isFullyRefunded($order, new ShopRefunds($order)) && remove_action(self::HOOK, self::REMAINDER_REFUND);
        } catch (PluginError $error) {
            // What is left of an order whose amounts cannot be read, only WooCommerce knows.
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
     * WooCommerce turns an order Refunded by what was refunded when the last refund began: two that cross and come to the whole
     * order together leave it as it was. Does what WooCommerce would have done, and only where nothing is left.
     *
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
