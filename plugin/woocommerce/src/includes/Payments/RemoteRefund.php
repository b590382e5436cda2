<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** A refund as Tillgate reports it, by an event or an answer. */
final class RemoteRefund
{
    /** @var string */
    public $id;

    /** @var string */
    public $transactionId;

    /** @var int Minor units. */
    public $amountMinor;

    /** @var string As Tillgate writes it, `5.00 EUR`. */
    public $amountText;

    /** @var string */
    public $currency;

    /** @var string pending, completed or failed. */
    public $status;

    /** @var string|null */
    public $reason;

    /** @var string|null What the shop gave it, where the shop made it. */
    public $reference;

    /** @var int When it was made, seconds since 1970; 0 where that is not told. */
    public $createdAt;

    /**
     * @param array<string, mixed> $data the ten refund keys
     * @throws PluginError UNREADABLE
     */
    public static function fromApi(array $data, Money $money): self
    {
        foreach (['refund_id', 'transaction_id', 'currency', 'status'] as $name) {
            if (!is_string($data[$name] ?? null) || $data[$name] === '') {
                throw new PluginError(PluginError::UNREADABLE, "A refund without $name.");
            }
        }
        // Ids grow with use, up to what the records hold.
        if (preg_match('/^RF-\d{8}-[0-9A-Z]{6,28}$/D', $data['refund_id']) !== 1) {
            throw new PluginError(PluginError::UNREADABLE, 'A refund whose number is none.');
        }
        $amountMinor = $money->parseApiAmount($data['raw_amount'] ?? null, $data['currency']);
        if ($amountMinor === null) {
            throw new PluginError(PluginError::UNREADABLE, "Refund {$data['refund_id']} is over no amount of its currency.");
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
        $refund->createdAt = (int) strtotime((string) ($data['created_at'] ?? ''));
        return $refund;
    }
}
