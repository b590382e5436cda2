<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Brings what Tillgate says of a payment into the shop again, as if all its reports came again. What is there already stays. */
final class ReplayPayment
{
    use WithServices;

    /** @return string the state of the payment now */
    public function run(Attempt $attempt): string
    {
        if ($attempt->state === 'creating') {
            (new CheckAttempt($this->services))->run($attempt);
        } elseif ($attempt->tillgateOrderId !== null) {
            $remote = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->getOrder($attempt->tillgateOrderId);
            $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($remote): void {
                (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote, false, true);
            });
        }
        $after = $this->services->attempts->byId($attempt->id) ?? $attempt;
        if ($after->trxId !== null) {
            (new CompareRefunds($this->services))->run($after);
        }
        return $after->state;
    }
}
