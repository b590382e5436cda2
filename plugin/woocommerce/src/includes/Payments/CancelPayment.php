<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Cancels an order's open payment at the merchant's request. Unless the customer paid in the meantime, the order can be paid again. */
final class CancelPayment
{
    use WithServices;

    /** @return string state of the payment; `none` if the order has no payment; `paid` or `refunded` if the customer paid in the meantime */
    public function run(int $orderId): string
    {
        return $this->services->locks->withOrderLock($orderId, function (Lock $lock) use ($orderId): string {
            $attempt = $this->services->attempts->current($orderId);
            if ($attempt === null || !$attempt->isOpen()) {
                return $attempt === null ? PaymentStatus::NONE : $attempt->state;
            }
            $reason = NoteText::render($this->services->rules->reason('cancelled_by_owner'), []);
            (new CancelAttempt($this->services))->runWithNote($lock, $this->ensureCreated($lock, $attempt), $reason);
            $updated = $this->services->attempts->byId($attempt->id);
            return $updated === null ? PaymentStatus::NONE : $updated->state;
        });
    }

    /** Repeats an interrupted `POST /orders` to find out which Tillgate order to cancel. */
    private function ensureCreated(Lock $lock, Attempt $attempt): Attempt
    {
        if ($attempt->state !== 'creating') {
            return $attempt;
        }
        $lock->renew();
        return (new CreateTillgateOrder($this->services))->run($attempt)[0];
    }
}
