<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

final class CheckAttempt
{
    use WithServices;

    /** Keeps customer pages responsive; on timeout they show "Checking your payment". */
    private const PAGE_TIMEOUT_SECONDS = 5;
    private const PAGE_LOCK_WAIT_MS = 2000;

    /** Applies the attempt's state from the API, or cancels an unneeded attempt. @return bool whether the attempt may still be open */
    public function run(Attempt $attempt): bool
    {
        if ($attempt->state === 'creating') {
            return $this->finishCreating($attempt);
        }
        $remote = $this->client($attempt)->getOrder((string) $attempt->tillgateOrderId);
        if ($remote['status'] === 'PENDING') {
            $this->cancelIfStale($attempt->id);
            return true;
        }
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($remote): void {
            (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
        });
        return false;
    }

    /** Checks a pending attempt while a customer waits for a page, with one try and a short timeout. Unlike {@see run()}, cancels nothing. */
    public function runForPage(Attempt $attempt): void
    {
        if ($attempt->state !== 'pending') {
            return;
        }
        $remote = $this->client($attempt)
            ->getOrder((string) $attempt->tillgateOrderId, 1, self::PAGE_TIMEOUT_SECONDS);
        if ($remote['status'] === 'PENDING') {
            return;
        }
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($remote): void {
            (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
        }, self::PAGE_LOCK_WAIT_MS);
    }

    /** Cancels a current, pending attempt that the order no longer needs. If the customer paid in the meantime, applies the payment instead. */
    public function cancelIfStale(int $attemptId): void
    {
        $open = $this->services->attempts->byId($attemptId);
        if ($open === null || $open->state !== 'pending' || !$open->isCurrent) {
            return;
        }
        $reason = $this->cancelReason($open);
        if ($reason === null) {
            return;
        }
        $this->services->locks->withOrderLock($open->orderId, function (Lock $lock) use ($attemptId): void {
            $attempt = $this->services->attempts->byId($attemptId);
            if ($attempt === null || $attempt->state !== 'pending' || !$attempt->isCurrent) {
                return;
            }
            $reason = $this->cancelReason($attempt);
            if ($reason === null) {
                return;
            }
            (new CancelAttempt($this->services))->runWithNote($lock, $attempt, $reason);
        });
    }

    private function cancelReason(Attempt $attempt): ?string
    {
        $order = Orders::find($attempt->orderId);
        $context = $this->services->ruleContext;
        $event = PaymentEvent::storeChanged((string) $attempt->tillgateOrderId);
        $decision = $this->services->rules->decide(
            $order === null ? $context->forDeletedOrder($event, $attempt) : $context->forOrder($event, $attempt, $order)
        );
        if ($decision->action !== 'cancel_attempt' || $decision->reason === null) {
            return null;
        }
        $fields = $order === null
            ? $context->paymentFields($event, $attempt)
            : $context->noteFields($event, $attempt, $order);
        return NoteText::render($decision->reason, $fields);
    }

    /**
     * Repeats an interrupted `POST /orders`, and applies the order's state. The idempotency key makes Tillgate return the order that an earlier
     * request created, if any.
     * @return bool whether the attempt may still be open
     */
    private function finishCreating(Attempt $attempt): bool
    {
        $isOpen = $this->services->locks->withOrderLock(
            $attempt->orderId,
            function (Lock $lock) use ($attempt): bool {
                $latest = $this->services->attempts->byId($attempt->id);
                if ($latest === null || $latest->state !== 'creating') {
                    return $latest !== null && $latest->isOpen();
                }
                $lock->renew();
                [, $remote] = (new CreateTillgateOrder($this->services))->run($latest);
                (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
                return $remote['status'] === 'PENDING';
            }
        );
        if ($isOpen) {
            // Order changes during creation were ignored, because there was no Tillgate order to cancel yet.
            $this->cancelIfStale($attempt->id);
        }
        return $isOpen;
    }

    private function client(Attempt $attempt): \Tillgate\WooCommerce\Api\Client
    {
        return $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
    }
}
