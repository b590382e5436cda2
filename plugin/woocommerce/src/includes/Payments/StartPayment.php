<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * Starts the payment of an order, or finds the one that is under way: the same order with the same total has the same
 * Tillgate order for as long as that is payable.
 */
final class StartPayment
{
    use WithServices;

    /** An attempt found, settled and replaced takes three rounds; more means that somebody keeps changing the order. */
    private const MAX_TRIES = 5;
    /** The next sweep finds it due: within two sweeps a lost report is repaired. */
    private const FIRST_CHECK_DELAY_SECONDS = 30;

    /**
     * @return Attempt the current one: pending where it is to be paid, else its end
     * @throws PluginError NOT_FOUND, NOT_PAYABLE, REFUSED, BUSY; what else is thrown may be repeated, nothing is made twice
     */
    public function run(int $orderId): Attempt
    {
        return $this->services->locks->withOrderLock($orderId, function (Lock $lock) use ($orderId): Attempt {
            for ($round = 1; $round <= self::MAX_TRIES; $round += 1) {
                $attempt = $this->startOrFind($lock, Orders::get($orderId));
                if ($attempt !== null) {
                    if ($attempt->state === 'pending') {
                        // The order may still carry the method chosen before, or one that a call of the checkout wrote meanwhile. Before
                        // the claim ends: what follows the order next decides by the method that it carries.
                        Orders::assignGateway(Orders::get($orderId));
                    }
                    return $attempt;
                }
            }
            throw new PluginError(PluginError::BUSY, "Order $orderId keeps changing; try again in a moment.");
        });
    }

    /** @return Attempt|null null where something was settled first and the order must be read again */
    private function startOrFind(Lock $lock, \WC_Order $order): ?Attempt
    {
        $current = $this->services->attempts->current($order->get_id());
        if ($current !== null && $current->isOpen()) {
            return $this->reuseOrCancel($lock, $order, $current);
        }
        if ($current !== null && self::isFinal($current, $order)) {
            return $current;
        }
        $started = $this->createAttempt($order);
        $lock->renew();
        [$attempt, $remote] = (new CreateTillgateOrder($this->services))->run($started);
        return $remote['status'] === 'PENDING' ? $attempt : null;
    }

    /** An attempt that is under way: kept while it asks for what the order asks for, else ended first. */
    private function reuseOrCancel(Lock $lock, \WC_Order $order, Attempt $current): ?Attempt
    {
        $applyEvent = new ApplyPaymentEvent($this->services);
        if ($current->state === 'creating') {
            $lock->renew();
            [$attempt, $remote] = (new CreateTillgateOrder($this->services))->run($current);
        } else {
            $attempt = $current;
            $remote = $this->services->settings->clientFor($current->mode, $current->clientId)
                ->getOrder((string) $current->tillgateOrderId);
        }
        if ($remote['status'] !== 'PENDING') {
            $applyEvent->applyOrderState($lock, $remote);
            return null;
        }
        $reason = $this->staleReason($attempt, $order);
        if ($reason === null) {
            return $attempt;
        }
        $now = (new CancelAttempt($this->services))->run($lock, $attempt, $reason);
        // What this plugin cancelled itself changes nothing in the shop.
        if ($now['status'] !== 'CANCELLED' && $now['status'] !== 'EXPIRED') {
            $applyEvent->applyOrderState($lock, $now);
        }
        return null;
    }

    /** Why a payment that is under way does not fit the order any more, by the same rules as a change in the shop. */
    private function staleReason(Attempt $attempt, \WC_Order $order): ?string
    {
        $isOtherAccount = $attempt->mode !== $this->services->settings->mode()
            || $attempt->clientId !== $this->services->settings->clientId();
        if ($isOtherAccount) {
            return NoteText::render($this->services->rules->reason('account_switched'), []);
        }
        $event = PaymentEvent::storeChanged((string) $attempt->tillgateOrderId);
        $context = $this->services->ruleContext->forOrder($event, $attempt, $order);
        // A shopper who starts a payment has chosen Tillgate; WooCommerce stores the choice after asking for the payment.
        $decision = $this->services->rules->decide(['method' => 'tillgate'] + $context);
        $fields = $this->services->ruleContext->noteFields($event, $attempt, $order);
        return $decision->reason === null ? null : NoteText::render($decision->reason, $fields);
    }

    /** Whether this attempt is the last word on the order: it paid it, and the shop does not ask to be paid again. */
    private static function isFinal(Attempt $current, \WC_Order $order): bool
    {
        if ($current->state === 'paid') {
            return true;
        }
        return $current->state === 'refunded' && !$order->needs_payment();
    }

    private function createAttempt(\WC_Order $order): Attempt
    {
        if (!$order->needs_payment()) {
            throw new PluginError(
                PluginError::NOT_PAYABLE,
                "Order {$order->get_id()} is {$order->get_status()} and cannot be paid.",
                __('This order can no longer be paid.', 'tillgate-for-woocommerce')
            );
        }
        $settings = $this->services->settings;
        $missing = $settings->setupError();
        if ($missing !== null) {
            throw new PluginError(PluginError::REJECTED, $missing);
        }
        $money = $this->services->money;
        $currency = $order->get_currency();
        $amountMinor = $money->readTotal(Orders::total($order), $currency);
        $address = self::returnUrl($order);
        return $this->services->attempts->create($order->get_id(), $settings->mode(), $settings->clientId(), [
            'amount' => $money->toDecimal($amountMinor, $currency),
            'currency' => $currency,
            'payment_method' => 'both',
            'reference' => (string) $order->get_order_number(),
            'description' => Description::forOrder($order),
            'callback_url' => $settings->callbackUrl(),
            'return_url' => $address,
            'cancel_url' => $address,
            'expires_in' => $settings->expiresInSeconds(),
            'idempotency_key' => wp_generate_uuid4(),
        ] + self::localeParameter(), $amountMinor, self::FIRST_CHECK_DELAY_SECONDS);
    }

    /**
     * The language that the shopper reads the shop in: the payment page's, where it has it. WordPress writes `de_DE_formal`.
     *
     * @return array<string, string>
     */
    private static function localeParameter(): array
    {
        $isKnown = preg_match('~^([a-z]{2,3})(?:_([A-Z]{2}))?~', determine_locale(), $parts) === 1;
        return $isKnown ? ['locale' => implode('-', array_slice($parts, 1))] : [];
    }

    /** Where the shopper comes back to: a route of this plugin's own, which asks Tillgate before it decides anything. */
    public static function returnUrl(\WC_Order $order): string
    {
        return add_query_arg(
            ['order_id' => $order->get_id(), 'key' => rawurlencode($order->get_order_key())],
            WC()->api_request_url('tillgate_return')
        );
    }
}
