<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Problem;
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
    public function of(Sides $sides): array
    {
        [$ofRefunds, $fit] = $this->eachRefund($sides);
        $ofOrder = $this->differences($sides, 'order', $sides->payment['tillgateOrderId'], $this->situation($sides, $fit), []);
        return array_merge($ofOrder, $ofRefunds);
    }

    /** @return array<string, string> */
    private function situation(Sides $sides, bool $refundsFit): array
    {
        [$order, $remote] = [$sides->order, $sides->remote];
        $isOneCurrency = $order !== null && $order['currency'] === $sides->currency();
        $totalMinor = $order === null ? null : $this->money->tryTotal($order['total'], $order['currency']);
        $isSame = $isOneCurrency && $totalMinor !== null && $totalMinor === $this->amount($sides);
        $isFresh = ($order['isFresh'] ?? false) || ($remote['isFresh'] ?? false);
        return [
            'tillgate' => self::standing($remote['status'] ?? null),
            'status' => $order === null ? 'deleted' : self::status($order),
            'payment' => self::payment($sides),
            'attempt' => $sides->payment['isCurrent'] ? 'current' : 'older',
            'method' => $order['isTillgate'] ?? false ? 'tillgate' : 'other',
            'amount' => $isSame ? 'same' : 'different',
            'currency' => $isOneCurrency ? 'same' : 'different',
            'learned' => $sides->payment['isLearned'] || $remote === null ? 'yes' : 'no',
            'age' => $isFresh ? 'fresh' : 'settled',
            'sum' => $refundsFit ? $this->sumState($sides) : 'told',
        ];
    }

    /** @param array<string, mixed> $order */
    private static function status(array $order): string
    {
        return Rules::status($order['status'], $order['isPayable'] ?? false, $order['isPaid'] ?? false);
    }

    private static function standing(?string $status): string
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

    private static function payment(Sides $sides): string
    {
        $transaction = $sides->order['transactionId'] ?? '';
        if ($transaction === '') {
            return 'none';
        }
        if ($transaction === ($sides->remote['trx_id'] ?? null)) {
            return 'this';
        }
        return in_array($transaction, $sides->payment['siblings'], true) ? 'sibling' : 'other';
    }

    private function sumState(Sides $sides): string
    {
        if ($sides->order === null || $sides->remote === null) {
            return 'same';
        }
        $recorded = $this->recorded($sides);
        return $recorded !== null && $recorded === $this->refunded($sides) ? 'same' : 'different';
    }

    /**
     * @return array{0: array<int, array<string, mixed>>, 1: bool} the differences, and whether the two lists fit: each refund has one
     *   record over its amount, and each record that shows money is of a refund
     */
    private function eachRefund(Sides $sides): array
    {
        [$order, $remote] = [$sides->order, $sides->remote];
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
            $minor = $this->money->tryWire($refund['raw_amount'], $order['currency']);
            $isOther = count($own) === 1 && $this->money->tryTotal($own[0]['amount'], $order['currency']) !== $minor;
            $found[] = $this->ofRefund($sides, $refund, $own, $isOther);
            $fit = $fit && count($own) === 1 && !$isOther;
        }
        $ids = array_column($remote['refunds'], 'refund_id');
        foreach ($order['records'] as $record) {
            $isOfRefund = $record['refundId'] !== null && in_array($record['refundId'], $ids, true);
            if ($isOfRefund || Money::isZero($record['amount'])) {
                continue;
            }
            $found[] = $this->differences($sides, 'record', (string) $record['id'], [
                'sent' => $record['sent'],
                'age' => $order['isFresh'] ? 'fresh' : 'settled',
            ], $this->recordFields([$record], $order['currency']));
            $fit = $fit && !Sides::showsMoney($record);
        }
        return [array_merge([], ...$found), $fit];
    }

    /**
     * @param array{refund_id: string, raw_amount: mixed, isLearned: bool, isFresh: bool}                 $refund
     * @param array<int, array{id: int, amount: string, refundId: string|null, sent: string}> $own    the records that are of it
     * @return array<int, array<string, mixed>>
     */
    private function ofRefund(Sides $sides, array $refund, array $own, bool $isOther): array
    {
        [$order, $currency] = [$sides->order, $sides->order['currency']];
        $minor = $this->money->tryWire($refund['raw_amount'], $currency);
        $recorded = $this->sumOf($order['records'], $currency);
        // Unreadable records may take up all the room.
        $left = $recorded === null ? 0 : (int) $this->money->tryTotal($order['total'], $currency) - $recorded;
        $records = [0 => 'none', 1 => 'one'];
        return $this->differences($sides, 'refund', $refund['refund_id'], [
            'record' => $records[count($own)] ?? 'several',
            'amount' => $isOther ? 'different' : 'same',
            'status' => self::status($order),
            'room' => $minor !== null && $minor <= $left ? 'yes' : 'no',
            'learned' => $refund['isLearned'] ? 'yes' : 'no',
            'age' => $refund['isFresh'] ? 'fresh' : 'settled',
        ], ['refund' => $refund['refund_id'], 'refund_amount' => $this->text($minor, $currency)] + $this->recordFields($own, $currency));
    }

    /**
     * @param array<string, string> $situation
     * @param array<string, string> $fields what its text speaks of beside the order's own
     * @return array<int, array<string, mixed>>
     */
    private function differences(Sides $sides, string $subject, string $id, array $situation, array $fields): array
    {
        return array_map(function (array $difference) use ($sides, $subject, $id, $fields): array {
            return ['subject' => $subject, 'id' => $id] + $difference + ['fields' => $fields + $this->orderFields($sides)];
        }, $this->rules->compare($subject, $situation));
    }

    /** @return array<string, string> */
    private function orderFields(Sides $sides): array
    {
        [$order, $remote, $currency] = [$sides->order, $sides->remote, $sides->currency()];
        $isOneCurrency = $order !== null && $order['currency'] === $currency;
        return array_filter([
            'tillgate_order' => $sides->payment['tillgateOrderId'],
            'amount' => $this->text($this->amount($sides), $currency),
            'status' => $order['status'] ?? 'deleted',
            'store_total' => $order === null ? '' : $order['total'] . ' ' . $order['currency'],
            'transaction' => $order['transactionId'] ?? '',
            'store_refunded' => $isOneCurrency ? $this->text($this->recorded($sides), $currency) : '',
            'remote_status' => $remote === null ? '' : str_replace('_', ' ', strtolower($remote['status'])),
            'refunded' => $remote === null ? '' : $this->text($this->refunded($sides), $currency),
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
            'store_refund_amount' => $this->text($this->money->tryTotal($records[0]['amount'], $currency), $currency),
        ];
    }

    /** The payment's amount in minor units, by Tillgate's word where there is one. */
    private function amount(Sides $sides): ?int
    {
        return $sides->remote === null
            ? $sides->payment['amountMinor']
            : $this->money->tryWire($sides->remote['raw_amount'], $sides->remote['currency']);
    }

    /** What the shop says was paid back, in minor units; null where a record cannot be read. */
    private function recorded(Sides $sides): ?int
    {
        return $this->sumOf(array_filter($sides->order['records'], [Sides::class, 'showsMoney']), $sides->order['currency']);
    }

    /** What Tillgate says, in minor units. Nothing is no amount, but a sum. */
    private function refunded(Sides $sides): ?int
    {
        $amount = $sides->remote['refunded_amount'];
        return $amount === 0 ? 0 : $this->money->tryWire($amount, $sides->remote['currency']);
    }

    /**
     * @param array<int, array{amount: string}> $records
     * @return int|null minor units; null where a record cannot be read
     */
    private function sumOf(array $records, string $currency): ?int
    {
        try {
            return $this->money->sum(array_column($records, 'amount'), $currency);
        } catch (Problem $problem) {
            return null;
        }
    }

    private function text(?int $minor, string $currency): string
    {
        return $minor === null ? $this->rules->phrase('amount_unreadable') : $this->money->text($minor, $currency);
    }
}
