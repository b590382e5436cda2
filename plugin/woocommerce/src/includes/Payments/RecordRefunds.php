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

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Creates WooCommerce refunds for completed Tillgate refunds that have none, without calling the gateway. */
final class RecordRefunds
{
    use WithServices;

    /**
     * Records the event's refund, or all completed refunds of the payment. Idempotent, because existing WooCommerce refunds are matched
     * before any is created.
     * @param bool $recreate also recreate deleted WooCommerce refunds, for replays
     * @return string|null text for the order note; null if no note is needed
     * @throws PluginError BUSY while another refund is in progress in the shop; NOT_FOUND, NOT_APPLIED, UNREADABLE
     */
    public function run(Lock $lock, PaymentEvent $event, Attempt $attempt, bool $recreate = false): ?string
    {
        $refunds = $event->refund !== null
            ? [$event->refund]
            : (new ListCompletedRefunds($this->services))->run($attempt, (string) $event->trxId);
        $descriptions = [];
        foreach ($refunds as $refund) {
            if ($refund->currency !== $attempt->currency) {
                throw new PluginError(PluginError::UNREADABLE, "Refund {$refund->id} has a different currency than its payment.");
            }
            $description = $this->recordOne($lock, $refund, $attempt->orderId, $recreate);
            $descriptions[] = $description === null && $recreate && $event->refund !== null ? $this->describeAgain($refund, $attempt->orderId) : $description;
        }
        $descriptions = array_filter($descriptions);
        return $descriptions === [] ? null : implode('; ', $descriptions);
    }

    /**
     * @param bool $recreate recreate the WooCommerce refund if it was deleted
     * @return string|null text for the order note; null if the refund was already recorded or reported
     * @throws PluginError BUSY while another refund is in progress in the shop; NOT_FOUND, NOT_APPLIED, UNREADABLE
     */
    public function recordOne(Lock $lock, RemoteRefund $refund, int $orderId, bool $recreate = false): ?string
    {
        $row = $this->services->refunds->find($refund, $orderId)
            ?? $this->services->refunds->addRemote($orderId, $refund);
        if ($recreate && $row->shopRefundId !== null && Orders::findRefund($row->shopRefundId) === null) {
            $this->services->refunds->clearRecord($row->id);
            $row = $this->services->refunds->find($refund, $orderId) ?? $row;
        }
        // A refund that exceeded the remaining amount has no WooCommerce refund yet, and is tried again.
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
        if (!$this->fitsRemainingAmount($order, $records, $refund)) {
            if ($records->hasUnfinished()) {
                // If that refund fails, WooCommerce deletes its record and this one can be recorded.
                throw new PluginError(PluginError::BUSY, "A refund of order $orderId is in progress in the shop.");
            }
            return $this->skip($row, $refund);
        }
        $lock->renew();
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        $this->services->refunds->markRecorded($row->id, $this->createRecord($order, $records, $refund));
        return self::describe($refund);
    }

    /** Returns the note text of a recorded refund, because the shop may have lost the note; null if the refund was requested in the shop. */
    private function describeAgain(RemoteRefund $refund, int $orderId): ?string
    {
        $row = $this->services->refunds->find($refund, $orderId);
        if ($row === null || $row->reference !== null) {
            return null;
        }
        return $row->shopRefundId === null
            ? NoteText::render($this->services->rules->phrase('exceeds_order_total'), ['result' => self::describe($refund)])
            : self::describe($refund);
    }

    public function link(Lock $lock, RemoteRefund $refund, RefundRow $row, \WC_Order_Refund $record): void
    {
        if ($record->get_meta(Orders::REFUND_META) !== $refund->id) {
            $lock->renew();
            (new RefundRecordMeta($record))->setRefundId($refund->id);
        }
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        $this->services->refunds->markRecorded($row->id, $record->get_id());
    }

    /** @return string such as `5.00 EUR (RF-…)` */
    public static function describe(RemoteRefund $refund): string
    {
        return $refund->amountText . ' (' . $refund->id . ')';
    }

    /** @return string|null text for the order note; null if the refund was skipped before */
    private function skip(RefundRow $row, RemoteRefund $refund): ?string
    {
        $this->services->refunds->updateState($row->id, $refund->id, 'completed');
        if ($row->isRecorded) {
            return null;
        }
        $this->services->log->warning("Order {$row->orderId}: refund {$refund->id} exceeds the order's remaining amount and was not recorded.");
        $this->services->refunds->markRecorded($row->id, null);
        return NoteText::render($this->services->rules->phrase('exceeds_order_total'), ['result' => self::describe($refund)]);
    }

    /** Whether the refund fits in the order's remaining amount. WooCommerce rejects larger refunds. */
    private function fitsRemainingAmount(\WC_Order $order, ShopRefunds $records, RemoteRefund $refund): bool
    {
        $total = $this->services->money->sum([Orders::total($order)], $refund->currency);
        return $refund->amountMinor <= $total - $records->sum($this->services->money);
    }

    private function createRecord(\WC_Order $order, ShopRefunds $records, RemoteRefund $refund): int
    {
        $isTagged = false;
        // This refund is saved first. Hooks of other plugins may then create more refunds.
        $tagRecord = static function (\WC_Order_Refund $record) use ($refund, &$isTagged): void {
            if (!$isTagged && $record->get_id() === 0) {
                $record->update_meta_data(Orders::REFUND_META, $refund->id);
                $isTagged = true;
            }
        };
        $amount = $this->services->money->toDecimal($refund->amountMinor, $refund->currency);
        $isWhole = $records->isEmpty()
            && $this->services->money->sum([Orders::total($order)], $refund->currency) === $refund->amountMinor;
        $restocks = $isWhole && $this->services->settings->restocksRefunds();
        $lines = $restocks || $this->services->settings->splitsRefunds()
            ? $this->lineItems($order, $records->sum($this->services->money), $refund, $isWhole)
            : [];
        // The refund is tagged at its first save: after a crash, a refund without its Tillgate ID would be recorded a second time.
        add_action('woocommerce_before_order_refund_object_save', $tagRecord);
        // Rounding is re-enabled after this hook, because only e-mails and other plugins' code follow.
        $round = Orders::withoutRounding();
        add_action('woocommerce_create_refund', $round, PHP_INT_MAX);
        try {
            $record = wc_create_refund([
                'order_id' => $order->get_id(),
                'amount' => $amount,
                /* translators: %s: refund ID */
                'reason' => $refund->reason ?? sprintf(__('Refunded with Tillgate, %s', 'tillgate-for-woocommerce'), $refund->id),
                'line_items' => $lines,
                // The money was already refunded, so the gateway must not be called.
                'refund_payment' => false,
                'restock_items' => $restocks,
            ]);
        } finally {
            $round();
            remove_action('woocommerce_create_refund', $round, PHP_INT_MAX);
            remove_action('woocommerce_before_order_refund_object_save', $tagRecord);
        }
        if (is_wp_error($record)) {
            $latest = Orders::get($order->get_id());
            if (!$this->fitsRemainingAmount($latest, new ShopRefunds($latest), $refund)) {
                // The order was refunded in the shop at the same time, so try again.
                throw new PluginError(PluginError::BUSY, "Order {$order->get_id()} was refunded in the shop in the meantime.");
            }
            throw new PluginError(
                PluginError::NOT_APPLIED,
                "Refund {$refund->id} could not be recorded: " . $record->get_error_message()
            );
        }
        return $record->get_id();
    }

    /**
     * Splits the refund across items, shipping, fees and their taxes, for correct tax reports. Only a single refund of the whole order has quantities.
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
