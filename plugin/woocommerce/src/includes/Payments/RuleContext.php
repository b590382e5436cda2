<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Orders;

final class RuleContext
{
    private Money $money;
    private Rules $rules;

    public function __construct(Money $money, Rules $rules)
    {
        $this->money = $money;
        $this->rules = $rules;
    }

    /**
     * @param string $delivery `repeated` if a replay repeats a known event, otherwise `first`
     * @return array<string, string> a value for each condition of the rules
     */
    public function forOrder(PaymentEvent $event, Attempt $attempt, \WC_Order $order, string $delivery = 'first'): array
    {
        $trxId = $event->type === 'store.changed' ? $attempt->trxId : $event->trxId;
        $isSame = $this->attemptMatchesOrder($attempt, $order) && $this->eventMatchesAttempt($event, $attempt);
        return [
            'event' => $event->type,
            'status' => Orders::ruleStatus($order),
            'attempt' => $attempt->isCurrent ? 'current' : 'older',
            'method' => Orders::hasOtherMethod($order) ? 'other' : 'tillgate',
            'payment' => self::paymentMatch($order, $trxId),
            'amount' => $isSame ? 'same' : 'different',
            'cancelled_by' => $attempt->cancelReason === null ? 'other' : 'connector',
            // `store` is for headless shops. Here, RequestRefund sends the shop's refunds, and RecordRefunds matches their events.
            'origin' => 'tillgate',
            'delivery' => $delivery,
        ];
    }

    /** @return array<string, string> a value for each condition of the rules, for a permanently deleted order */
    public function forDeletedOrder(PaymentEvent $event, Attempt $attempt, string $delivery = 'first'): array
    {
        return [
            'event' => $event->type,
            'status' => 'deleted',
            'attempt' => $attempt->isCurrent ? 'current' : 'older',
            'method' => 'tillgate',
            'payment' => 'none',
            'amount' => 'different',
            'cancelled_by' => $attempt->cancelReason === null ? 'other' : 'connector',
            'origin' => 'tillgate',
            'delivery' => $delivery,
        ];
    }

    /** @return array<string, string> known values of the notes' placeholders */
    public function noteFields(PaymentEvent $event, Attempt $attempt, \WC_Order $order): array
    {
        return [
            'order_number' => (string) $order->get_order_number(),
            'status' => $order->get_status(),
            'store_total' => Orders::total($order) . ' ' . $order->get_currency(),
        ] + $this->paymentFields($event, $attempt);
    }

    /** @return array<string, string> values of the notes' placeholders that are known without the order */
    public function paymentFields(PaymentEvent $event, Attempt $attempt): array
    {
        $trxId = $event->type === 'store.changed' ? $attempt->trxId : $event->trxId;
        $fields = [
            'amount' => $this->formatPaid($event, $attempt),
            'requested_amount' => $this->money->format($attempt->amountMinor, $attempt->currency),
            'paid_reference' => (string) $event->reference,
            'order_number' => (string) ($attempt->request['reference'] ?? $attempt->orderId),
            'tillgate_order' => (string) $attempt->tillgateOrderId,
            'refund' => $event->refund === null
                ? NoteText::render($this->rules->phrase('refund_in_full'), [])
                : NoteText::render($this->rules->phrase('refund'), [
                    'refund' => $event->refund->id,
                    'amount' => $event->refund->amountText,
                ]),
        ];
        return $fields
            + ($trxId === null ? [] : ['trx_id' => $trxId])
            + ($attempt->cancelReason === null ? [] : ['reason' => $attempt->cancelReason]);
    }

    /** Returns how the payment and the order differ. Valid only if the `amount` condition is `different`. */
    public function differenceName(PaymentEvent $event, Attempt $attempt, \WC_Order $order): string
    {
        $isOrderTotal = $order->get_currency() === $event->currency
            && $this->money->parseTotal(Orders::total($order), $order->get_currency()) === $event->amountMinor;
        if (!$isOrderTotal) {
            return 'order_total';
        }
        $isRequestedAmount = $event->amountMinor === $attempt->amountMinor && $event->currency === $attempt->currency;
        return $isRequestedAmount ? 'reference' : 'requested';
    }

    private function formatPaid(PaymentEvent $event, Attempt $attempt): string
    {
        if ($event->refund !== null || $event->type === 'store.changed') {
            return $this->money->format($attempt->amountMinor, $attempt->currency);
        }
        return $event->amountMinor === null
            ? NoteText::render($this->rules->phrase('amount_unreadable'), [])
            : $this->money->format($event->amountMinor, $event->currency);
    }

    public function attemptMatchesOrder(Attempt $attempt, \WC_Order $order): bool
    {
        return $order->get_currency() === $attempt->currency
            && $this->money->parseTotal(Orders::total($order), $order->get_currency()) === $attempt->amountMinor;
    }

    private static function paymentMatch(\WC_Order $order, ?string $trxId): string
    {
        if ($order->get_transaction_id() === '') {
            return 'none';
        }
        return $order->get_transaction_id() === $trxId ? 'this' : 'other';
    }

    /** Whether the event's amount, currency and reference are those requested. For refunds, only the currency is compared. */
    private function eventMatchesAttempt(PaymentEvent $event, Attempt $attempt): bool
    {
        if ($event->type === 'store.changed') {
            return true;
        }
        if ($event->refund !== null) {
            return $event->refund->currency === $attempt->currency;
        }
        return $event->amountMinor === $attempt->amountMinor
            && $event->currency === $attempt->currency
            && $event->reference === ($attempt->request['reference'] ?? null);
    }
}
