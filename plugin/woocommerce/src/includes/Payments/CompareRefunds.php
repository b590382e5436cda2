<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
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
    private const RECHECK_DELAY_SECONDS = 600;

    /** @throws PluginError BUSY where a refund is being made; what else is thrown may be repeated */
    public function run(Attempt $attempt): void
    {
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($attempt): void {
            $order = Orders::find($attempt->orderId);
            if ($order === null || $order->get_transaction_id() !== $attempt->trxId) {
                // The order shows no refunds of this payment: it is gone, or carries another.
                $this->services->comparisons->saveResult($attempt->id, null, null, null);
                return;
            }
            if ((new ShopRefunds($order))->hasUnfinished()) {
                throw new PluginError(PluginError::BUSY, "A refund of order {$attempt->orderId} is being made right now.");
            }
            $this->compare($lock, $attempt);
        });
    }

    private function compare(Lock $lock, Attempt $attempt): void
    {
        $recordRefunds = new RecordRefunds($this->services);
        $tillgateMinor = 0;
        $made = [];
        foreach ((new ListCompletedRefunds($this->services))->run($attempt, (string) $attempt->trxId) as $refund) {
            $tillgateMinor += $refund->amountMinor;
            $made[] = $recordRefunds->recordOne($lock, $refund, $attempt->orderId);
        }
        $order = Orders::get($attempt->orderId);
        $made = array_filter($made);
        if ($made !== []) {
            $fields = ['result' => implode('; ', $made)];
            Orders::addNoteOnce($order, NoteText::render($this->services->rules->note('refunds_recorded'), $fields));
        }
        $shopMinor = (new ShopRefunds($order))->sum($this->services->money);
        $isEqual = $shopMinor === $tillgateMinor;
        if ($isEqual) {
            $this->services->refundedOrders->updateStatus($order);
        }
        $this->services->comparisons->saveResult($attempt->id, $shopMinor, $tillgateMinor, $isEqual ? null : self::RECHECK_DELAY_SECONDS);
        $now = $this->services->attempts->byId($attempt->id);
        if ($now !== null && $now->hasDifference()) {
            $this->reportDifference($order, $now);
        }
    }

    private function reportDifference(\WC_Order $order, Attempt $attempt): void
    {
        $money = $this->services->money;
        $text = NoteText::render($this->services->rules->note('refunds_differ'), [
            'store_total' => $money->format((int) $attempt->shopRefundedMinor, $attempt->currency),
            'amount' => $money->format((int) $attempt->tillgateRefundedMinor, $attempt->currency),
        ]);
        Orders::addNoteOnce($order, $text);
        $this->services->health->flagOrder($attempt->orderId, Health::CAUSE_ATTENTION, $text);
    }
}
