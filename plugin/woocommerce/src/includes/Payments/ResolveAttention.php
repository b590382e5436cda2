<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Removes an order from the list of orders that need attention once none of its payments needs attention. */
final class ResolveAttention
{
    use WithServices;

    public function runAll(): void
    {
        foreach (array_keys($this->services->health->flaggedOrders()) as $orderId) {
            $this->run($orderId);
        }
    }

    public function run(int $orderId): void
    {
        if (!isset($this->services->health->flaggedOrders()[$orderId])) {
            return;
        }
        $order = Orders::find($orderId);
        foreach ($this->services->attempts->forOrder($orderId) as $attempt) {
            if ($attempt->state === 'paid' && $this->needsAttention($attempt, $order)) {
                return;
            }
        }
        $this->services->health->unflagOrder($orderId);
    }

    private function needsAttention(Attempt $attempt, ?\WC_Order $order): bool
    {
        if ($order !== null && $attempt->hasDifference()) {
            return true;
        }
        $event = PaymentEvent::paidBy($attempt);
        $context = $this->services->ruleContext;
        $decision = $this->services->rules->decide(
            $order === null ? $context->forDeletedOrder($event, $attempt) : $context->forOrder($event, $attempt, $order)
        );
        return $decision->attention || $decision->action === 'refund_payment';
    }
}
