<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;

/** Makes the shop's refund record of each completed Tillgate refund that has none, without asking the gateway. */
final class RecordRefunds
{
    /** More pages of refunds of one payment are not read. */
    private const MAX_PAGES = 10;
    /** A refund that was asked for this recently may still be inside of the request that asked for it. */
    private const ASKING_SECONDS = 60;

    /** @var Services */
    private $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    /**
     * Records the refund that an event tells of, or all of the payment. The records there are listed first, so that a
     * repeat finds what an earlier try made.
     *
     * @return string|null what was recorded, in words; null where every record was there and known
     */
    public function of(HeldClaim $held, Fact $fact, Attempt $attempt): ?string
    {
        $refunds = $fact->refund !== null ? [$fact->refund] : $this->completed($attempt, (string) $fact->trxId);
        $words = [];
        foreach ($refunds as $refund) {
            if ($refund->currency !== $attempt->currency) {
                throw new Problem(Problem::UNREADABLE, "Refund {$refund->id} is in another currency than its payment.");
            }
            $words[] = $this->one($held, $refund, $attempt->orderId);
        }
        if ($fact->refund === null) {
            $this->checkSum($refunds, $attempt);
        }
        $words = array_filter($words);
        return $words === [] ? null : implode('; ', $words);
    }

    /** @return string|null in words; null where it was recorded before */
    public function one(HeldClaim $held, RemoteRefund $refund, int $orderId): ?string
    {
        $row = $this->services->refunds->find($refund, $orderId)
            ?? $this->services->refunds->learn($orderId, $refund);
        if ($row->isRecorded) {
            return null;
        }
        $order = Orders::get($orderId);
        $words = $refund->amountText . ' (' . $refund->id . ')';
        $record = self::recordOf($order, $refund, $row);
        if ($record !== null && $record->get_meta(Orders::REFUND_META) !== $refund->id) {
            $isBeingMade = $row->state !== 'completed' && $row->ageSeconds < self::ASKING_SECONDS;
            if ($isBeingMade) {
                // WooCommerce deletes this record where the request that made it ends without a clear answer.
                throw new Problem(Problem::BUSY, "Refund {$refund->id} is being made in the shop right now.");
            }
            $held->keep();
            $record->update_meta_data(Orders::REFUND_META, $refund->id);
            $record->save();
        }
        $this->services->refunds->answered($row->id, $refund->id, 'completed');
        if ($record !== null) {
            $this->services->refunds->recorded($row->id, $record->get_id());
            return $words;
        }
        if (!$this->hasRoom($order, $refund)) {
            $this->services->log->warning("Order $orderId: refund {$refund->id} has no room in the shop's records.");
            $this->services->refunds->recorded($row->id, null);
            /* translators: %s: amount and number of a refund */
            $text = __(
                '%s, without a record of its own: the refunds of the shop leave no room for it',
                'tillgate-for-woocommerce'
            );
            return sprintf($text, $words);
        }
        $held->keep();
        $this->services->refunds->recorded($row->id, $this->record($order, $refund));
        return $words;
    }

    /** The shop's record of this refund: named so, or made by the very wish that Tillgate answered. */
    private static function recordOf(\WC_Order $order, RemoteRefund $refund, RefundRow $row): ?\WC_Order_Refund
    {
        $byReference = null;
        foreach ($order->get_refunds() as $record) {
            if ($record->get_meta(Orders::REFUND_META) === $refund->id) {
                return $record;
            }
            $isOfWish = $row->reference !== null && $record->get_meta(Orders::REFERENCE_META) === $row->reference;
            if ($isOfWish && $record->get_meta(Orders::REFUND_META) === '') {
                $byReference = $record;
            }
        }
        return $byReference;
    }

    /** WooCommerce refuses records that come to more than the order. */
    private function hasRoom(\WC_Order $order, RemoteRefund $refund): bool
    {
        $left = $this->services->money->tryWire(
            wc_format_decimal($order->get_remaining_refund_amount(), wc_get_price_decimals()),
            $refund->currency
        );
        return $left !== null && $refund->amountMinor <= $left;
    }

    private function record(\WC_Order $order, RemoteRefund $refund): int
    {
        $nameIt = static function (\WC_Order_Refund $record) use ($refund): void {
            if ($record->get_id() === 0) {
                $record->update_meta_data(Orders::REFUND_META, $refund->id);
            }
        };
        $amount = $this->services->money->decimal($refund->amountMinor, $refund->currency);
        $lines = $this->services->settings->restocksRefunds() ? self::allLines($order, $amount) : [];
        // Its totals save it for the first time, well before `woocommerce_create_refund`: a crash in between would leave
        // one without a name, and the next try would make another.
        add_action('woocommerce_before_order_refund_object_save', $nameIt);
        try {
            $record = wc_create_refund([
                'order_id' => $order->get_id(),
                'amount' => $amount,
                /* translators: %s: refund number */
                'reason' => $refund->reason ?? sprintf(__('Refunded at Tillgate, %s', 'tillgate-for-woocommerce'), $refund->id),
                'line_items' => $lines,
                // Without this WooCommerce would ask the gateway for the money once more.
                'refund_payment' => false,
                'restock_items' => $lines !== [],
            ]);
        } finally {
            remove_action('woocommerce_before_order_refund_object_save', $nameIt);
        }
        if (is_wp_error($record)) {
            throw new Problem(
                Problem::NOT_FOLLOWED,
                "Refund {$refund->id} could not be recorded: " . $record->get_error_message()
            );
        }
        return $record->get_id();
    }

    /**
     * Which items come back is known only where the whole order is refunded at once.
     *
     * @return array<int, array{qty: float|int, refund_total: string, refund_tax: array<int, string>}>
     */
    private static function allLines(\WC_Order $order, string $amount): array
    {
        if ($order->get_refunds() !== [] || (float) $order->get_total() !== (float) $amount) {
            return [];
        }
        $lines = [];
        foreach ($order->get_items(['line_item', 'fee', 'shipping']) as $id => $item) {
            $lines[$id] = [
                'qty' => $item->is_type('line_item') ? $item->get_quantity() : 0,
                'refund_total' => $item->get_total(),
                'refund_tax' => $item->get_taxes()['total'] ?? [],
            ];
        }
        return $lines;
    }

    /** @return RemoteRefund[] */
    private function completed(Attempt $attempt, string $trxId): array
    {
        $client = $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
        $refunds = [];
        for ($page = 1; $page <= self::MAX_PAGES; $page += 1) {
            $answer = $client->completedRefunds($trxId, $page);
            foreach ($answer['refunds'] as $refund) {
                $refunds[] = RemoteRefund::of($refund, $this->services->money);
            }
            if ($answer['is_last']) {
                return $refunds;
            }
        }
        throw new Problem(Problem::UNREADABLE, "Transaction $trxId has too many refunds to be read.");
    }

    /**
     * Tillgate says "refunded in full"; its refunds must come to the payment.
     *
     * @param RemoteRefund[] $refunds
     */
    private function checkSum(array $refunds, Attempt $attempt): void
    {
        $sum = array_sum(array_map(static function (RemoteRefund $refund): int {
            return $refund->amountMinor;
        }, $refunds));
        if ($sum !== $attempt->amountMinor) {
            $this->services->log->error(
                "Order {$attempt->orderId}: the refunds of a payment that is refunded in full come to $sum minor units."
            );
        }
    }
}
