<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

/** The state of an order's payment, for the shopper's screen: never "failed" while it is not known. */
final class PaymentStatus
{
    use WithServices;

    public const PAID = 'paid';
    public const PENDING = 'pending';
    public const EXPIRED = 'expired';
    public const CANCELLED = 'cancelled';
    /** Tillgate cannot be asked, or the shop is being updated; ask again. */
    public const CHECKING = 'checking';
    public const REFUNDED = 'refunded';
    /** No payment of this order was begun. */
    public const NONE = 'none';

    /** Pages that poll do not make the shop ask Tillgate more often than this. */
    private const MIN_CHECK_INTERVAL_SECONDS = 3;

    /** Asks the API where the shop knows no end yet, and brings what it says into the shop first. */
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
            // The webhook and the sweep go on; the screen asks again.
            $this->services->log->warning("Order $orderId: the payment's status is not known yet: {$error->getMessage()}");
            return self::CHECKING;
        }
        $after = $this->services->attempts->byId($attempt->id);
        if ($after === null) {
            return self::CHECKING;
        }
        return $after->state === 'pending' ? self::PENDING : self::forAttempt($after);
    }

    /** What a settled attempt looks like to the shopper, without asking anybody. */
    public static function forAttempt(Attempt $attempt): string
    {
        // An order that this plugin cancelled itself, because it was edited, can be paid again.
        return self::wasCancelledByShop($attempt) ? self::EXPIRED : $attempt->state;
    }

    /** Why nothing was paid, for the shopper of a payment that is `EXPIRED`. */
    public static function expiredMessage(?Attempt $attempt): string
    {
        return $attempt !== null && self::wasCancelledByShop($attempt)
            ? __('The shop cancelled this payment and you haven’t been charged. You can pay again.', 'tillgate-for-woocommerce')
            : __('This payment has expired and you haven’t been charged. You can pay again.', 'tillgate-for-woocommerce');
    }

    private static function wasCancelledByShop(Attempt $attempt): bool
    {
        return $attempt->state === 'cancelled' && $attempt->cancelReason !== null;
    }
}
