<?php

namespace Tillgate\WooCommerce\Shop;

/** WooCommerce refunds being created in this request: WooCommerce passes `process_refund()` the order and amount, but not the refund object. */
final class PendingRefundRecords
{
    /** @var array<int, \WC_Order_Refund> keyed by order ID */
    private array $records = [];

    public function add(int $orderId, \WC_Order_Refund $record): void
    {
        $this->records[$orderId] = $record;
    }

    /** @return \WC_Order_Refund|null null if the gateway is called without a WooCommerce refund */
    public function take(int $orderId): ?\WC_Order_Refund
    {
        $record = $this->records[$orderId] ?? null;
        unset($this->records[$orderId]);
        return $record === null || $record->get_id() === 0 ? null : $record;
    }
}
