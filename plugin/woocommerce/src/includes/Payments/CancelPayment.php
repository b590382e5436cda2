<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Ends the payment of an order that is under way, as the shop's owner wants. The order stays, and can be paid again. */
final class CancelPayment
{
    use WithServices;

    /** @return string the state of the payment now; `paid` where it came too late */
    public function run(int $orderId): string
    {
        return $this->services->locks->withOrderLock($orderId, function (Lock $lock) use ($orderId): string {
            $attempt = $this->services->attempts->current($orderId);
            if ($attempt === null || !$attempt->isOpen()) {
                return $attempt === null ? PaymentStatus::NONE : $attempt->state;
            }
            $reason = NoteText::render($this->services->rules->reason('ended_by_owner'), []);
            (new CancelAttempt($this->services))->runWithNote($lock, $this->ensureCreated($lock, $attempt), $reason);
            $after = $this->services->attempts->byId($attempt->id);
            return $after === null ? PaymentStatus::NONE : $after->state;
        });
    }

    /** One whose call was interrupted may be there at Tillgate: the same call again finds it. */
    private function ensureCreated(Lock $lock, Attempt $attempt): Attempt
    {
        if ($attempt->state !== 'creating') {
            return $attempt;
        }
        $lock->renew();
        return (new CreateTillgateOrder($this->services))->run($attempt)[0];
    }
}
