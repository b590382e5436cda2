<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * The refund records that this request makes. WooCommerce gives `process_refund` an order and an amount, but not the
 * record; the record is handed over here, so that it is named once, where the wish is.
 */
final class PendingRefundRecords
{
    /** @var array<int, \WC_Order_Refund> by order */
    private $records = [];

    public function add(int $orderId, \WC_Order_Refund $record): void
    {
        $this->records[$orderId] = $record;
    }

    /** @return \WC_Order_Refund|null null where the money is asked for without a record */
    public function take(int $orderId): ?\WC_Order_Refund
    {
        $record = $this->records[$orderId] ?? null;
        unset($this->records[$orderId]);
        return $record === null || $record->get_id() === 0 ? null : $record;
    }
}
