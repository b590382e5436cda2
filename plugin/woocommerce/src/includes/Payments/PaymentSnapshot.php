<?php

namespace Tillgate\WooCommerce\Payments;

/** What is compared with each other: the store's order, the plugin's own record of the payment, and what Tillgate says. */
final class PaymentSnapshot
{
    /**
     * @var array{status: string, total: string, currency: string, isTillgate: bool, transactionId: string, isFresh: bool, records: array<int, array{id: int, amount: string, refundId: string|null, sent: string}>}|null
     *   null where the store no longer has it; `isFresh`: it changed a moment ago
     */
    public $order;

    /**
     * @var array{tillgateOrderId: string, amountMinor: int, currency: string, isCurrent: bool, isLearned: bool, siblings: string[]}
     *   `isLearned`: Tillgate's state of it has been brought into the store; `siblings`: transactions of the order's other payments
     */
    public $payment;

    /**
     * @var array{status: string, raw_amount: mixed, currency: string, trx_id: string|null, refunded_amount: mixed, isFresh: bool, refunds: array<int, array{refund_id: string, raw_amount: mixed, isLearned: bool, isFresh: bool}>}|null
     *   null where Tillgate has no such order; `refunds` are the completed ones
     */
    public $remote;

    /**
     * @param array<string, mixed>|null $order
     * @param array<string, mixed>      $payment
     * @param array<string, mixed>|null $remote
     */
    public function __construct(?array $order, array $payment, ?array $remote)
    {
        $this->order = $order;
        $this->payment = $payment;
        $this->remote = $remote;
    }

    /**
     * A record in one of these states shows no money that Tillgate moved.
     *
     * @param array{sent: string} $record
     */
    public static function showsMoney(array $record): bool
    {
        return !in_array($record['sent'], ['pending', 'refused', 'failed', 'ignored'], true);
    }

    public function currency(): string
    {
        return $this->remote['currency'] ?? $this->payment['currency'];
    }
}
