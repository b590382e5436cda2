<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Takes an order off the list of those that need a person, once no payment of it would need one any more. */
final class SettleAttention
{
    use WithServices;

    public function all(): void
    {
        foreach (array_keys($this->services->health->attention()) as $orderId) {
            $this->of($orderId);
        }
    }

    public function of(int $orderId): void
    {
        if (!isset($this->services->health->attention()[$orderId])) {
            return;
        }
        $order = Orders::find($orderId);
        foreach ($this->services->attempts->ofOrder($orderId) as $attempt) {
            if ($attempt->state === 'paid' && $this->needsPerson($attempt, $order)) {
                return;
            }
        }
        $this->services->health->attended($orderId);
    }

    private function needsPerson(Attempt $attempt, ?\WC_Order $order): bool
    {
        if ($order !== null && $attempt->hasDifference()) {
            return true;
        }
        $fact = Fact::paid($attempt);
        $situation = $this->services->situation;
        $decision = $this->services->rules->decide(
            $order === null ? $situation->ofDeleted($fact, $attempt) : $situation->of($fact, $attempt, $order)
        );
        return $decision->attention || $decision->action === 'refund_payment';
    }
}
