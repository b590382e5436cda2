<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

final class CancelAttempt
{
    use WithServices;

    /**
     * Stores the reason, and cancels the Tillgate order. The reason is stored before the cancellation, so that the resulting event is not
     * attributed to the customer. If the order is then cancelled or expired, the attempt gets the same state.
     * @param string $reason completes "was cancelled because …"
     * @return array<string, mixed> the current Tillgate order; the caller has to handle a paid or refunded order
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
            'Order %d: requested cancellation of Tillgate order %s because %s; the Tillgate order’s status is %s.',
            $attempt->orderId,
            $attempt->tillgateOrderId,
            $reason,
            $remote['status']
        ));
        return $remote;
    }

    /** Cancels the Tillgate order and adds an order note. If the customer paid in the meantime, applies the payment instead. */
    public function runWithNote(Lock $lock, Attempt $attempt, string $reason): void
    {
        $remote = $this->run($lock, $attempt, $reason);
        if ($remote['status'] === 'CANCELLED' || $remote['status'] === 'EXPIRED') {
            $this->addNote($attempt, $reason);
            return;
        }
        (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
    }

    /** Adds the order note with the same wording as the resulting event's note, so that the event doesn't add a second note. */
    private function addNote(Attempt $attempt, string $reason): void
    {
        $order = Orders::find($attempt->orderId);
        if ($order === null) {
            return;
        }
        $decision = $this->services->rules->decide([
            'event' => 'pos.order.cancelled',
            'cancelled_by' => 'connector',
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
