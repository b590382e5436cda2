<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Asks the API about an attempt under way and brings its state into the shop, as a lost webhook would have done. */
final class CheckAttempt
{
    use WithServices;

    /** How long a shopper's page waits for Tillgate; after that it says "checking". */
    private const SHOPPER_TIMEOUT_SECONDS = 5;
    private const SHOPPER_CLAIM_WAIT_MS = 2000;

    /** @return bool whether it may still be under way */
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

    /** The same, for a page on which a shopper waits: one short try. */
    public function runForPage(Attempt $attempt): void
    {
        if ($attempt->state !== 'pending') {
            return;
        }
        $remote = $this->client($attempt)
            ->getOrder((string) $attempt->tillgateOrderId, 1, self::SHOPPER_TIMEOUT_SECONDS);
        if ($remote['status'] === 'PENDING') {
            return;
        }
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($remote): void {
            (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
        }, self::SHOPPER_CLAIM_WAIT_MS);
    }

    /**
     * Looks at an order that changed in the shop: where it does not wait for its payment any more (cancelled, edited,
     * another method, paid otherwise, deleted) its Tillgate order is cancelled. Where that comes too late, the payment
     * wins.
     */
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

    /** An attempt whose call was interrupted: the same call again finds what it made. */
    private function finishCreating(Attempt $attempt): bool
    {
        $isUnderWay = $this->services->locks->withOrderLock(
            $attempt->orderId,
            function (Lock $lock) use ($attempt): bool {
                $now = $this->services->attempts->byId($attempt->id);
                if ($now === null || $now->state !== 'creating') {
                    return $now !== null && $now->isOpen();
                }
                $lock->renew();
                [, $remote] = (new CreateTillgateOrder($this->services))->run($now);
                (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote);
                return $remote['status'] === 'PENDING';
            }
        );
        if ($isUnderWay) {
            // A change in the shop while there was no Tillgate order yet to cancel was passed over.
            $this->cancelIfStale($attempt->id);
        }
        return $isUnderWay;
    }

    private function client(Attempt $attempt): \Tillgate\WooCommerce\Api\Client
    {
        return $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
    }
}
