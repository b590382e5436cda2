<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Loads the current state of a payment in the shop and in Tillgate. */
final class LoadSnapshot
{
    use WithServices;

    private const KNOWN_STATES = [
        'PENDING' => ['creating', 'pending'],
        'EXPIRED' => ['expired'],
        'CANCELLED' => ['cancelled'],
        'PAID' => ['paid'],
        'REFUND_PENDING' => ['paid'],
        'REFUNDED' => ['refunded'],
    ];

    public function run(Attempt $attempt): PaymentSnapshot
    {
        $rows = $this->services->refunds->forOrder($attempt->orderId);
        $remote = $this->loadRemote($attempt, $rows);
        $siblings = array_map(static function (Attempt $other) use ($attempt): string {
            return $other->id === $attempt->id ? '' : (string) $other->trxId;
        }, $this->services->attempts->forOrder($attempt->orderId));
        return new PaymentSnapshot($this->loadOrder($attempt, $rows), [
            'tillgateOrderId' => (string) $attempt->tillgateOrderId,
            'amountMinor' => $attempt->amountMinor,
            'currency' => $attempt->currency,
            'isCurrent' => $attempt->isCurrent,
            'isApplied' => $remote === null || in_array($attempt->state, self::KNOWN_STATES[$remote['status']] ?? [], true),
            'siblings' => array_values(array_filter($siblings, 'strlen')),
        ], $remote);
    }

    /**
     * @param RefundRow[] $rows
     * @return array<string, mixed>|null
     */
    private function loadOrder(Attempt $attempt, array $rows): ?array
    {
        $order = Orders::find($attempt->orderId);
        if ($order === null) {
            return null;
        }
        $modified = $order->get_date_modified();
        return [
            'status' => $order->get_status(),
            'isPayable' => $order->needs_payment(),
            'isPaid' => $order->is_paid(),
            'total' => Orders::total($order),
            'currency' => $order->get_currency(),
            'isTillgate' => !Orders::hasOtherMethod($order),
            'transactionId' => (string) $order->get_transaction_id(),
            'isFresh' => $modified !== null && $this->isFresh($modified->getTimestamp()),
            'records' => array_values(array_map(static function (\WC_Order_Refund $record) use ($rows): array {
                return self::toRecord($record, $rows);
            }, $order->get_refunds())),
        ];
    }

    /**
     * @param RefundRow[] $rows
     * @return array{id: int, amount: string, refundId: string|null, sent: string}
     */
    private static function toRecord(\WC_Order_Refund $record, array $rows): array
    {
        $refundId = (string) $record->get_meta(Orders::REFUND_META);
        $reference = (string) $record->get_meta(Orders::REFERENCE_META);
        $sent = 'no';
        foreach ($rows as $row) {
            if ($refundId === '' && $row->refundId !== null && $row->shopRefundId === $record->get_id()) {
                $refundId = $row->refundId;
            }
            if ($refundId === '' && $reference !== '' && $row->reference === $reference) {
                $states = ['asked' => 'calling', 'unknown' => 'calling', 'pending' => 'pending', 'completed' => 'completed', 'failed' => 'failed'];
                $sent = $states[$row->state] ?? 'no';
            }
        }
        return [
            'id' => $record->get_id(),
            'amount' => Orders::decimalText($record->get_amount()),
            'refundId' => $refundId === '' ? null : $refundId,
            'sent' => $sent,
        ];
    }

    /**
     * @param RefundRow[] $rows
     * @return array<string, mixed>|null
     */
    private function loadRemote(Attempt $attempt, array $rows): ?array
    {
        try {
            $order = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->getOrder((string) $attempt->tillgateOrderId);
        } catch (ApiError $error) {
            if ($error->status === 404) {
                return null;
            }
            throw $error;
        }
        $times = [(int) strtotime((string) ($order['paid_at'] ?? '')), (int) strtotime((string) ($order['expires_at'] ?? ''))];
        $isPaid = is_string($order['trx_id'] ?? null);
        return [
            'status' => $order['status'],
            'raw_amount' => $order['raw_amount'] ?? null,
            'currency' => (string) ($order['currency'] ?? ''),
            'trx_id' => $isPaid ? $order['trx_id'] : null,
            'refunded_amount' => $order['refunded_amount'] ?? 0,
            'isFresh' => $this->isFresh($isPaid ? $times[0] : $times[1]),
            'refunds' => $isPaid && ($order['refunded_amount'] ?? 0) !== 0 ? $this->loadRefunds($attempt, $order['trx_id'], $rows) : [],
        ];
    }

    /**
     * @param RefundRow[] $rows
     * @return array<int, array{refund_id: string, raw_amount: string, isApplied: bool, isFresh: bool}>
     */
    private function loadRefunds(Attempt $attempt, string $trxId, array $rows): array
    {
        $applied = [];
        foreach ($rows as $row) {
            $applied[(string) $row->refundId] = $row->isRecorded;
        }
        return array_map(function (RemoteRefund $refund) use ($applied): array {
            return [
                'refund_id' => $refund->id,
                'raw_amount' => $this->services->money->toDecimal($refund->amountMinor, $refund->currency),
                'isApplied' => $applied[$refund->id] ?? false,
                'isFresh' => $this->isFresh($refund->createdAt),
            ];
        }, (new ListCompletedRefunds($this->services))->run($attempt, $trxId));
    }

    private function isFresh(int $time): bool
    {
        return abs(time() - $time) < $this->services->comparisonRules->freshSeconds();
    }
}
