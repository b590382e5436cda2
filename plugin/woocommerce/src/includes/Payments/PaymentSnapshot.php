<?php

namespace Tillgate\WooCommerce\Payments;

/** State of a payment at one time: the store order, the plugin's own record, and the Tillgate order. */
final class PaymentSnapshot
{
    /**
     * @var array{status: string, total: string, currency: string, isTillgate: bool, transactionId: string, isFresh: bool, records: array<int, array{id: int, amount: string, refundId: string|null, sent: string}>}|null
     *   null if deleted; `isFresh`: changed very recently
     */
    public $order;

    /**
     * @var array{tillgateOrderId: string, amountMinor: int, currency: string, isCurrent: bool, isApplied: bool, siblings: string[]}
     *   `isApplied`: the current state in Tillgate was applied; `siblings`: transactions of the order's other payments
     */
    public $payment;

    /**
     * @var array{status: string, raw_amount: mixed, currency: string, trx_id: string|null, refunded_amount: mixed, isFresh: bool, refunds: array<int, array{refund_id: string, raw_amount: mixed, isApplied: bool, isFresh: bool}>}|null
     *   null if not found; `refunds`: completed refunds
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
     * Returns whether a WooCommerce refund may represent money that Tillgate refunded.
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
