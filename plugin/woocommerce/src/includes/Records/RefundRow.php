<?php

namespace Tillgate\WooCommerce\Records;

/** A refund requested in the shop or made in Tillgate. */
final class RefundRow
{
    /** @var int */
    public $id;

    /** @var int */
    public $orderId;

    /** @var string|null Only if requested in the shop. */
    public $idempotencyKey;

    /** @var string|null Only if requested in the shop. */
    public $reference;

    /** @var string|null Null until Tillgate has responded. */
    public $refundId;

    /** @var string */
    public $trxId;

    /** @var int Minor units. */
    public $amountMinor;

    /** @var string */
    public $currency;

    /** @var string|null */
    public $reason;

    /** @var string asked, unknown, pending, completed, failed or, on a copy of the shop, refused. */
    public $state;

    /** @var int|null ID of the WooCommerce refund. */
    public $shopRefundId;

    /** @var bool Whether the WooCommerce refund exists, or the refund is known to exceed what's left of the order. */
    public $isRecorded;

    /** @var int Seconds since the request was last sent, or since a refund made in Tillgate was stored. */
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
