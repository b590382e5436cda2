<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Rules\ComparisonRules;
use Tillgate\WooCommerce\Rules\Rules;

/** Compares a payment, its store order and their refunds field by field, by comparison.json. Has no side effects. */
final class CompareOrder
{
    /** @var ComparisonRules */
    private $rules;

    /** @var Money */
    private $money;

    public function __construct(ComparisonRules $rules, Money $money)
    {
        $this->rules = $rules;
        $this->money = $money;
    }

    /**
     * @return array<int, array{subject: string, id: string, field: string, kind: string, repair: string|null, fields: array<string, string>}>
     *   one per differing field, those of the order first; `fields` are the values of the text's placeholders
     */
    public function run(PaymentSnapshot $snapshot): array
    {
        [$refundDifferences, $isMatching] = $this->compareRefunds($snapshot);
        $orderDifferences = $this->findDifferences($snapshot, 'order', $snapshot->payment['tillgateOrderId'], $this->orderContext($snapshot, $isMatching), []);
        return array_merge($orderDifferences, $refundDifferences);
    }

    /** @return array<string, string> */
    private function orderContext(PaymentSnapshot $snapshot, bool $refundsMatch): array
    {
        [$order, $remote] = [$snapshot->order, $snapshot->remote];
        $isOneCurrency = $order !== null && $order['currency'] === $snapshot->currency();
        $totalMinor = $order === null ? null : $this->money->parseTotal($order['total'], $order['currency']);
        $isSame = $isOneCurrency && $totalMinor !== null && $totalMinor === $this->amount($snapshot);
        $isFresh = ($order['isFresh'] ?? false) || ($remote['isFresh'] ?? false);
        return [
            'tillgate' => self::tillgateState($remote['status'] ?? null),
            'status' => $order === null ? 'deleted' : self::orderStatus($order),
            'payment' => self::paymentMatch($snapshot),
            'attempt' => $snapshot->payment['isCurrent'] ? 'current' : 'older',
            'method' => $order['isTillgate'] ?? false ? 'tillgate' : 'other',
            'amount' => $isSame ? 'same' : 'different',
            'currency' => $isOneCurrency ? 'same' : 'different',
            'applied' => $snapshot->payment['isApplied'] || $remote === null ? 'yes' : 'no',
            'age' => $isFresh ? 'fresh' : 'settled',
            'sum' => $refundsMatch ? $this->sumState($snapshot) : 'reported',
        ];
    }

    /** @param array<string, mixed> $order */
    private static function orderStatus(array $order): string
    {
        return Rules::normalizeStatus($order['status'], $order['isPayable'] ?? false, $order['isPaid'] ?? false);
    }

    private static function tillgateState(?string $status): string
    {
        $states = [
            'PENDING' => 'open',
            'EXPIRED' => 'ended',
            'CANCELLED' => 'ended',
            'PAID' => 'paid',
            'REFUND_PENDING' => 'paid',
            'REFUNDED' => 'refunded',
        ];
        return $status === null ? 'missing' : $states[$status];
    }

    private static function paymentMatch(PaymentSnapshot $snapshot): string
    {
        $transaction = $snapshot->order['transactionId'] ?? '';
        if ($transaction === '') {
            return 'none';
        }
        if ($transaction === ($snapshot->remote['trx_id'] ?? null)) {
            return 'this';
        }
        return in_array($transaction, $snapshot->payment['siblings'], true) ? 'sibling' : 'other';
    }

    private function sumState(PaymentSnapshot $snapshot): string
    {
        if ($snapshot->order === null || $snapshot->remote === null) {
            return 'same';
        }
        $recorded = $this->shopRefunded($snapshot);
        return $recorded !== null && $recorded === $this->tillgateRefunded($snapshot) ? 'same' : 'different';
    }

    /**
     * @return array{0: array<int, array<string, mixed>>, 1: bool} the differences, and whether the lists match: each refund has one
     *   record of its amount, and each record for which money was or may have been moved belongs to a refund
     */
    private function compareRefunds(PaymentSnapshot $snapshot): array
    {
        [$order, $remote] = [$snapshot->order, $snapshot->remote];
        $isCompared = $order !== null && $remote !== null && $order['status'] !== 'trash'
            && $order['transactionId'] === $remote['trx_id'] && $order['currency'] === $remote['currency'];
        if (!$isCompared) {
            return [[], true];
        }
        $differences = [];
        $isMatching = true;
        foreach ($remote['refunds'] as $refund) {
            $records = array_values(array_filter($order['records'], static function (array $record) use ($refund): bool {
                return $record['refundId'] === $refund['refund_id'];
            }));
            $amountMinor = $this->money->parseApiAmount($refund['raw_amount'], $order['currency']);
            $hasOtherAmount = count($records) === 1 && $this->money->parseTotal($records[0]['amount'], $order['currency']) !== $amountMinor;
            $differences[] = $this->compareRefund($snapshot, $refund, $records, $hasOtherAmount);
            $isMatching = $isMatching && count($records) === 1 && !$hasOtherAmount;
        }
        $ids = array_column($remote['refunds'], 'refund_id');
        foreach ($order['records'] as $record) {
            $hasTillgateRefund = $record['refundId'] !== null && in_array($record['refundId'], $ids, true);
            if ($hasTillgateRefund || Money::isZero($record['amount'])) {
                continue;
            }
            $differences[] = $this->findDifferences($snapshot, 'record', (string) $record['id'], [
                'sent' => $record['sent'],
                'age' => $order['isFresh'] ? 'fresh' : 'settled',
            ], $this->recordFields([$record], $order['currency']));
            $isMatching = $isMatching && !PaymentSnapshot::showsMoney($record);
        }
        return [array_merge([], ...$differences), $isMatching];
    }

    /**
     * @param array{refund_id: string, raw_amount: mixed, isApplied: bool, isFresh: bool}                 $refund
     * @param array<int, array{id: int, amount: string, refundId: string|null, sent: string}> $records records of this refund
     * @return array<int, array<string, mixed>>
     */
    private function compareRefund(PaymentSnapshot $snapshot, array $refund, array $records, bool $hasOtherAmount): array
    {
        [$order, $currency] = [$snapshot->order, $snapshot->order['currency']];
        $amountMinor = $this->money->parseApiAmount($refund['raw_amount'], $currency);
        $recorded = $this->sum($order['records'], $currency);
        // With unreadable records, assume that nothing is left.
        $remaining = $recorded === null ? 0 : (int) $this->money->parseTotal($order['total'], $currency) - $recorded;
        $recordCounts = [0 => 'none', 1 => 'one'];
        return $this->findDifferences($snapshot, 'refund', $refund['refund_id'], [
            'record' => $recordCounts[count($records)] ?? 'several',
            'amount' => $hasOtherAmount ? 'different' : 'same',
            'status' => self::orderStatus($order),
            'room' => $amountMinor !== null && $amountMinor <= $remaining ? 'yes' : 'no',
            'applied' => $refund['isApplied'] ? 'yes' : 'no',
            'age' => $refund['isFresh'] ? 'fresh' : 'settled',
        ], ['refund' => $refund['refund_id'], 'refund_amount' => $this->format($amountMinor, $currency)] + $this->recordFields($records, $currency));
    }

    /**
     * @param array<string, string> $context
     * @param array<string, string> $fields values of placeholders, in addition to those of the order
     * @return array<int, array<string, mixed>>
     */
    private function findDifferences(PaymentSnapshot $snapshot, string $subject, string $id, array $context, array $fields): array
    {
        return array_map(function (array $difference) use ($snapshot, $subject, $id, $fields): array {
            return ['subject' => $subject, 'id' => $id] + $difference + ['fields' => $fields + $this->orderFields($snapshot)];
        }, $this->rules->compare($subject, $context));
    }

    /** @return array<string, string> */
    private function orderFields(PaymentSnapshot $snapshot): array
    {
        [$order, $remote, $currency] = [$snapshot->order, $snapshot->remote, $snapshot->currency()];
        $isOneCurrency = $order !== null && $order['currency'] === $currency;
        return array_filter([
            'tillgate_order' => $snapshot->payment['tillgateOrderId'],
            'amount' => $this->format($this->amount($snapshot), $currency),
            'status' => $order['status'] ?? 'deleted',
            'store_total' => $order === null ? '' : $order['total'] . ' ' . $order['currency'],
            'transaction' => $order['transactionId'] ?? '',
            'store_refunded' => $isOneCurrency ? $this->format($this->shopRefunded($snapshot), $currency) : '',
            'remote_status' => $remote === null ? '' : str_replace('_', ' ', strtolower($remote['status'])),
            'refunded' => $remote === null ? '' : $this->format($this->tillgateRefunded($snapshot), $currency),
            'trx_id' => (string) ($remote['trx_id'] ?? ''),
        ], 'strlen');
    }

    /**
     * Returns the placeholder values: the records' numbers and the first one's amount.
     *
     * @param array<int, array{id: int, amount: string, refundId: string|null, sent: string}> $records
     * @return array<string, string>
     */
    private function recordFields(array $records, string $currency): array
    {
        if ($records === []) {
            return [];
        }
        $numbers = array_map(function (array $record): string {
            return $this->rules->phrase('record', ['store_refund' => (string) $record['id']]);
        }, $records);
        return [
            'store_refund' => implode(', ', $numbers),
            'store_refund_amount' => $this->format($this->money->parseTotal($records[0]['amount'], $currency), $currency),
        ];
    }

    /** Returns the payment's amount in minor units: in Tillgate (null if unreadable), or the plugin's own if Tillgate has no order. */
    private function amount(PaymentSnapshot $snapshot): ?int
    {
        return $snapshot->remote === null
            ? $snapshot->payment['amountMinor']
            : $this->money->parseApiAmount($snapshot->remote['raw_amount'], $snapshot->remote['currency']);
    }

    /** Returns the total refunded according to the shop, in minor units; null if a record is unreadable. */
    private function shopRefunded(PaymentSnapshot $snapshot): ?int
    {
        return $this->sum(array_filter($snapshot->order['records'], [PaymentSnapshot::class, 'showsMoney']), $snapshot->order['currency']);
    }

    /** Returns the total refunded according to Tillgate, in minor units; null if unreadable. Zero is a valid total, though not a valid amount. */
    private function tillgateRefunded(PaymentSnapshot $snapshot): ?int
    {
        $amount = $snapshot->remote['refunded_amount'];
        return $amount === 0 ? 0 : $this->money->parseApiAmount($amount, $snapshot->remote['currency']);
    }

    /**
     * @param array<int, array{amount: string}> $records
     * @return int|null minor units; null if a record is unreadable
     */
    private function sum(array $records, string $currency): ?int
    {
        try {
            return $this->money->sum(array_column($records, 'amount'), $currency);
        } catch (PluginError $error) {
            return null;
        }
    }

    private function format(?int $amountMinor, string $currency): string
    {
        return $amountMinor === null ? $this->rules->phrase('amount_unreadable') : $this->money->format($amountMinor, $currency);
    }
}
