<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Starts the payment of an order, or returns the current one if it paid the order or is open and still matches the order. */
final class StartPayment
{
    use WithServices;

    /** Applying a finished attempt and replacing it takes three tries; more means that the order keeps changing. */
    private const MAX_TRIES = 5;
    /** Due at the next scheduled check, so that a lost webhook is recovered within two checks. */
    private const FIRST_CHECK_DELAY_SECONDS = 30;

    /**
     * @return Attempt the current attempt: either pending, or the one that paid the order, even if it has been refunded since
     * @throws PluginError NOT_FOUND, NOT_PAYABLE, REJECTED, BUSY; after any other exception, a retry is safe
     */
    public function run(int $orderId): Attempt
    {
        return $this->services->locks->withOrderLock($orderId, function (Lock $lock) use ($orderId): Attempt {
            for ($try = 1; $try <= self::MAX_TRIES; $try += 1) {
                $attempt = $this->startOrFind($lock, Orders::get($orderId));
                if ($attempt !== null) {
                    if ($attempt->state === 'pending') {
                        // If the order has another payment method, the lock must be held to correct it, because the next check depends on the method.
                        Orders::assignGateway(Orders::get($orderId));
                    }
                    return $attempt;
                }
            }
            throw new PluginError(PluginError::BUSY, "Order $orderId keeps changing; try again in a moment.");
        });
    }

    /** @return Attempt|null null if the order must be read again, because an attempt has ended */
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

    /** Returns the open attempt if it still matches the order. Otherwise applies its outcome or cancels it, and returns null. */
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
        $cancelled = (new CancelAttempt($this->services))->run($lock, $attempt, $reason);
        // The plugin's own cancellation doesn't change the order.
        if ($cancelled['status'] !== 'CANCELLED' && $cancelled['status'] !== 'EXPIRED') {
            $applyEvent->applyOrderState($lock, $cancelled);
        }
        return null;
    }

    /** Returns why an open payment no longer matches the order, by the rules for order changes; null if it still matches. */
    private function staleReason(Attempt $attempt, \WC_Order $order): ?string
    {
        $isOtherAccount = $attempt->mode !== $this->services->settings->mode()
            || $attempt->clientId !== $this->services->settings->clientId();
        if ($isOtherAccount) {
            return NoteText::render($this->services->rules->reason('account_changed'), []);
        }
        $event = PaymentEvent::storeChanged((string) $attempt->tillgateOrderId);
        $context = $this->services->ruleContext->forOrder($event, $attempt, $order);
        // WooCommerce saves the chosen payment method only after it has called the gateway.
        $decision = $this->services->rules->decide(['method' => 'tillgate'] + $context);
        $fields = $this->services->ruleContext->noteFields($event, $attempt, $order);
        return $decision->reason === null ? null : NoteText::render($decision->reason, $fields);
    }

    /** An attempt is final if it is paid, or was refunded and the order needs no further payment. */
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
                "Order {$order->get_id()} cannot be paid: its status is {$order->get_status()}.",
                __('This order can no longer be paid.', 'tillgate-for-woocommerce')
            );
        }
        $settings = $this->services->settings;
        $setupError = $settings->setupError();
        if ($setupError !== null) {
            throw new PluginError(PluginError::REJECTED, $setupError);
        }
        $money = $this->services->money;
        $currency = $order->get_currency();
        $amountMinor = $money->readTotal(Orders::total($order), $currency);
        $returnUrl = self::returnUrl($order);
        return $this->services->attempts->create($order->get_id(), $settings->mode(), $settings->clientId(), [
            'amount' => $money->toDecimal($amountMinor, $currency),
            'currency' => $currency,
            'payment_method' => 'both',
            'reference' => (string) $order->get_order_number(),
            'description' => Description::forOrder($order),
            'callback_url' => $settings->callbackUrl(),
            'return_url' => $returnUrl,
            'cancel_url' => $returnUrl,
            'expires_in' => $settings->expiresInSeconds(),
            'idempotency_key' => wp_generate_uuid4(),
        ] + self::localeParameter(), $amountMinor, self::FIRST_CHECK_DELAY_SECONDS);
    }

    /** WordPress locales may have a suffix, as in `de_DE_formal`. @return array<string, string> */
    private static function localeParameter(): array
    {
        $isKnown = preg_match('~^([a-z]{2,3})(?:_([A-Z]{2}))?~', determine_locale(), $parts) === 1;
        return $isKnown ? ['locale' => implode('-', array_slice($parts, 1))] : [];
    }

    /** Returns the URL of ReturnRoute, which checks the payment before it redirects. */
    public static function returnUrl(\WC_Order $order): string
    {
        return add_query_arg(
            ['order_id' => $order->get_id(), 'key' => rawurlencode($order->get_order_key())],
            WC()->api_request_url('tillgate_return')
        );
    }
}
