<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\ShopRefunds;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * Compares the sum of the shop's refund records with the sum that Tillgate paid back, in minor units, and makes missing
 * records. A difference that remains is for a person: it is noted on the order and shown in the health panel.
 */
final class CompareRefunds
{
    use WithServices;

    /** A difference is compared again, because somebody may have fixed it. */
    private const AGAIN_IN_SECONDS = 600;

    /** @throws Problem BUSY where a refund is being made; what else is thrown may be repeated */
    public function of(Attempt $attempt): void
    {
        $this->services->claims->withOrder($attempt->orderId, function (HeldClaim $held) use ($attempt): void {
            $order = Orders::find($attempt->orderId);
            if ($order === null || $order->get_transaction_id() !== $attempt->trxId) {
                // The order shows no refunds of this payment: it is gone, or carries another.
                $this->services->comparisons->done($attempt->id, null, null, null);
                return;
            }
            if ((new ShopRefunds($order))->isBeingMade()) {
                throw new Problem(Problem::BUSY, "A refund of order {$attempt->orderId} is being made right now.");
            }
            $this->compare($held, $attempt);
        });
    }

    private function compare(HeldClaim $held, Attempt $attempt): void
    {
        $recordRefunds = new RecordRefunds($this->services);
        $paidBackMinor = 0;
        $made = [];
        foreach ((new CompletedRefunds($this->services))->of($attempt, (string) $attempt->trxId) as $refund) {
            $paidBackMinor += $refund->amountMinor;
            $made[] = $recordRefunds->one($held, $refund, $attempt->orderId);
        }
        $order = Orders::get($attempt->orderId);
        $made = array_filter($made);
        if ($made !== []) {
            $fields = ['result' => implode('; ', $made)];
            Orders::noteOnce($order, NoteText::of($this->services->rules->note('refunds_recorded'), $fields));
        }
        $shopMinor = (new ShopRefunds($order))->sum($this->services->money);
        $isEqual = $shopMinor === $paidBackMinor;
        if ($isEqual) {
            $this->services->refundedOrders->close($order);
        }
        $this->services->comparisons->done($attempt->id, $shopMinor, $paidBackMinor, $isEqual ? null : self::AGAIN_IN_SECONDS);
        $now = $this->services->attempts->byId($attempt->id);
        if ($now !== null && $now->hasDifference()) {
            $this->tell($order, $now);
        }
    }

    private function tell(\WC_Order $order, Attempt $attempt): void
    {
        $money = $this->services->money;
        $text = NoteText::of($this->services->rules->note('refunds_differ'), [
            'store_total' => $money->text((int) $attempt->shopRefundedMinor, $attempt->currency),
            'amount' => $money->text((int) $attempt->paidBackMinor, $attempt->currency),
        ]);
        Orders::noteOnce($order, $text);
        $this->services->health->needsPerson($attempt->orderId, Health::CAUSE_ATTENTION, $text);
    }
}
