<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
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
    public function of(Attempt $attempt): bool
    {
        if ($attempt->state === 'creating') {
            return $this->finishCreating($attempt);
        }
        $remote = $this->client($attempt)->getOrder((string) $attempt->tillgateOrderId);
        if ($remote['status'] === 'PENDING') {
            $this->followOrder($attempt->id);
            return true;
        }
        $this->services->claims->withOrder($attempt->orderId, function (HeldClaim $held) use ($remote): void {
            (new ApplyFact($this->services))->applyAll($held, $remote);
        });
        return false;
    }

    /** The same, for a page on which a shopper waits: one short try. */
    public function quickly(Attempt $attempt): void
    {
        if ($attempt->state !== 'pending') {
            return;
        }
        $remote = $this->client($attempt)
            ->getOrder((string) $attempt->tillgateOrderId, 1, self::SHOPPER_TIMEOUT_SECONDS);
        if ($remote['status'] === 'PENDING') {
            return;
        }
        $this->services->claims->withOrder($attempt->orderId, function (HeldClaim $held) use ($remote): void {
            (new ApplyFact($this->services))->applyAll($held, $remote);
        }, self::SHOPPER_CLAIM_WAIT_MS);
    }

    /**
     * Looks at an order that changed in the shop: where it does not wait for its payment any more (cancelled, edited,
     * another method, paid otherwise, deleted) its Tillgate order is cancelled. Where that comes too late, the payment
     * wins.
     */
    public function followOrder(int $attemptId): void
    {
        $open = $this->services->attempts->byId($attemptId);
        if ($open === null || $open->state !== 'pending' || !$open->isCurrent) {
            return;
        }
        $reason = $this->whyCancel($open);
        if ($reason === null) {
            return;
        }
        $this->services->claims->withOrder($open->orderId, function (HeldClaim $held) use ($attemptId): void {
            $attempt = $this->services->attempts->byId($attemptId);
            if ($attempt === null || $attempt->state !== 'pending' || !$attempt->isCurrent) {
                return;
            }
            $reason = $this->whyCancel($attempt);
            if ($reason === null) {
                return;
            }
            (new CancelAttempt($this->services))->andTell($held, $attempt, $reason);
        });
    }

    private function whyCancel(Attempt $attempt): ?string
    {
        $order = Orders::find($attempt->orderId);
        $situation = $this->services->situation;
        $fact = Fact::storeChanged((string) $attempt->tillgateOrderId);
        $decision = $this->services->rules->decide(
            $order === null ? $situation->ofDeleted($fact, $attempt) : $situation->of($fact, $attempt, $order)
        );
        if ($decision->action !== 'cancel_attempt' || $decision->reason === null) {
            return null;
        }
        $fields = $order === null
            ? $situation->paymentFields($fact, $attempt)
            : $situation->noteFields($fact, $attempt, $order);
        return NoteText::of($decision->reason, $fields);
    }

    /** An attempt whose call was interrupted: the same call again finds what it made. */
    private function finishCreating(Attempt $attempt): bool
    {
        $isUnderWay = $this->services->claims->withOrder(
            $attempt->orderId,
            function (HeldClaim $held) use ($attempt): bool {
                $now = $this->services->attempts->byId($attempt->id);
                if ($now === null || $now->state !== 'creating') {
                    return $now !== null && $now->isOpen();
                }
                $held->keep();
                [, $remote] = (new CreateTillgateOrder($this->services))->for($now);
                (new ApplyFact($this->services))->applyAll($held, $remote);
                return $remote['status'] === 'PENDING';
            }
        );
        if ($isUnderWay) {
            // A change in the shop while there was no Tillgate order yet to cancel was passed over.
            $this->followOrder($attempt->id);
        }
        return $isUnderWay;
    }

    private function client(Attempt $attempt): \Tillgate\WooCommerce\Api\Client
    {
        return $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
    }
}
