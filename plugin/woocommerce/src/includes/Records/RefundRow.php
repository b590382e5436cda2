<?php

namespace Tillgate\WooCommerce\Records;

/** One refund, asked for in the shop or made at Tillgate. */
final class RefundRow
{
    /** @var int */
    public $id;

    /** @var int */
    public $orderId;

    /** @var string|null Only where it was asked for in the shop. */
    public $idempotencyKey;

    /** @var string|null Only where it was asked for in the shop. */
    public $reference;

    /** @var string|null Null while Tillgate's answer is not known. */
    public $refundId;

    /** @var string */
    public $trxId;

    /** @var int Minor units. */
    public $amountMinor;

    /** @var string */
    public $currency;

    /** @var string|null */
    public $reason;

    /** @var string asked, unknown, pending, completed or failed. */
    public $state;

    /** @var int|null The shop's own record. */
    public $shopRefundId;

    /** @var bool The shop's record is there, or known not to have room. */
    public $isRecorded;

    /** @var int Seconds since the call was begun. */
    public $ageSeconds;

    /** @var int */
    public $failedChecks;

    /** @param array<string, string|null> $row */
    public static function fromRow(array $row): self
    {
        $refund = new self();
        $refund->id = (int) $row['id'];
        $refund->orderId = (int) $row['order_id'];
        $refund->idempotencyKey = $row['idempotency_key'];
        $refund->reference = $row['reference'];
        $refund->refundId = $row['refund_id'];
        $refund->trxId = (string) $row['trx_id'];
        $refund->amountMinor = (int) $row['amount_minor'];
        $refund->currency = (string) $row['currency'];
        $refund->reason = $row['reason'];
        $refund->state = (string) $row['state'];
        $refund->shopRefundId = $row['shop_refund_id'] === null ? null : (int) $row['shop_refund_id'];
        $refund->isRecorded = $row['recorded_at'] !== null;
        $refund->ageSeconds = (int) $row['age_seconds'];
        $refund->failedChecks = (int) $row['failed_checks'];
        return $refund;
    }
}
