<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Problem;

/** When an order of ours is Refunded, in minor units: WooCommerce counts in floats, and by what was refunded earlier. */
final class RefundedOrders
{
    private const HOOK = 'woocommerce_order_status_refunded';

    /** WooCommerce's own: it refunds the rest of an order that is turned Refunded. */
    private const REFUND_REST = 'wc_order_fully_refunded';

    /** @var Money */
    private $money;

    /** @var bool */
    private $isWithheld = false;

    public function __construct(Money $money)
    {
        $this->money = $money;
    }

    /** Around the priority 10 of WooCommerce's own. */
    public function addHooks(): void
    {
        add_action(self::HOOK, [$this, 'withholdRest'], 9);
        add_action(self::HOOK, [$this, 'letRest'], 11);
    }

    /**
     * Where nothing is left, floats may still leave something: of that, WooCommerce would make a refund over "-0".
     *
     * @param int $orderId
     */
    public function withholdRest($orderId): void
    {
        $order = Orders::find((int) $orderId);
        if ($order === null || $order->get_payment_method() !== Situation::PAYMENT_METHOD) {
            return;
        }
        try {
            $this->isWithheld = $this->isWhole($order, new ShopRefunds($order)) && remove_action(self::HOOK, self::REFUND_REST);
        } catch (Problem $problem) {
            // What is left of an order whose amounts cannot be read, only WooCommerce knows.
            $this->isWithheld = false;
        }
    }

    public function letRest(): void
    {
        if ($this->isWithheld) {
            $this->isWithheld = false;
            add_action(self::HOOK, self::REFUND_REST);
        }
    }

    /**
     * WooCommerce turns an order Refunded by what was refunded when the last refund began: two that cross and come to the whole
     * order together leave it as it was. Does what WooCommerce would have done, and only where nothing is left.
     *
     * @throws Problem UNREADABLE
     */
    public function close(\WC_Order $order, int $recordId = 0): void
    {
        $records = new ShopRefunds($order);
        $isPaid = $order->is_paid();
        if (!$isPaid || $records->areNone() || $records->isBeingMade() || !$this->isWhole($order, $records)) {
            return;
        }
        $status = apply_filters('woocommerce_order_fully_refunded_status', 'refunded', $order->get_id(), $recordId);
        if (is_string($status) && $status !== '') {
            $order->update_status($status);
        }
    }

    private function isWhole(\WC_Order $order, ShopRefunds $records): bool
    {
        return $records->sum($this->money) === $this->money->sum([Orders::totalOf($order)], $order->get_currency());
    }
}
