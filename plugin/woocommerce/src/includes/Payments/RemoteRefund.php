<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

final class RemoteRefund
{
    public string $id;
    public string $transactionId;

    /** Minor units. */
    public int $amountMinor;

    /** Such as `5.00 EUR`. */
    public string $amountText;
    public string $currency;

    /** pending, completed or failed. */
    public string $status;
    public ?string $reason;

    /** Set by the shop if it requested the refund. */
    public ?string $reference;

    /**
     * @param array<string, mixed> $data refund object of the API
     * @throws PluginError UNREADABLE
     */
    public static function fromApi(array $data, Money $money): self
    {
        foreach (['refund_id', 'transaction_id', 'currency', 'status'] as $name) {
            if (!is_string($data[$name] ?? null) || $data[$name] === '') {
                throw new PluginError(PluginError::UNREADABLE, "The refund has no $name.");
            }
        }
        // IDs may grow up to the length of the database column.
        if (preg_match('/^RF-\d{8}-[0-9A-Z]{6,28}$/D', $data['refund_id']) !== 1) {
            throw new PluginError(PluginError::UNREADABLE, 'The refund ID is invalid.');
        }
        $amountMinor = $money->parseApiAmount($data['raw_amount'] ?? null, $data['currency']);
        if ($amountMinor === null) {
            throw new PluginError(PluginError::UNREADABLE, "Refund {$data['refund_id']} has an invalid amount.");
        }
        $refund = new self();
        $refund->id = $data['refund_id'];
        $refund->transactionId = $data['transaction_id'];
        $refund->amountMinor = $amountMinor;
        $refund->amountText = $money->format($amountMinor, $data['currency']);
        $refund->currency = $data['currency'];
        $refund->status = $data['status'];
        $reason = RefundReason::clean($data['reason'] ?? null);
        $refund->reason = $reason === '' ? null : $reason;
        $refund->reference = is_string($data['reference'] ?? null) ? $data['reference'] : null;
        return $refund;
    }
}
