<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Asks Tillgate to confirm a report before the report has an effect. Then Tillgate's answer takes effect. */
final class ConfirmFact
{
    use WithServices;

    private const UNAUTHORIZED = [401, 403];
    private const NOT_FOUND = 404;

    /**
     * @throws Problem UNPROVED where Tillgate does not say so; what else is thrown means "not known, send it again"
     */
    public function of(Fact $fact, Attempt $attempt): Fact
    {
        $confirmed = $fact->refund === null ? $this->order($fact, $attempt) : $this->refund($fact, $attempt);
        if ($confirmed === null) {
            throw new Problem(
                Problem::UNPROVED,
                "A report of {$fact->tillgateOrderId} was signed with a retired secret, and Tillgate does not confirm {$fact->event}."
            );
        }
        return $confirmed;
    }

    private function order(Fact $fact, Attempt $attempt): ?Fact
    {
        $remote = $this->ask($attempt, static function (Client $client) use ($attempt): array {
            return $client->getOrder((string) $attempt->tillgateOrderId, 1);
        });
        foreach ($remote === null ? [] : Fact::ofOrder($remote, $this->services->money) as $said) {
            if ($said->event === $fact->event && $said->tillgateOrderId === $fact->tillgateOrderId) {
                return $said;
            }
        }
        return null;
    }

    private function refund(Fact $fact, Attempt $attempt): ?Fact
    {
        $refundId = $fact->refund->id;
        $remote = $this->ask($attempt, static function (Client $client) use ($refundId): array {
            return $client->getRefund($refundId);
        });
        if ($remote === null) {
            return null;
        }
        $refund = RemoteRefund::of($remote, $this->services->money);
        $isSame = $refund->id === $refundId
            && $fact->event === 'refund.' . $refund->status
            && $refund->transactionId === $fact->trxId
            && ($attempt->trxId === null || $attempt->trxId === $refund->transactionId);
        return $isSame ? $fact->withRefund($refund) : null;
    }

    /**
     * @param callable(Client): array<string, mixed> $call
     * @return array<string, mixed>|null null where Tillgate knows nothing of it
     */
    private function ask(Attempt $attempt, callable $call): ?array
    {
        $clients = $this->services->settings->clientsOf($attempt->mode, $attempt->clientId);
        foreach ($clients as $index => $client) {
            try {
                return $call($client);
            } catch (ApiError $error) {
                if ($error->status === self::NOT_FOUND) {
                    return null;
                }
                $isRefused = in_array($error->status, self::UNAUTHORIZED, true);
                if (!$isRefused || $index === count($clients) - 1) {
                    throw $error;
                }
            }
        }
        return null;
    }
}
