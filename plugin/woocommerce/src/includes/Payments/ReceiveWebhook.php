<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Lock;
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
     * @throws PluginError NOT_FOUND for an order that is not this shop's; UNPROVED where the signature does not prove it; whatever
     *   else is thrown means "send it again"
     */
    public function run(string $body, array $signers, bool $isReplay = false): array
    {
        $payload = Json::decode($body);
        if (!is_array($payload) || !is_string($payload['event'] ?? null)) {
            throw new PluginError(PluginError::UNREADABLE, 'The body of the webhook is no event.');
        }
        $event = PaymentEvent::fromWebhook($payload, $this->services->money);
        if ($event === null) {
            return ['event' => $payload['event'], 'outcome' => self::IGNORED, 'status' => null];
        }
        $attempt = $this->services->attempts->byTillgateOrder($event->tillgateOrderId);
        if ($attempt === null) {
            throw new PluginError(PluginError::NOT_FOUND, "No order of this shop has {$event->tillgateOrderId}.");
        }
        $proof = SignerTrust::evaluate($signers, $attempt->mode, $attempt->clientId);
        if ($proof === SignerTrust::UNTRUSTED) {
            throw new PluginError(
                PluginError::UNVERIFIED,
                "A report of {$event->tillgateOrderId} was signed with the secret of another mode or client than the payment's."
            );
        }
        $eventId = (string) $payload['id'];
        if ($proof === SignerTrust::NEEDS_CONFIRMATION && ($isReplay || !$this->services->events->isProcessed($eventId))) {
            $event = (new ConfirmEvent($this->services))->run($event, $attempt);
        }
        $this->services->events->recordReceived($eventId, $event->type, $event->tillgateOrderId);
        $act = function (Lock $lock) use ($eventId, $event, $isReplay): string {
            if (!$isReplay && $this->services->events->isProcessed($eventId)) {
                return self::REPEATED;
            }
            $outcome = $this->apply($lock, $event, $isReplay);
            $this->services->events->markProcessed($eventId, $outcome);
            return $outcome;
        };
        $outcome = $this->services->locks->withOrderLock($attempt->orderId, $act, self::CLAIM_WAIT_MS);
        $order = Orders::find($attempt->orderId);
        return [
            'event' => $event->type,
            'outcome' => $outcome,
            'status' => $order === null ? null : $order->get_status(),
        ];
    }

    private function apply(Lock $lock, PaymentEvent $event, bool $isReplay): string
    {
        $outcome = (new ApplyPaymentEvent($this->services))->apply($lock, $event, false, $isReplay);
        if ($event->type === 'refund.failed' && $event->refund !== null) {
            $row = $this->services->refunds->byRefundId($event->refund->id);
            if ($row !== null) {
                $this->services->refunds->updateState($row->id, $event->refund->id, 'failed');
            }
        }
        return $outcome;
    }
}
