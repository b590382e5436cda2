<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Shop\Credential;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Takes a delivery that was verified: finds its order, and has the event act once. */
final class ReceiveWebhook
{
    use WithServices;

    /** Under the 15 s that Tillgate waits. */
    private const CLAIM_WAIT_MS = 6000;

    public const IGNORED = 'ignored';
    public const REPEATED = 'repeated';


    /**
     * @param string       $body    the body's bytes, untouched
     * @param Credential[] $signers those whose secret signed it
     * @param bool         $isReplay it is sent again because the shop may have lost what the event did: it is decided again
     * @return array{event: string, outcome: string, status: string|null} its effect is durable in the shop now, and how
     *   its order stands
     * @throws Problem NOT_FOUND for an order that is not this shop's; UNPROVED where the signature does not prove it; whatever
     *   else is thrown means "send it again"
     */
    public function of(string $body, array $signers, bool $isReplay = false): array
    {
        $event = Json::decode($body);
        if (!is_array($event) || !is_string($event['event'] ?? null)) {
            throw new Problem(Problem::UNREADABLE, 'The body of the webhook is no event.');
        }
        $fact = Fact::ofEvent($event, $this->services->money);
        if ($fact === null) {
            return ['event' => $event['event'], 'outcome' => self::IGNORED, 'status' => null];
        }
        $attempt = $this->services->attempts->byTillgateOrder($fact->tillgateOrderId);
        if ($attempt === null) {
            throw new Problem(Problem::NOT_FOUND, "No order of this shop has {$fact->tillgateOrderId}.");
        }
        $proof = Proof::of($signers, $attempt->mode, $attempt->clientId);
        if ($proof === Proof::REFUSE) {
            throw new Problem(
                Problem::UNPROVED,
                "A report of {$fact->tillgateOrderId} was signed with the secret of another mode or client than the payment's."
            );
        }
        $eventId = (string) $event['id'];
        if ($proof === Proof::CONFIRM && ($isReplay || !$this->services->events->isDone($eventId))) {
            $fact = (new ConfirmFact($this->services))->of($fact, $attempt);
        }
        $this->services->events->receive($eventId, $fact->event, $fact->tillgateOrderId);
        $act = function (HeldClaim $held) use ($eventId, $fact, $isReplay): string {
            if (!$isReplay && $this->services->events->isDone($eventId)) {
                return self::REPEATED;
            }
            $outcome = $this->act($held, $fact, $isReplay);
            $this->services->events->done($eventId, $outcome);
            return $outcome;
        };
        $outcome = $this->services->claims->withOrder($attempt->orderId, $act, self::CLAIM_WAIT_MS);
        $order = Orders::find($attempt->orderId);
        return [
            'event' => $fact->event,
            'outcome' => $outcome,
            'status' => $order === null ? null : $order->get_status(),
        ];
    }

    private function act(HeldClaim $held, Fact $fact, bool $isReplay): string
    {
        $outcome = (new ApplyFact($this->services))->apply($held, $fact, false, $isReplay);
        if ($fact->event === 'refund.failed' && $fact->refund !== null) {
            $row = $this->services->refunds->byRefundId($fact->refund->id);
            if ($row !== null) {
                $this->services->refunds->answered($row->id, $fact->refund->id, 'failed');
            }
        }
        return $outcome;
    }
}
