<?php

namespace Tillgate\WooCommerce\Shop;

/** What the shop's refund record says of its Tillgate refund. Written by the one request that makes it, each line once. */
final class RefundRecordMeta
{
    /** @var \WC_Order_Refund|null */
    private $record;

    /** @param \WC_Order_Refund|null $record WooCommerce's own object, which it saves again afterwards */
    public function __construct(?\WC_Order_Refund $record)
    {
        $this->record = $record;
    }

    public function record(): ?\WC_Order_Refund
    {
        return $this->record;
    }

    /** Which wish it is: before the money is asked for. */
    public function setReference(string $reference): void
    {
        $this->write(Orders::REFERENCE_META, $reference);
    }

    /** Which refund it is: once the money has moved. */
    public function setRefundId(string $refundId): void
    {
        $this->write(Orders::REFUND_META, $refundId);
    }

    /** No money moved, or nobody knows: the record is of no wish any more. */
    public function clear(): void
    {
        if ($this->record !== null) {
            $this->record->delete_meta_data(Orders::REFERENCE_META);
            $this->record->delete_meta_data(Orders::REFUND_META);
            $this->record->save_meta_data();
        }
    }

    private function write(string $name, string $value): void
    {
        if ($this->record !== null) {
            $this->record->update_meta_data($name, $value);
            $this->record->save_meta_data();
        }
    }
}
