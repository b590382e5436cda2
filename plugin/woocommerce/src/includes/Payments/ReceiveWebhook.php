<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Credential;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Processes verified webhooks: each event once, and again if it is replayed. */
final class ReceiveWebhook
{
    use WithServices;

    /** Shorter than Tillgate's delivery timeout of 15 s. */
    private const LOCK_WAIT_MS = 6000;

    public const IGNORED = 'ignored';
    public const REPEATED = 'repeated';


    /**
     * @param Credential[] $signers  credentials that match the signature
     * @param bool         $isReplay process the event again, because the shop may have lost its effect
     * @return array{event: string, outcome: string, status: string|null} `status` of the order, after the effect is committed
     * @throws PluginError NOT_FOUND if the order belongs to no payment in this shop; UNVERIFIED if the webhook was signed with a secret of
     *   another mode or client ID, or if the API does not confirm the event; after any other exception, the event must be delivered again
     */
    public function run(string $body, array $signers, bool $isReplay = false): array
    {
        $payload = Json::decode($body);
        if (!is_array($payload) || !is_string($payload['event'] ?? null)) {
            throw new PluginError(PluginError::UNREADABLE, 'The webhook body is not an event.');
        }
        $event = PaymentEvent::fromWebhook($payload, $this->services->money);
        if ($event === null) {
            return ['event' => $payload['event'], 'outcome' => self::IGNORED, 'status' => null];
        }
        $attempt = $this->services->attempts->byTillgateOrder($event->tillgateOrderId);
        if ($attempt === null) {
            throw new PluginError(PluginError::NOT_FOUND, "No shop order found for Tillgate order {$event->tillgateOrderId}.");
        }
        $trust = SignerTrust::evaluate($signers, $attempt->mode, $attempt->clientId);
        if ($trust === SignerTrust::UNTRUSTED) {
            throw new PluginError(
                PluginError::UNVERIFIED,
                "The webhook for Tillgate order {$event->tillgateOrderId} was signed with a secret of another mode or client ID."
            );
        }
        $eventId = (string) $payload['id'];
        if ($trust === SignerTrust::NEEDS_CONFIRMATION && ($isReplay || !$this->services->events->isProcessed($eventId))) {
            $event = (new ConfirmEvent($this->services))->run($event, $attempt);
        }
        $this->services->events->recordReceived($eventId, $event->type, $event->tillgateOrderId);
        $process = function (Lock $lock) use ($eventId, $event, $isReplay): string {
            if (!$isReplay && $this->services->events->isProcessed($eventId)) {
                return self::REPEATED;
            }
            $outcome = $this->apply($lock, $event, $isReplay);
            $this->services->events->markProcessed($eventId, $outcome);
            return $outcome;
        };
        $outcome = $this->services->locks->withOrderLock($attempt->orderId, $process, self::LOCK_WAIT_MS);
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
