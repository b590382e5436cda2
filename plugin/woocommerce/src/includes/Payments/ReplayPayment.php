<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Applies a payment's current state in Tillgate again, as if all its webhooks were delivered again. This is idempotent. */
final class ReplayPayment
{
    use WithServices;

    /** Replays the payment and, if it is paid, compares its refunds. @return string state of the payment afterwards */
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
        $updated = $this->services->attempts->byId($attempt->id) ?? $attempt;
        if ($updated->trxId !== null) {
            (new CompareRefunds($this->services))->run($updated);
        }
        return $updated->state;
    }
}
