<?php

namespace Tillgate\WooCommerce\Records;

/** One try to have an order paid. */
final class Attempt
{
    /** @var int */
    public $id;

    /** @var int The shop's order. */
    public $orderId;

    /** @var bool */
    public $isCurrent;

    /** @var string creating, pending, paid, expired, cancelled, refunded or refused. */
    public $state;

    /** @var string */
    public $mode;

    /** @var string */
    public $clientId;

    /** @var array<string, mixed> What is sent to `POST /orders`, kept so that a repeat is the same call. */
    public $request;

    /** @var int Minor units. */
    public $amountMinor;

    /** @var string */
    public $currency;

    /** @var string|null Null while it is not known. */
    public $tillgateOrderId;

    /** @var string|null */
    public $paymentUrl;

    /** @var string|null What the QR encodes. */
    public $qrData;

    /** @var int Seconds since 1970; 0 while it is not known. */
    public $expiresAt;

    /** @var string|null */
    public $trxId;

    /** @var string|null Set before this plugin asks Tillgate to cancel, so that the event that follows is known as its own doing. */
    public $cancelReason;

    /** @var int */
    public $failedChecks;

    /** @var int When the API was asked last, seconds since 1970. */
    public $checkedAt;

    /** @var bool The sweep does not check it any more. */
    public $isAbandoned;

    /** @var int|null What the shop's refund records come to, in minor units; null where it was not compared. */
    public $shopRefundedMinor;

    /** @var int|null What Tillgate paid back of the payment by the same comparison, in minor units. */
    public $tillgateRefundedMinor;

    /** @var bool The owner says that the difference is right. */
    public $isDifferenceAccepted;

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

    /** Whether it may still be paid as far as the shop knows. */
    public function isOpen(): bool
    {
        return $this->state === 'creating' || $this->state === 'pending';
    }

    /** Whether the shop's refunds and Tillgate's differ, and nobody said that this is right. */
    public function hasDifference(): bool
    {
        return $this->shopRefundedMinor !== $this->tillgateRefundedMinor && !$this->isDifferenceAccepted;
    }
}
