<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

/** The status shown to customers, which never reports failure while the outcome is unknown. */
final class PaymentStatus
{
    use WithServices;

    public const PAID = 'paid';
    public const PENDING = 'pending';
    public const EXPIRED = 'expired';
    public const CANCELLED = 'cancelled';
    /** Tillgate is unreachable or the order is being updated; poll again. */
    public const CHECKING = 'checking';
    public const REFUNDED = 'refunded';
    /** No payment was started, or Tillgate rejected it. */
    public const NONE = 'none';

    /** Limits API requests of polling pages. */
    private const MIN_CHECK_INTERVAL_SECONDS = 3;

    /** Checks a pending payment with the API, at most every 3 seconds, and applies the result. */
    public function refresh(int $orderId): string
    {
        $attempt = $this->services->attempts->current($orderId);
        if ($attempt === null || $attempt->state === 'refused') {
            return self::NONE;
        }
        if ($attempt->state === 'creating') {
            return self::CHECKING;
        }
        if ($attempt->state !== 'pending') {
            return self::forAttempt($attempt);
        }
        if (!$this->services->attempts->startCheck($attempt->id, self::MIN_CHECK_INTERVAL_SECONDS)) {
            return $attempt->expiresAt > time() ? self::PENDING : self::CHECKING;
        }
        try {
            (new CheckAttempt($this->services))->runForPage($attempt);
        } catch (\Throwable $error) {
            // The page polls again, and the webhook or the scheduled check will apply the outcome.
            $this->services->log->warning("Order $orderId: payment status check failed: {$error->getMessage()}");
            return self::CHECKING;
        }
        $updated = $this->services->attempts->byId($attempt->id);
        if ($updated === null) {
            return self::CHECKING;
        }
        return $updated->state === 'pending' ? self::PENDING : self::forAttempt($updated);
    }

    /** Returns the status of an attempt in a final state, without an API request. */
    public static function forAttempt(Attempt $attempt): string
    {
        // After the plugin cancelled a payment, the order can be paid again, as after expiry.
        return self::wasCancelledByShop($attempt) ? self::EXPIRED : $attempt->state;
    }

    public static function expiredMessage(?Attempt $attempt): string
    {
        return $attempt !== null && self::wasCancelledByShop($attempt)
            ? __('The shop cancelled this payment and you haven’t been charged. You can still pay.', 'tillgate-for-woocommerce')
            : __('This payment has expired and you haven’t been charged. You can still pay.', 'tillgate-for-woocommerce');
    }

    private static function wasCancelledByShop(Attempt $attempt): bool
    {
        return $attempt->state === 'cancelled' && $attempt->cancelReason !== null;
    }
}
