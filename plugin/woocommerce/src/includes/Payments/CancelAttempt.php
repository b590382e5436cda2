<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
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
    public function run(Lock $lock, Attempt $attempt, string $reason): array
    {
        $lock->renew();
        $this->services->attempts->setCancelReason($attempt->id, $reason);
        $remote = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)
            ->cancelOrder((string) $attempt->tillgateOrderId);
        if ($remote['status'] === 'CANCELLED') {
            $this->services->attempts->complete($attempt->id, 'cancelled', null);
        }
        if ($remote['status'] === 'EXPIRED') {
            $this->services->attempts->complete($attempt->id, 'expired', null);
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
    public function runWithNote(Lock $lock, Attempt $attempt, string $reason): void
    {
        $remote = $this->run($lock, $attempt, $reason);
        if ($remote['status'] === 'CANCELLED' || $remote['status'] === 'EXPIRED') {
            $this->addNote($attempt, $reason);
            return;
        }
        (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
    }

    /** The event that follows writes the same words, so they stand on the order once. */
    private function addNote(Attempt $attempt, string $reason): void
    {
        $order = Orders::find($attempt->orderId);
        if ($order === null) {
            return;
        }
        $decision = $this->services->rules->decide([
            'event' => 'pos.order.cancelled',
            'asked_by' => 'connector',
        ] + $this->services->ruleContext->forOrder(PaymentEvent::storeChanged((string) $attempt->tillgateOrderId), $attempt, $order));
        $fields = ['reason' => $reason] + $this->services->ruleContext->noteFields(
            PaymentEvent::storeChanged((string) $attempt->tillgateOrderId),
            $attempt,
            $order
        );
        if ($decision->note !== null) {
            Orders::addNoteOnce($order, NoteText::render($decision->note, $fields));
        }
    }
}
