<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\ShopRefunds;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/**
 * Compares a payment's refund totals in the shop and in Tillgate, and creates missing WooCommerce refunds. A remaining difference is added
 * to the order notes and shown on the status page.
 */
final class CompareRefunds
{
    use WithServices;

    /** Delay before a difference is compared again, in case it has been fixed. */
    private const RECHECK_DELAY_SECONDS = 600;

    /** @throws PluginError BUSY while a refund is in progress; after any exception, the comparison must be repeated */
    public function run(Attempt $attempt): void
    {
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($attempt): void {
            $order = Orders::find($attempt->orderId);
            if ($order === null || $order->get_transaction_id() !== $attempt->trxId) {
                // The order was deleted or has another payment, so there is nothing to compare.
                $this->services->comparisons->saveResult($attempt->id, null, null, null);
                return;
            }
            if ((new ShopRefunds($order))->hasUnfinished()) {
                throw new PluginError(PluginError::BUSY, "A refund of order {$attempt->orderId} is in progress.");
            }
            $this->compare($lock, $attempt);
        });
    }

    private function compare(Lock $lock, Attempt $attempt): void
    {
        $recordRefunds = new RecordRefunds($this->services);
        $tillgateMinor = 0;
        $recorded = [];
        foreach ((new ListCompletedRefunds($this->services))->run($attempt, (string) $attempt->trxId) as $refund) {
            $tillgateMinor += $refund->amountMinor;
            $recorded[] = $recordRefunds->recordOne($lock, $refund, $attempt->orderId);
        }
        $order = Orders::get($attempt->orderId);
        $recorded = array_filter($recorded);
        if ($recorded !== []) {
            $fields = ['result' => implode('; ', $recorded)];
            Orders::addNoteOnce($order, NoteText::render($this->services->rules->note('refunds_recorded'), $fields));
        }
        $shopMinor = (new ShopRefunds($order))->sum($this->services->money);
        $isEqual = $shopMinor === $tillgateMinor;
        if ($isEqual) {
            $this->services->refundedOrders->updateStatus($order);
        }
        $this->services->comparisons->saveResult($attempt->id, $shopMinor, $tillgateMinor, $isEqual ? null : self::RECHECK_DELAY_SECONDS);
        $compared = $this->services->attempts->byId($attempt->id);
        if ($compared !== null && $compared->hasDifference()) {
            $this->reportDifference($order, $compared);
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
