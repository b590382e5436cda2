<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\WithServices;

/** Ends the payment of an order that is under way, as the shop's owner wants. The order stays, and can be paid again. */
final class EndPayment
{
    use WithServices;

    /** @return string the state of the payment now; `paid` where it came too late */
    public function of(int $orderId): string
    {
        return $this->services->claims->withOrder($orderId, function (HeldClaim $held) use ($orderId): string {
            $attempt = $this->services->attempts->current($orderId);
            if ($attempt === null || !$attempt->isOpen()) {
                return $attempt === null ? ReadPayment::NONE : $attempt->state;
            }
            $reason = NoteText::of($this->services->rules->reason('ended_by_owner'), []);
            (new CancelAttempt($this->services))->andTell($held, $this->made($held, $attempt), $reason);
            $after = $this->services->attempts->byId($attempt->id);
            return $after === null ? ReadPayment::NONE : $after->state;
        });
    }

    /** One whose call was interrupted may be there at Tillgate: the same call again finds it. */
    private function made(HeldClaim $held, Attempt $attempt): Attempt
    {
        if ($attempt->state !== 'creating') {
            return $attempt;
        }
        $held->keep();
        return (new CreateTillgateOrder($this->services))->for($attempt)[0];
    }
}
