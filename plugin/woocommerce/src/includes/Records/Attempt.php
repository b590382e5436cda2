<?php

namespace Tillgate\WooCommerce\Records;

final class Attempt
{
    public int $id;

    public int $orderId;
    public bool $isCurrent;

    /** creating, pending, paid, expired, cancelled, refunded or refused. */
    public string $state;
    public string $mode;
    public string $clientId;

    /** @var array<string, mixed> Body of `POST /orders`, stored so that retries are identical. */
    public array $request;

    /** Minor units. */
    public int $amountMinor;
    public string $currency;

    /** Null until known. */
    public ?string $tillgateOrderId;
    public ?string $paymentUrl;

    public ?string $qrData;

    /** Unix time; 0 until known. */
    public int $expiresAt;
    public ?string $trxId;

    /** Set before the plugin requests cancellation, so that the resulting event is recognized as the plugin's own. */
    public ?string $cancelReason;
    public int $failedChecks;

    /** Unix time of the last check with the API. */
    public int $checkedAt;

    /** Whether the scheduled check has stopped checking the attempt. */
    public bool $isAbandoned;

    /** Total of the shop's refund records at the last comparison, in minor units; null if never compared. */
    public ?int $shopRefundedMinor;

    /** Total refunded by Tillgate at the last comparison, in minor units; null if never compared. */
    public ?int $tillgateRefundedMinor;

    public bool $isDifferenceAccepted;

    /** @param array<string, string|null> $row */
    public static function fromRow(array $row): self
    {
        $attempt = new self();
        $attempt->id = (int) $row['id'];
        $attempt->orderId = (int) $row['order_id'];
        $attempt->isCurrent = $row['current_order_id'] !== null;
        $attempt->state = (string) $row['state'];
        $attempt->mode = (string) $row['mode'];
        $attempt->clientId = (string) $row['client_id'];
        $attempt->request = (array) json_decode((string) $row['request'], true);
        $attempt->amountMinor = (int) $row['amount_minor'];
        $attempt->currency = (string) $row['currency'];
        $attempt->tillgateOrderId = $row['tillgate_order_id'];
        $attempt->paymentUrl = $row['payment_url'];
        $attempt->qrData = $row['qr_data'];
        $attempt->expiresAt = (int) $row['expires_at'];
        $attempt->trxId = $row['trx_id'];
        $attempt->cancelReason = $row['cancel_reason'];
        $attempt->failedChecks = (int) $row['failed_checks'];
        $attempt->checkedAt = (int) $row['checked_at'];
        $attempt->isAbandoned = $row['given_up_at'] !== null;
        $attempt->shopRefundedMinor = $row['shop_refunded_minor'] === null ? null : (int) $row['shop_refunded_minor'];
        $attempt->tillgateRefundedMinor = $row['paid_back_minor'] === null ? null : (int) $row['paid_back_minor'];
        $attempt->isDifferenceAccepted = $row['accepted_at'] !== null;
        return $attempt;
    }

    public function isOpen(): bool
    {
        return $this->state === 'creating' || $this->state === 'pending';
    }

    /** Returns whether the refund totals differ and the merchant has not marked the difference as correct. */
    public function hasDifference(): bool
    {
        return $this->shopRefundedMinor !== $this->tillgateRefundedMinor && !$this->isDifferenceAccepted;
    }
}
