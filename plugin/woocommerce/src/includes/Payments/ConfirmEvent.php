<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Confirms an event with the API before it is applied. The API's data then replaces the data of the event. */
final class ConfirmEvent
{
    use WithServices;

    private const UNAUTHORIZED = [401, 403];
    private const NOT_FOUND = 404;

    /** @throws PluginError UNVERIFIED if the API does not confirm the event; after any other exception, the event must be delivered again */
    public function run(PaymentEvent $event, Attempt $attempt): PaymentEvent
    {
        $confirmed = $event->refund === null ? $this->confirmOrder($event, $attempt) : $this->confirmRefund($event, $attempt);
        if ($confirmed === null) {
            throw new PluginError(
                PluginError::UNVERIFIED,
                "The event {$event->type} for order {$event->tillgateOrderId} was signed with a retired secret, and Tillgate did not confirm it."
            );
        }
        return $confirmed;
    }

    private function confirmOrder(PaymentEvent $event, Attempt $attempt): ?PaymentEvent
    {
        $remote = $this->fetch($attempt, static function (Client $client) use ($attempt): array {
            return $client->getOrder((string) $attempt->tillgateOrderId, 1);
        });
        foreach ($remote === null ? [] : PaymentEvent::deriveFromOrder($remote, $this->services->money) as $confirmed) {
            if ($confirmed->type === $event->type && $confirmed->tillgateOrderId === $event->tillgateOrderId) {
                return $confirmed;
            }
        }
        return null;
    }

    private function confirmRefund(PaymentEvent $event, Attempt $attempt): ?PaymentEvent
    {
        $refundId = $event->refund->id;
        $remote = $this->fetch($attempt, static function (Client $client) use ($refundId): array {
            return $client->getRefund($refundId);
        });
        if ($remote === null) {
            return null;
        }
        $refund = RemoteRefund::fromApi($remote, $this->services->money);
        $isSame = $refund->id === $refundId
            && $event->type === 'refund.' . $refund->status
            && $refund->transactionId === $event->trxId
            && ($attempt->trxId === null || $attempt->trxId === $refund->transactionId);
        return $isSame ? $event->withRefund($refund) : null;
    }

    /**
     * @param callable(Client): array<string, mixed> $call
     * @return array<string, mixed>|null null if Tillgate doesn't know the order or refund
     */
    private function fetch(Attempt $attempt, callable $call): ?array
    {
        $clients = $this->services->settings->clientsFor($attempt->mode, $attempt->clientId);
        foreach ($clients as $index => $client) {
            try {
                return $call($client);
            } catch (ApiError $error) {
                if ($error->status === self::NOT_FOUND) {
                    return null;
                }
                $isUnauthorized = in_array($error->status, self::UNAUTHORIZED, true);
                if (!$isUnauthorized || $index === count($clients) - 1) {
                    throw $error;
                }
            }
        }
        return null;
    }
}
