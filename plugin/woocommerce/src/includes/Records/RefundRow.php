<?php

namespace Tillgate\WooCommerce\Records;

/** A refund requested in the shop or made in Tillgate. */
final class RefundRow
{
    public int $id;
    public int $orderId;

    /** Null for a refund made in Tillgate. */
    public ?string $idempotencyKey;

    /** Null for a refund made in Tillgate. */
    public ?string $reference;

    /** Null until Tillgate has responded. */
    public ?string $refundId;
    public string $trxId;

    /** Minor units. */
    public int $amountMinor;
    public string $currency;
    public ?string $reason;

    /** asked, unknown, pending, completed, failed or, on a copy of the shop, refused. */
    public string $state;

    public ?int $shopRefundId;

    /** Whether the WooCommerce refund exists, or the refund is known to exceed the order's remaining amount. */
    public bool $isRecorded;

    /** Seconds since the request was last sent, or since a refund made in Tillgate was stored. */
    public int $ageSeconds;
    public int $failedChecks;

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
