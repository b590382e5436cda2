<?php

namespace Tillgate\WooCommerce\Shop;

/** Metadata that links a WooCommerce refund to its Tillgate refund. Only the request that creates the WooCommerce refund writes the metadata. */
final class RefundRecordMeta
{
    private ?\WC_Order_Refund $record;

    /**
     * @param \WC_Order_Refund|null $record the refund to write to; null: nothing is written. While WooCommerce is creating the refund, pass its own
     * instance, because WooCommerce saves that instance again.
     */
    public function __construct(?\WC_Order_Refund $record)
    {
        $this->record = $record;
    }

    public function record(): ?\WC_Order_Refund
    {
        return $this->record;
    }

    public function setReference(string $reference): void
    {
        $this->write(Orders::REFERENCE_META, $reference);
    }

    public function setRefundId(string $refundId): void
    {
        $this->write(Orders::REFUND_META, $refundId);
    }

    /** Removes the links to Tillgate. WooCommerce deletes the record if the refund did not complete; until then, no refund event may match it. */
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
