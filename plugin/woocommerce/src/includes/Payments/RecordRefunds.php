<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\RefundRecordMeta;
use Tillgate\WooCommerce\Shop\ShopRefunds;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Makes the shop's refund record of each completed Tillgate refund that has none, without asking the gateway. */
final class RecordRefunds
{
    use WithServices;

    /**
     * Records the refund that an event tells of, or all of the payment. The records there are listed first, so that a
     * repeat finds what an earlier try made.
     *
     * @param bool $isAgain a replay: records that the shop lost are made again
     * @return string|null what was recorded, in words; null where every record was there and known
     */
    public function run(Lock $lock, PaymentEvent $event, Attempt $attempt, bool $isAgain = false): ?string
    {
        $refunds = $event->refund !== null
            ? [$event->refund]
            : (new ListCompletedRefunds($this->services))->run($attempt, (string) $event->trxId);
        $words = [];
        foreach ($refunds as $refund) {
            if ($refund->currency !== $attempt->currency) {
                throw new PluginError(PluginError::UNREADABLE, "Refund {$refund->id} is in another currency than its payment.");
            }
            $one = $this->recordOne($lock, $refund, $attempt->orderId, $isAgain);
            $words[] = $one === null && $isAgain && $event->refund !== null ? $this->describeAgain($refund, $attempt->orderId) : $one;
        }
        $words = array_filter($words);
        return $words === [] ? null : implode('; ', $words);
    }

    /**
     * @param bool $isAgain a record that was deleted or lost in the shop is made again
     * @return string|null in words; null where it was recorded before
     */
    public function recordOne(Lock $lock, RemoteRefund $refund, int $orderId, bool $isAgain = false): ?string
    {
        $row = $this->services->refunds->find($refund, $orderId)
            ?? $this->services->refunds->addRemote($orderId, $refund);
        if ($isAgain && $row->shopRefundId !== null && Orders::findRefund($row->shopRefundId) === null) {
            $this->services->refunds->clearRecord($row->id);
            $row = $this->services->refunds->find($refund, $orderId) ?? $row;
        }
        // One that found no room may find it later, when the owner has made some.
        if ($row->isRecorded && $row->shopRefundId !== null) {
            return null;
        }
        $this->services->comparisons->schedule($orderId, ScheduledCheck::COMPARE_DELAY_SECONDS);
        $order = Orders::get($orderId);
        $records = new ShopRefunds($order);
        $record = $records->findRecord($refund, $row);
        if ($record !== null) {
            $this->link($lock, $refund, $row, $record);
            return self::describe($refund);
        }
        if (!$this->hasRoom($order, $records, $refund)) {
            if ($records->hasUnfinished()) {
                // A record whose money did not move is deleted by the request that makes it, and leaves room.
                throw new PluginError(PluginError::BUSY, "A refund of order $orderId is being made in the shop right now.");
            }
            return $this->skip($row, $refund);
        }
        $lock->renew();
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        $this->services->refunds->markRecorded($row->id, $this->createRecord($order, $records, $refund));
        return self::describe($refund);
    }

    /** What its note said, which the shop may have lost; null for one that was made in the shop, as that has no such note. */
    private function describeAgain(RemoteRefund $refund, int $orderId): ?string
    {
        $row = $this->services->refunds->find($refund, $orderId);
        if ($row === null || $row->reference !== null) {
            return null;
        }
        return $row->shopRefundId === null
            ? NoteText::render($this->services->rules->phrase('no_room'), ['result' => self::describe($refund)])
            : self::describe($refund);
    }

    /** The shop has the record of this refund: it is named after it, once. */
    public function link(Lock $lock, RemoteRefund $refund, RefundRow $row, \WC_Order_Refund $record): void
    {
        if ($record->get_meta(Orders::REFUND_META) !== $refund->id) {
            $lock->renew();
            (new RefundRecordMeta($record))->setRefundId($refund->id);
        }
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        $this->services->refunds->markRecorded($row->id, $record->get_id());
    }

    /** @return string `5.00 EUR (RF-…)` */
    public static function describe(RemoteRefund $refund): string
    {
        return $refund->amountText . ' (' . $refund->id . ')';
    }

    /** @return string|null in words; null where that was said before */
    private function skip(RefundRow $row, RemoteRefund $refund): ?string
    {
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        if ($row->isRecorded) {
            return null;
        }
        $this->services->log->warning("Order {$row->orderId}: refund {$refund->id} has no room in the shop's records.");
        $this->services->refunds->markRecorded($row->id, null);
        return NoteText::render($this->services->rules->phrase('no_room'), ['result' => self::describe($refund)]);
    }

    /** WooCommerce refuses records that come to more than the order. */
    private function hasRoom(\WC_Order $order, ShopRefunds $records, RemoteRefund $refund): bool
    {
        $total = $this->services->money->sum([Orders::total($order)], $refund->currency);
        return $refund->amountMinor <= $total - $records->sum($this->services->money);
    }

    private function createRecord(\WC_Order $order, ShopRefunds $records, RemoteRefund $refund): int
    {
        $isNamed = false;
        // The first that is saved is this one; others may make records of their own while this one is made.
        $nameIt = static function (\WC_Order_Refund $record) use ($refund, &$isNamed): void {
            if (!$isNamed && $record->get_id() === 0) {
                $record->update_meta_data(Orders::REFUND_META, $refund->id);
                $isNamed = true;
            }
        };
        $amount = $this->services->money->toDecimal($refund->amountMinor, $refund->currency);
        $isWhole = $records->isEmpty()
            && $this->services->money->sum([Orders::total($order)], $refund->currency) === $refund->amountMinor;
        $restocks = $isWhole && $this->services->settings->restocksRefunds();
        $lines = $restocks || $this->services->settings->splitsRefunds()
            ? $this->lineItems($order, $records->sum($this->services->money), $refund, $isWhole)
            : [];
        // Its totals save it for the first time, well before `woocommerce_create_refund`: a crash in between would leave
        // one without a name, and the next try would make another.
        add_action('woocommerce_before_order_refund_object_save', $nameIt);
        // The record is complete then; what follows are mails and other plugins.
        $round = Orders::withoutRounding();
        add_action('woocommerce_create_refund', $round, PHP_INT_MAX);
        try {
            $record = wc_create_refund([
                'order_id' => $order->get_id(),
                'amount' => $amount,
                /* translators: %s: refund number */
                'reason' => $refund->reason ?? sprintf(__('Refunded with Tillgate, %s', 'tillgate-for-woocommerce'), $refund->id),
                'line_items' => $lines,
                // Without this WooCommerce would ask the gateway for the money once more.
                'refund_payment' => false,
                'restock_items' => $restocks,
            ]);
        } finally {
            $round();
            remove_action('woocommerce_create_refund', $round, PHP_INT_MAX);
            remove_action('woocommerce_before_order_refund_object_save', $nameIt);
        }
        if (is_wp_error($record)) {
            $now = Orders::get($order->get_id());
            if (!$this->hasRoom($now, new ShopRefunds($now), $refund)) {
                // An owner refunds at the same moment: it is decided again.
                throw new PluginError(PluginError::BUSY, "Order {$order->get_id()} was refunded in the shop meanwhile.");
            }
            throw new PluginError(
                PluginError::NOT_APPLIED,
                "Refund {$refund->id} could not be recorded: " . $record->get_error_message()
            );
        }
        return $record->get_id();
    }

    /**
     * The refund's share of each line, of shipping, fees and their taxes, so that tax reports are right. Which items come back is known only
     * where the whole order is refunded at once.
     *
     * @return array<int, array{qty: float|int, refund_total: string, refund_tax: array<int|string, string>}>
     */
    private function lineItems(\WC_Order $order, int $beforeMinor, RemoteRefund $refund, bool $isWhole): array
    {
        [$money, $currency] = [$this->services->money, $refund->currency];
        $lines = [];
        $parts = [];
        foreach ($order->get_items(['line_item', 'shipping', 'fee']) as $id => $item) {
            $taxes = array_map('strval', array_filter($item->get_taxes()['total'] ?? [], 'is_numeric'));
            $lines[$id] = ['qty' => $isWhole && $item->is_type('line_item') ? $item->get_quantity() : 0, 'taxes' => array_keys($taxes)];
            foreach (array_merge([(string) $item->get_total()], array_values($taxes)) as $amount) {
                $parts[] = $money->parseRounded($amount, $currency);
            }
        }
        $shares = array_map(static function (int $share) use ($money, $currency): string {
            return $money->toDecimal($share, $currency);
        }, RefundShares::allocate($parts, $beforeMinor, $refund->amountMinor));
        return array_map(static function (array $line) use (&$shares): array {
            $total = array_shift($shares);
            $taxes = array_splice($shares, 0, count($line['taxes']));
            return ['qty' => $line['qty'], 'refund_total' => $total, 'refund_tax' => array_combine($line['taxes'], $taxes)];
        }, $lines);
    }
}
