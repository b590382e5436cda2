<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Cancels the Tillgate order of an attempt, for a reason of the shop's own. */
final class CancelAttempt
{
    use WithServices;

    /**
     * The reason is stored before the call, so that the event that follows is not taken for the shopper's wish.
     *
     * @param string $reason completes "was cancelled because …"
     * @return array<string, mixed> the order as it is now: CANCELLED, or what it already was; a PAID one is for the
     *   caller to act on
     */
    public function because(HeldClaim $held, Attempt $attempt, string $reason): array
    {
        $held->keep();
        $this->services->attempts->cancelling($attempt->id, $reason);
        $remote = $this->services->settings->clientOf($attempt->mode, $attempt->clientId)
            ->cancelOrder((string) $attempt->tillgateOrderId);
        if ($remote['status'] === 'CANCELLED') {
            $this->services->attempts->settled($attempt->id, 'cancelled', null);
        }
        if ($remote['status'] === 'EXPIRED') {
            $this->services->attempts->settled($attempt->id, 'expired', null);
        }
        $this->services->log->info(sprintf(
            'Order %d: asked Tillgate to cancel %s because %s; it is %s.',
            $attempt->orderId,
            $attempt->tillgateOrderId,
            $reason,
            $remote['status']
        ));
        return $remote;
    }

    /** The same, with a note on the order. Where it comes too late, the payment wins. */
    public function andTell(HeldClaim $held, Attempt $attempt, string $reason): void
    {
        $remote = $this->because($held, $attempt, $reason);
        if ($remote['status'] === 'CANCELLED' || $remote['status'] === 'EXPIRED') {
            $this->note($attempt, $reason);
            return;
        }
        (new ApplyFact($this->services))->applyAll($held, $remote);
    }

    /** The event that follows writes the same words, so they stand on the order once. */
    private function note(Attempt $attempt, string $reason): void
    {
        $order = Orders::find($attempt->orderId);
        if ($order === null) {
            return;
        }
        $decision = $this->services->rules->decide([
            'event' => 'pos.order.cancelled',
            'asked_by' => 'connector',
        ] + $this->services->situation->of(Fact::storeChanged((string) $attempt->tillgateOrderId), $attempt, $order));
        $fields = ['reason' => $reason] + $this->services->situation->noteFields(
            Fact::storeChanged((string) $attempt->tillgateOrderId),
            $attempt,
            $order
        );
        if ($decision->note !== null) {
            Orders::noteOnce($order, NoteText::of($decision->note, $fields));
        }
    }
}
