<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\AskRefund;
use Tillgate\WooCommerce\Payments\Situation;
use Tillgate\WooCommerce\Services;

/**
 * Names the shop's refund records. `process_refund` is not told which record it is called for, and WooCommerce deletes
 * the record where it answers an error: so the record carries the reference of the wish before it is saved.
 */
final class RefundRecords
{
    /** @var Services */
    private $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    public function addHooks(): void
    {
        add_action('woocommerce_create_refund', [$this, 'nameWish'], 10, 2);
        add_action('woocommerce_refund_created', [$this, 'nameRefund'], 10, 2);
    }

    /**
     * @param mixed                $record
     * @param array<string, mixed> $arguments
     */
    public function nameWish($record, $arguments): void
    {
        if (!$record instanceof \WC_Order_Refund || empty($arguments['refund_payment'])) {
            return;
        }
        $order = Orders::find((int) $arguments['order_id']);
        if ($order === null || $order->get_payment_method() !== Situation::PAYMENT_METHOD) {
            return;
        }
        $reference = (new AskRefund($this->services))->referenceOf($order, $record);
        if ($reference !== null) {
            $record->update_meta_data(Orders::REFERENCE_META, $reference);
        }
    }

    /**
     * WooCommerce keeps the record: the money has moved.
     *
     * @param int                  $recordId
     * @param array<string, mixed> $arguments
     */
    public function nameRefund($recordId, $arguments): void
    {
        if (empty($arguments['refund_payment'])) {
            return;
        }
        $record = wc_get_order($recordId);
        $reference = $record instanceof \WC_Order_Refund ? $record->get_meta(Orders::REFERENCE_META) : '';
        $row = $reference === '' ? null : $this->services->refunds->byReference($reference);
        if ($row === null || $row->refundId === null) {
            return;
        }
        $record->update_meta_data(Orders::REFUND_META, $row->refundId);
        $record->save();
        $this->services->refunds->recorded($row->id, $record->get_id());
    }
}
