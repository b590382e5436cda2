<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Rules\ComparisonRules;
use Tillgate\WooCommerce\Rules\Rules;

/**
 * Compares a payment, its store order and their refunds field by field, by comparison.json. Changes nothing and asks nobody.
 */
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
     *   an entry for each field that differs, the order's own first; `fields` fill its text
     */
    public function run(PaymentSnapshot $snapshot): array
    {
        [$ofRefunds, $fit] = $this->compareRefunds($snapshot);
        $ofOrder = $this->findDifferences($snapshot, 'order', $snapshot->payment['tillgateOrderId'], $this->orderContext($snapshot, $fit), []);
        return array_merge($ofOrder, $ofRefunds);
    }

    /** @return array<string, string> */
    private function orderContext(PaymentSnapshot $snapshot, bool $refundsFit): array
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
            'learned' => $snapshot->payment['isLearned'] || $remote === null ? 'yes' : 'no',
            'age' => $isFresh ? 'fresh' : 'settled',
            'sum' => $refundsFit ? $this->sumState($snapshot) : 'told',
        ];
    }

    /** @param array<string, mixed> $order */
    private static function orderStatus(array $order): string
    {
        return Rules::normalizeStatus($order['status'], $order['isPayable'] ?? false, $order['isPaid'] ?? false);
    }

    private static function tillgateState(?string $status): string
    {
        $standings = [
            'PENDING' => 'open',
            'EXPIRED' => 'ended',
            'CANCELLED' => 'ended',
            'PAID' => 'paid',
            'REFUND_PENDING' => 'paid',
            'REFUNDED' => 'refunded',
        ];
        return $status === null ? 'missing' : $standings[$status];
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
     * @return array{0: array<int, array<string, mixed>>, 1: bool} the differences, and whether the two lists fit: each refund has one
     *   record over its amount, and each record that shows money is of a refund
     */
    private function compareRefunds(PaymentSnapshot $snapshot): array
    {
        [$order, $remote] = [$snapshot->order, $snapshot->remote];
        $isCompared = $order !== null && $remote !== null && $order['status'] !== 'trash'
            && $order['transactionId'] === $remote['trx_id'] && $order['currency'] === $remote['currency'];
        if (!$isCompared) {
            return [[], true];
        }
        $found = [];
        $fit = true;
        foreach ($remote['refunds'] as $refund) {
            $own = array_values(array_filter($order['records'], static function (array $record) use ($refund): bool {
                return $record['refundId'] === $refund['refund_id'];
            }));
            $amountMinor = $this->money->parseApiAmount($refund['raw_amount'], $order['currency']);
            $isOther = count($own) === 1 && $this->money->parseTotal($own[0]['amount'], $order['currency']) !== $amountMinor;
            $found[] = $this->compareRefund($snapshot, $refund, $own, $isOther);
            $fit = $fit && count($own) === 1 && !$isOther;
        }
        $ids = array_column($remote['refunds'], 'refund_id');
        foreach ($order['records'] as $record) {
            $isOfRefund = $record['refundId'] !== null && in_array($record['refundId'], $ids, true);
            if ($isOfRefund || Money::isZero($record['amount'])) {
                continue;
            }
            $found[] = $this->findDifferences($snapshot, 'record', (string) $record['id'], [
                'sent' => $record['sent'],
                'age' => $order['isFresh'] ? 'fresh' : 'settled',
            ], $this->recordFields([$record], $order['currency']));
            $fit = $fit && !PaymentSnapshot::showsMoney($record);
        }
        return [array_merge([], ...$found), $fit];
    }

    /**
     * @param array{refund_id: string, raw_amount: mixed, isLearned: bool, isFresh: bool}                 $refund
     * @param array<int, array{id: int, amount: string, refundId: string|null, sent: string}> $own    the records that are of it
     * @return array<int, array<string, mixed>>
     */
    private function compareRefund(PaymentSnapshot $snapshot, array $refund, array $own, bool $isOther): array
    {
        [$order, $currency] = [$snapshot->order, $snapshot->order['currency']];
        $amountMinor = $this->money->parseApiAmount($refund['raw_amount'], $currency);
        $recorded = $this->sum($order['records'], $currency);
        // Unreadable records may take up all the room.
        $left = $recorded === null ? 0 : (int) $this->money->parseTotal($order['total'], $currency) - $recorded;
        $records = [0 => 'none', 1 => 'one'];
        return $this->findDifferences($snapshot, 'refund', $refund['refund_id'], [
            'record' => $records[count($own)] ?? 'several',
            'amount' => $isOther ? 'different' : 'same',
            'status' => self::orderStatus($order),
            'room' => $amountMinor !== null && $amountMinor <= $left ? 'yes' : 'no',
            'learned' => $refund['isLearned'] ? 'yes' : 'no',
            'age' => $refund['isFresh'] ? 'fresh' : 'settled',
        ], ['refund' => $refund['refund_id'], 'refund_amount' => $this->format($amountMinor, $currency)] + $this->recordFields($own, $currency));
    }

    /**
     * @param array<string, string> $situation
     * @param array<string, string> $fields what its text speaks of beside the order's own
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
     * Names records, and the amount of the first.
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

    /** The payment's amount in minor units, by Tillgate's word where there is one. */
    private function amount(PaymentSnapshot $snapshot): ?int
    {
        return $snapshot->remote === null
            ? $snapshot->payment['amountMinor']
            : $this->money->parseApiAmount($snapshot->remote['raw_amount'], $snapshot->remote['currency']);
    }

    /** What the shop says was paid back, in minor units; null where a record cannot be read. */
    private function shopRefunded(PaymentSnapshot $snapshot): ?int
    {
        return $this->sum(array_filter($snapshot->order['records'], [PaymentSnapshot::class, 'showsMoney']), $snapshot->order['currency']);
    }

    /** What Tillgate says, in minor units. Nothing is no amount, but a sum. */
    private function tillgateRefunded(PaymentSnapshot $snapshot): ?int
    {
        $amount = $snapshot->remote['refunded_amount'];
        return $amount === 0 ? 0 : $this->money->parseApiAmount($amount, $snapshot->remote['currency']);
    }

    /**
     * @param array<int, array{amount: string}> $records
     * @return int|null minor units; null where a record cannot be read
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
