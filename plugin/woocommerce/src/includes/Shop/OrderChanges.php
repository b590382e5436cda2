<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\ResolveAttention;
use Tillgate\WooCommerce\Services;

/** Tracks order changes while a payment is open: other payment method, other total, cancellation, deletion. */
final class OrderChanges
{
    private Services $services;

    /** @var array<int, true> IDs of orders changed in this request. */
    private array $changed = [];

    /** @var array<int, true> IDs of orders whose payment started in this request. */
    private array $started = [];

    /** Whether the current request is a Store API cart request, which contains no payment method. */
    private bool $isCartRequest = false;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    public function addHooks(): void
    {
        add_filter('woocommerce_cancel_unpaid_order', [$this, 'keepWhilePending'], 10, 2);
        add_filter('rest_request_before_callbacks', [$this, 'detectCartRequest'], 10, 3);
        add_action('woocommerce_before_order_object_save', [$this, 'keepPaymentMethod']);
        add_action('woocommerce_after_order_object_save', [$this, 'restorePaymentMethod']);
        add_action('woocommerce_after_order_object_save', [$this, 'trackOrder']);
        foreach (['woocommerce_trash_order', 'woocommerce_delete_order'] as $hook) {
            add_action($hook, [$this, 'trackOrderId']);
        }
        add_action('tillgate_payment_started', [$this, 'skipOrder']);
        add_action('shutdown', [$this, 'processChanges']);
    }

    /**
     * Prevents WooCommerce from cancelling an unpaid order whose payment is open, was completed in the meantime or cannot be checked. Never
     * causes a cancellation.
     * @param bool  $isToBeCancelled
     * @param mixed $order
     * @return bool
     */
    public function keepWhilePending($isToBeCancelled, $order)
    {
        if (!$isToBeCancelled || !$order instanceof \WC_Order) {
            return $isToBeCancelled;
        }
        try {
            $attempt = $this->services->attempts->current($order->get_id());
            if ($attempt === null || !$attempt->isOpen()) {
                // Already in a final state.
                return $isToBeCancelled;
            }
            $state = (new PaymentStatus($this->services))->refresh($order->get_id());
        } catch (\Throwable $error) {
            $this->services->log->warning("Order {$order->get_id()}: not cancelled because its payment could not be checked: {$error->getMessage()}");
            return false;
        }
        return $state === PaymentStatus::EXPIRED || $state === PaymentStatus::CANCELLED;
    }

    /**
     * @param mixed            $response
     * @param mixed            $handler
     * @param \WP_REST_Request $request for a batch, each of its requests in turn
     * @return mixed
     */
    public function detectCartRequest($response, $handler, $request)
    {
        unset($handler);
        $this->isCartRequest = preg_match('~^/wc/store(/v\d+)?/cart/~D', $request->get_route()) === 1;
        return $response;
    }

    /**
     * Corrects the payment method. The block checkout sends addresses in a separate request, which may arrive after the order was placed.
     * WooCommerce would then save the session's initial method.
     * @param mixed $order before it is saved, so that no other request sees the wrong method
     */
    public function keepPaymentMethod($order): void
    {
        $this->setMissedGateway($order);
    }

    /**
     * Corrects the payment method again after the cart request saved the order, because the payment may have started during the save.
     * @param mixed $order after it was saved
     */
    public function restorePaymentMethod($order): void
    {
        if ($this->setMissedGateway($order)) {
            $order->save();
        }
    }

    /** @return bool whether the order was changed */
    private function setMissedGateway($order): bool
    {
        if (!$this->isCartRequest || !$order instanceof \WC_Order) {
            return false;
        }
        try {
            $attempt = $this->services->attempts->current($order->get_id());
            return $attempt !== null && $attempt->isOpen() && $attempt->cancelReason === null && Orders::setGateway($order);
        } catch (\Throwable $error) {
            $this->services->log->warning("Order {$order->get_id()}: could not restore its payment method: {$error->getMessage()}");
            return false;
        }
    }

    public function trackOrder($order): void
    {
        if ($order instanceof \WC_Order) {
            $this->trackOrderId($order->get_id());
        }
    }

    /** @param int|string $orderId */
    public function trackOrderId($orderId): void
    {
        // Ignore the plugin's own changes.
        if (!$this->services->locks->holdsOrderLock((int) $orderId)) {
            $this->changed[(int) $orderId] = true;
        }
    }

    /**
     * Skips the order for the rest of the request, because a concurrent cart request may temporarily save another payment method. The
     * scheduled check finds actual changes.
     * @param int $orderId
     */
    public function skipOrder($orderId): void
    {
        $this->started[$orderId] = true;
    }

    /** Cancels unneeded payments at the end of the request, when the orders are complete. The scheduled check retries after errors. */
    public function processChanges(): void
    {
        foreach (array_keys(array_diff_key($this->changed, $this->started)) as $orderId) {
            try {
                if ($this->isCartRequest) {
                    // The payment may have started after the last save.
                    $this->restorePaymentMethod(Orders::find($orderId));
                }
                $attempt = $this->services->attempts->current($orderId);
                if ($attempt !== null && $attempt->state === 'pending') {
                    (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
                }
                (new ResolveAttention($this->services))->run($orderId);
            } catch (\Throwable $error) {
                $this->services->log->warning("Order $orderId: could not process the order change: {$error->getMessage()}");
            }
        }
        $this->changed = [];
        $this->started = [];
    }
}
