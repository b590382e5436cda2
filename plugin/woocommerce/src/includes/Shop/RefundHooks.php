<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\WithServices;

final class RefundHooks
{
    use WithServices;

    public function addHooks(): void
    {
        add_action('woocommerce_create_refund', [$this, 'captureRecord'], 10, 2);
        add_action('woocommerce_refund_created', [$this, 'handleCreated'], 10, 2);
        add_action('woocommerce_refund_deleted', [$this, 'scheduleComparison'], 10, 2);
        add_action('woocommerce_rest_delete_shop_order_refund_object', [$this, 'handleRestDeletion']);
    }

    /**
     * Stores the WooCommerce refund for process_refund(), which does not receive it.
     * @param mixed                $record
     * @param array<string, mixed> $arguments
     */
    public function captureRecord($record, $arguments): void
    {
        if (!$record instanceof \WC_Order_Refund || empty($arguments['refund_payment'])) {
            return;
        }
        $order = wc_get_order((int) $arguments['order_id']);
        if ($order instanceof \WC_Order && $order->get_payment_method() === Plugin::GATEWAY_ID) {
            $this->services->pendingRefundRecords->add($order->get_id(), $record);
        }
    }

    /**
     * Marks a refund made through the gateway as recorded, and updates the order's status. Before this hook fires, WooCommerce may still
     * delete the refund, regardless of what the gateway returned.
     * @param int $recordId
     * @param array<string, mixed> $arguments
     */
    public function handleCreated($recordId, $arguments): void
    {
        $this->scheduleComparison($recordId, $arguments['order_id'] ?? 0);
        if (!empty($arguments['refund_payment'])) {
            $this->markRecorded((int) $recordId);
        }
        $order = Orders::find((int) ($arguments['order_id'] ?? 0));
        if ($order !== null && $order->get_payment_method() === Plugin::GATEWAY_ID) {
            $this->setRefundedStatus($order, (int) $recordId);
        }
    }

    private function markRecorded(int $recordId): void
    {
        $record = wc_get_order($recordId);
        $refundId = $record instanceof \WC_Order_Refund ? (string) $record->get_meta(Orders::REFUND_META) : '';
        $row = $refundId === '' ? null : $this->services->refunds->byRefundId($refundId);
        if ($row !== null) {
            $this->services->refunds->markRecorded($row->id, $recordId);
        }
    }

    private function setRefundedStatus(\WC_Order $order, int $recordId): void
    {
        try {
            $this->services->refundedOrders->updateStatus($order, $recordId);
        } catch (PluginError $error) {
            // The refund is completed; the scheduled comparison will report the problem.
            $this->services->log->warning("Order {$order->get_id()}: could not check whether it is fully refunded: {$error->getMessage()}");
        }
    }

    /**
     * @param int        $recordId
     * @param int|string $orderId
     */
    public function scheduleComparison($recordId, $orderId): void
    {
        unset($recordId);
        $this->services->comparisons->schedule((int) $orderId, ScheduledCheck::COMPARE_DELAY_SECONDS);
    }

    public function handleRestDeletion($record): void
    {
        if ($record instanceof \WC_Order_Refund) {
            $this->scheduleComparison($record->get_id(), $record->get_parent_id());
        }
    }
}
