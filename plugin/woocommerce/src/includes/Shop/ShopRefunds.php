<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Payments\RemoteRefund;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\RefundRow;

/**
 * The shop's refund records of an order, freshly read. Under the order's claim a record with the reference of a wish
 * belongs to that wish: a request that ends without the money removes the reference first.
 */
final class ShopRefunds
{
    /** WooCommerce saves a record before its money is asked for, and deletes it where none moved: within one request. */
    private const MAX_CREATION_SECONDS = 60;

    /** @var \WC_Order */
    private $order;

    /** @var \WC_Order_Refund[] */
    private $records = [];

    public function __construct(\WC_Order $order)
    {
        $this->order = $order;
        foreach ($order->get_refunds() as $known) {
            // A name once given stays; where there is none yet, another request may have given it meanwhile.
            $record = self::refundId($known) === '' ? Orders::findRefund($known->get_id()) : $known;
            if ($record !== null) {
                $this->records[] = $record;
            }
        }
    }

    /**
     * The record of this Tillgate refund: named so, or left behind by the very wish that Tillgate answered.
     *
     * @param \WC_Order_Refund|null $own the record that is being named now, which is not looked for
     */
    public function findRecord(RemoteRefund $refund, RefundRow $row, ?\WC_Order_Refund $own = null): ?\WC_Order_Refund
    {
        $byReference = null;
        foreach ($this->records as $record) {
            if ($own !== null && $own->get_id() === $record->get_id()) {
                continue;
            }
            $refundId = self::refundId($record);
            if ($refundId === $refund->id) {
                return $record;
            }
            $isOfWish = $row->reference !== null && $record->get_meta(Orders::REFERENCE_META) === $row->reference;
            if ($isOfWish && $refundId === '') {
                $byReference = $record;
            }
        }
        return $byReference;
    }

    /** Whether WooCommerce may be making, or deleting, one of the records right now: its money is not known to have moved. */
    public function hasUnfinished(): bool
    {
        foreach ($this->records as $record) {
            $created = $record->get_date_created();
            $isYoung = $created !== null && $created->getTimestamp() > time() - self::MAX_CREATION_SECONDS;
            if ($isYoung && self::refundId($record) === '' && !$record->get_refunded_payment()) {
                return true;
            }
        }
        return false;
    }

    /**
     * @return int minor units
     * @throws PluginError UNREADABLE
     */
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

    private static function refundId(\WC_Order_Refund $record): string
    {
        return (string) $record->get_meta(Orders::REFUND_META);
    }
}
