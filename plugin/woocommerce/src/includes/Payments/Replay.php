<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\WithServices;

/** Brings what Tillgate says of a payment into the shop again, as if all its reports came again. What is there already stays. */
final class Replay
{
    use WithServices;

    /** @return string the state of the payment now */
    public function of(Attempt $attempt): string
    {
        if ($attempt->state === 'creating') {
            (new CheckAttempt($this->services))->of($attempt);
        } elseif ($attempt->tillgateOrderId !== null) {
            $remote = $this->services->settings->clientOf($attempt->mode, $attempt->clientId)->getOrder($attempt->tillgateOrderId);
            $this->services->claims->withOrder($attempt->orderId, function (HeldClaim $held) use ($remote): void {
                (new ApplyFact($this->services))->applyAll($held, $remote, false, true);
            });
        }
        $after = $this->services->attempts->byId($attempt->id) ?? $attempt;
        if ($after->trxId !== null) {
            (new CompareRefunds($this->services))->of($after);
        }
        return $after->state;
    }
}
