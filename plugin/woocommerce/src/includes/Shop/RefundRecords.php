<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Payments\Sweep;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\WithServices;

/** What WooCommerce tells of its refund records: one is about to be made, is kept, was deleted. */
final class RefundRecords
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('woocommerce_create_refund', [$this, 'handOver'], 10, 2);
        add_action('woocommerce_refund_created', [$this, 'keep'], 10, 2);
        add_action('woocommerce_refund_deleted', [$this, 'compare'], 10, 2);
        add_action('woocommerce_rest_delete_shop_order_refund_object', [$this, 'compareDeleted']);
    }

    /**
     * @param mixed                $record
     * @param array<string, mixed> $arguments
     */
    public function handOver($record, $arguments): void
    {
        if (!$record instanceof \WC_Order_Refund || empty($arguments['refund_payment'])) {
            return;
        }
        $order = wc_get_order((int) $arguments['order_id']);
        if ($order instanceof \WC_Order && $order->get_payment_method() === Situation::PAYMENT_METHOD) {
            $this->services->recordsInHand->hold($order->get_id(), $record);
        }
    }

    /**
     * WooCommerce keeps the record. Before this it may still delete it, whatever the gateway said.
     *
     * @param int                  $recordId
     * @param array<string, mixed> $arguments
     */
    public function keep($recordId, $arguments): void
    {
        $this->compare($recordId, $arguments['order_id'] ?? 0);
        if (!empty($arguments['refund_payment'])) {
            $this->rememberRecord((int) $recordId);
        }
        $order = Orders::find((int) ($arguments['order_id'] ?? 0));
        if ($order !== null && $order->get_payment_method() === Situation::PAYMENT_METHOD) {
            $this->closeRefunded($order, (int) $recordId);
        }
    }

    private function rememberRecord(int $recordId): void
    {
        $record = wc_get_order($recordId);
        $refundId = $record instanceof \WC_Order_Refund ? (string) $record->get_meta(Orders::REFUND_META) : '';
        $row = $refundId === '' ? null : $this->services->refunds->byRefundId($refundId);
        if ($row !== null) {
            $this->services->refunds->recorded($row->id, $recordId);
        }
    }

    private function closeRefunded(\WC_Order $order, int $recordId): void
    {
        try {
            $this->services->refundedOrders->close($order, $recordId);
        } catch (Problem $problem) {
            // The refund itself is done; the comparison that follows meets the same and tells of it.
            $this->services->log->warning("Order {$order->get_id()}: {$problem->getMessage()}");
        }
    }

    /**
     * @param int        $recordId
     * @param int|string $orderId
     */
    public function compare($recordId, $orderId): void
    {
        unset($recordId);
        $this->services->comparisons->in((int) $orderId, Sweep::COMPARE_IN_SECONDS);
    }

    /** @param mixed $record */
    public function compareDeleted($record): void
    {
        if ($record instanceof \WC_Order_Refund) {
            $this->compare($record->get_id(), $record->get_parent_id());
        }
    }
}
