<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\ResolveAttention;
use Tillgate\WooCommerce\Services;

/** What happens to an order in the shop while its payment is under way: another method, another total, cancelled, deleted. */
final class OrderChanges
{
    /** @var Services */
    private $services;

    /** @var array<int, true> Orders that this request changed. */
    private $changed = [];

    /** @var bool Whether the block checkout sends the cart, and with it no payment method. */
    private $isCartRequest = false;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    public function addHooks(): void
    {
        add_filter('woocommerce_cancel_unpaid_order', [$this, 'keepWhilePending'], 10, 2);
        add_filter('rest_request_before_callbacks', [$this, 'detectCartRequest'], 10, 3);
        add_action('woocommerce_before_order_object_save', [$this, 'keepPaymentMethod']);
        add_action('woocommerce_after_order_object_save', [$this, 'trackOrder']);
        foreach (['woocommerce_trash_order', 'woocommerce_delete_order'] as $hook) {
            add_action($hook, [$this, 'trackOrderId']);
        }
        add_action('shutdown', [$this, 'processChanges']);
    }

    /**
     * WooCommerce cancels unpaid orders after a while; not this one while it is being paid. Turns true into false only.
     *
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
                // An end that this shop knows: paid orders are none of WooCommerce's unpaid ones.
                return $isToBeCancelled;
            }
            $state = (new PaymentStatus($this->services))->refresh($order->get_id());
        } catch (\Throwable $error) {
            $this->services->log->warning("Order {$order->get_id()}: kept, as its payment cannot be asked about: {$error->getMessage()}");
            return false;
        }
        return $state === PaymentStatus::EXPIRED || $state === PaymentStatus::CANCELLED;
    }

    /**
     * @param mixed            $response
     * @param mixed            $handler
     * @param \WP_REST_Request $request also each of several that come in one
     * @return mixed
     */
    public function detectCartRequest($response, $handler, $request)
    {
        unset($handler);
        $this->isCartRequest = preg_match('~^/wc/store(/v\d+)?/cart/~D', $request->get_route()) === 1;
        return $response;
    }

    /**
     * The block checkout sends addresses by a call of its own, which may come after the order was placed. It names no method, and
     * WooCommerce would write the one that the session began with: nobody chose it, so the payment goes on.
     *
     * @param mixed $order before it is written: no other request may see it without its method
     */
    public function keepPaymentMethod($order): void
    {
        if (!$this->isCartRequest || !$order instanceof \WC_Order) {
            return;
        }
        try {
            $attempt = $this->services->attempts->current($order->get_id());
            if ($attempt !== null && $attempt->isOpen() && $attempt->cancelReason === null) {
                Orders::setGateway($order);
            }
        } catch (\Throwable $error) {
            $this->services->log->warning("Order {$order->get_id()}: its payment method may be another now: {$error->getMessage()}");
        }
    }

    /** @param mixed $order */
    public function trackOrder($order): void
    {
        if ($order instanceof \WC_Order) {
            $this->trackOrderId($order->get_id());
        }
    }

    /** @param int|string $orderId */
    public function trackOrderId($orderId): void
    {
        // What this plugin changes itself is no change of the shop's.
        if (!$this->services->locks->holdsOrderLock((int) $orderId)) {
            $this->changed[(int) $orderId] = true;
        }
    }

    /** Asks Tillgate at the end of the request, when the order is as the shop wants it. What fails is left to the sweep. */
    public function processChanges(): void
    {
        foreach (array_keys($this->changed) as $orderId) {
            try {
                $attempt = $this->services->attempts->current($orderId);
                if ($attempt !== null && $attempt->state === 'pending') {
                    (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
                }
                (new ResolveAttention($this->services))->run($orderId);
            } catch (\Throwable $error) {
                $this->services->log->warning("Order $orderId: its change could not be followed yet: {$error->getMessage()}");
            }
        }
        $this->changed = [];
    }
}
