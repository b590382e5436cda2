<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Payments\RemoteRefund;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\RefundRow;

/**
 * The WooCommerce refunds of an order. While the order's lock is held, a reference reliably identifies its refund request, because failed
 * requests remove the reference before they release the lock.
 */
final class ShopRefunds
{
    /** WooCommerce creates a refund before calling the gateway, and deletes the refund on failure, within one request. */
    private const MAX_CREATION_SECONDS = 60;

    private \WC_Order $order;

    /** @var \WC_Order_Refund[] */
    private array $records = [];

    public function __construct(\WC_Order $order)
    {
        $this->order = $order;
        foreach ($order->get_refunds() as $refund) {
            $record = self::isIncomplete($refund) ? Orders::findRefund($refund->get_id()) : $refund;
            if ($record !== null) {
                $this->records[] = $record;
            }
        }
    }

    /** Finds a record by refund ID or, after an interrupted request, by reference. @param \WC_Order_Refund|null $excluded ignored in the search */
    public function findRecord(RemoteRefund $refund, RefundRow $row, ?\WC_Order_Refund $excluded = null): ?\WC_Order_Refund
    {
        $byReference = null;
        foreach ($this->records as $record) {
            if ($excluded !== null && $excluded->get_id() === $record->get_id()) {
                continue;
            }
            $refundId = self::refundId($record);
            if ($refundId === $refund->id) {
                return $record;
            }
            $hasReference = $row->reference !== null && $record->get_meta(Orders::REFERENCE_META) === $row->reference;
            if ($hasReference && $refundId === '') {
                $byReference = $record;
            }
        }
        return $byReference;
    }

    /** Whether another request may be creating or deleting one of the refunds. */
    public function hasUnfinished(): bool
    {
        foreach ($this->records as $record) {
            $created = $record->get_date_created();
            $isRecent = $created !== null && $created->getTimestamp() > time() - self::MAX_CREATION_SECONDS;
            if ($isRecent && self::isIncomplete($record) && !$record->get_refunded_payment()) {
                return true;
            }
        }
        return false;
    }

    /** @return int minor units @throws PluginError UNREADABLE */
    public function sum(Money $money): int
    {
        $amounts = array_map(static function (\WC_Order_Refund $record): string {
            return Orders::decimalText($record->get_amount());
        }, $this->records);
        return $money->sum($amounts, $this->order->get_currency());
    }

    public function isEmpty(): bool
    {
        return $this->records === [];
    }

    /** Whether the record is incomplete, because another request was possibly still saving it when this one loaded it. */
    private static function isIncomplete(\WC_Order_Refund $record): bool
    {
        return self::refundId($record) === '' || (string) $record->get_amount() === '';
    }

    private static function refundId(\WC_Order_Refund $record): string
    {
        return (string) $record->get_meta(Orders::REFUND_META);
    }
}
