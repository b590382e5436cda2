<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Orders;

/** Compares what happened with the attempt it is about and with the shop's own order, as the rules ask. */
final class Situation
{
    public const PAYMENT_METHOD = 'tillgate';

    /** @var Money */
    private $money;

    /** @var Rules */
    private $rules;

    public function __construct(Money $money, Rules $rules)
    {
        $this->money = $money;
        $this->rules = $rules;
    }

    /**
     * @param string $told whether a replay tells `again` of what the shop had before
     * @return array<string, string> a value for each condition of the rules
     */
    public function of(Fact $fact, Attempt $attempt, \WC_Order $order, string $told = 'first'): array
    {
        $trxId = $fact->event === 'store.changed' ? $attempt->trxId : $fact->trxId;
        $isSame = $this->isAttemptOf($attempt, $order) && $this->tellsOfAttempt($fact, $attempt);
        return [
            'event' => $fact->event,
            'status' => Orders::ruleStatus($order),
            'attempt' => $attempt->isCurrent ? 'current' : 'older',
            'method' => $order->get_payment_method() === self::PAYMENT_METHOD ? 'tillgate' : 'other',
            'payment' => self::paymentOf($order, $trxId),
            'amount' => $isSame ? 'same' : 'different',
            'asked_by' => $attempt->cancelReason === null ? 'other' : 'connector',
            // Inside WooCommerce the gateway asks for the shop's refunds itself. When the refund is reported, RecordRefunds
            // finds the record that WooCommerce keeps or deletes by its name: no event is left to the rules.
            'origin' => 'tillgate',
            'told' => $told,
        ];
    }

    /** @return array<string, string> the same for an order that the shop deleted for good */
    public function ofDeleted(Fact $fact, Attempt $attempt, string $told = 'first'): array
    {
        return [
            'event' => $fact->event,
            'status' => 'deleted',
            'attempt' => $attempt->isCurrent ? 'current' : 'older',
            'method' => 'tillgate',
            'payment' => 'none',
            'amount' => 'different',
            'asked_by' => $attempt->cancelReason === null ? 'other' : 'connector',
            'origin' => 'tillgate',
            'told' => $told,
        ];
    }

    /** @return array<string, string> what a note may speak of, as far as it is known */
    public function noteFields(Fact $fact, Attempt $attempt, \WC_Order $order): array
    {
        return [
            'order_number' => (string) $order->get_order_number(),
            'status' => $order->get_status(),
            'store_total' => Orders::totalOf($order) . ' ' . $order->get_currency(),
        ] + $this->paymentFields($fact, $attempt);
    }

    /** @return array<string, string> the same without the order */
    public function paymentFields(Fact $fact, Attempt $attempt): array
    {
        $trxId = $fact->event === 'store.changed' ? $attempt->trxId : $fact->trxId;
        $fields = [
            'amount' => $this->paidText($fact, $attempt),
            'asked' => $this->money->text($attempt->amountMinor, $attempt->currency),
            'paid_reference' => (string) $fact->reference,
            'order_number' => (string) ($attempt->request['reference'] ?? $attempt->orderId),
            'tillgate_order' => (string) $attempt->tillgateOrderId,
            'refund' => $fact->refund === null
                ? NoteText::of($this->rules->phrase('refund_in_full'), [])
                : NoteText::of($this->rules->phrase('refund'), [
                    'refund' => $fact->refund->id,
                    'amount' => $fact->refund->amountText,
                ]),
        ];
        return $fields
            + ($trxId === null ? [] : ['trx_id' => $trxId])
            + ($attempt->cancelReason === null ? [] : ['reason' => $attempt->cancelReason]);
    }

    /** In what the payment and its order differ, by name: the first that holds. Only where the amount is "different". */
    public function differenceOf(Fact $fact, Attempt $attempt, \WC_Order $order): string
    {
        $isTotal = $order->get_currency() === $fact->currency
            && $this->money->tryTotal(Orders::totalOf($order), $order->get_currency()) === $fact->amountMinor;
        if (!$isTotal) {
            return 'order_total';
        }
        $isAsked = $fact->amountMinor === $attempt->amountMinor && $fact->currency === $attempt->currency;
        return $isAsked ? 'reference' : 'asked';
    }

    /** What was paid by the word of Tillgate; for a refund what its payment was over. */
    private function paidText(Fact $fact, Attempt $attempt): string
    {
        if ($fact->refund !== null || $fact->event === 'store.changed') {
            return $this->money->text($attempt->amountMinor, $attempt->currency);
        }
        return $fact->amountMinor === null
            ? NoteText::of($this->rules->phrase('amount_unreadable'), [])
            : $this->money->text($fact->amountMinor, $fact->currency);
    }

    /** Whether the order still asks for exactly what the attempt asks for. */
    public function isAttemptOf(Attempt $attempt, \WC_Order $order): bool
    {
        return $order->get_currency() === $attempt->currency
            && $this->money->tryTotal(Orders::totalOf($order), $order->get_currency()) === $attempt->amountMinor;
    }

    private static function paymentOf(\WC_Order $order, ?string $trxId): string
    {
        if ($order->get_transaction_id() === '') {
            return 'none';
        }
        return $order->get_transaction_id() === $trxId ? 'this' : 'other';
    }

    /** Whether what was told of the payment is what this plugin asked for. */
    private function tellsOfAttempt(Fact $fact, Attempt $attempt): bool
    {
        if ($fact->event === 'store.changed') {
            return true;
        }
        if ($fact->refund !== null) {
            return $fact->refund->currency === $attempt->currency;
        }
        return $fact->amountMinor === $attempt->amountMinor
            && $fact->currency === $attempt->currency
            && $fact->reference === ($attempt->request['reference'] ?? null);
    }
}
