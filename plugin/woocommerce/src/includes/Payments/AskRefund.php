<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Unreachable;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\RecordName;
use Tillgate\WooCommerce\Shop\ShopRefunds;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * A refund that the owner asks for in the shop. The row with key and reference is stored before the call, so that the
 * event of the refund finds it and makes no second record.
 */
final class AskRefund
{
    use WithServices;

    private const UNKNOWN_CHECK_SECONDS = 60;
    /** A wish that failed this often is left to a person. */
    private const MAX_FAILED = 20;

    /**
     * @param string $amount decimal text of this refund
     * @return true|\WP_Error true only once the money has moved
     */
    public function of(int $orderId, string $amount, string $reason)
    {
        try {
            return $this->services->claims->withOrder(
                $orderId,
                function (HeldClaim $held) use ($orderId, $amount, $reason) {
                    return $this->ask($held, Orders::get($orderId), $amount, $reason);
                }
            );
        } catch (Problem $problem) {
            $this->services->log->error("Order $orderId: refund: {$problem->getMessage()}");
            $text = $problem->is(Problem::BUSY)
                ? __('Tillgate: this order is being processed. Please try again in a moment.', 'tillgate-for-woocommerce')
                : $problem->getMessage();
            return new \WP_Error('tillgate_refund', $text);
        }
    }

    /** @return true|\WP_Error */
    private function ask(HeldClaim $held, \WC_Order $order, string $amount, string $reason)
    {
        $currency = $order->get_currency();
        $trxId = (string) $order->get_transaction_id();
        $attempt = $trxId === '' ? null : $this->services->attempts->byTransaction($order->get_id(), $trxId);
        if ($attempt === null) {
            return new \WP_Error(
                'tillgate_refund',
                __('This order wasn’t paid with Tillgate, so it can’t be refunded there.', 'tillgate-for-woocommerce')
            );
        }
        $minor = $this->services->money->readRefund($amount, $currency);
        // Before the row: a refund that cannot be sent now must not be sent later.
        $client = $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
        $record = $this->services->recordsInHand->take($order->get_id());
        $row = $this->wish($order, $trxId, $minor, $reason);
        // Stored on the shop's record before the call: one that is left behind by a crash is found by it.
        $name = new RecordName($record);
        $name->ofWish((string) $row->reference);
        $this->services->comparisons->in($order->get_id(), Sweep::COMPARE_IN_SECONDS);
        $held->keep();
        try {
            $refund = RemoteRefund::of(
                $client->createRefund(self::request($row, $this->services->money)),
                $this->services->money
            );
            $answer = $this->answer($held, $order, $row, $refund, $name);
        } catch (ApiError $error) {
            $answer = $error->isFinal() ? $this->refused($row, $error) : $this->unknown($row, $error);
        } catch (Unreachable | Problem $error) {
            $answer = $this->unknown($row, $error);
        }
        if ($answer !== true) {
            // WooCommerce deletes the record next. A refund that is reported in between must not take it for its own.
            $name->takeOff();
        }
        return $answer;
    }

    /**
     * The row of this wish. One whose end is not known is the same wish, expressed again: asked for once more, it moves no
     * money twice. What was refunded before is what Tillgate paid back, and no sum of the shop's records, which another
     * request may be making or deleting.
     */
    private function wish(\WC_Order $order, string $trxId, int $minor, string $reason): RefundRow
    {
        $open = $this->services->refunds->openWish($order->get_id(), $trxId, $minor);
        if ($open !== null) {
            $this->services->refunds->askedAgain($open->id);
            return $open;
        }
        $key = $this->freeKey($order, $trxId, $this->services->refunds->completedSum($order->get_id()), $minor);
        return $this->services->refunds->ask(
            $order->get_id(),
            $key,
            RefundKey::reference((string) $order->get_order_number(), $key),
            $trxId,
            $minor,
            $order->get_currency(),
            RefundReason::clean($reason)
        );
    }

    /** @return array<string, mixed> the same at every try */
    public static function request(RefundRow $row, Money $money): array
    {
        return [
            'transaction_id' => $row->trxId,
            'amount' => $money->decimal($row->amountMinor, $row->currency),
            'reference' => $row->reference,
            'idempotency_key' => $row->idempotencyKey,
        ] + ((string) $row->reason === '' ? [] : ['reason' => $row->reason]);
    }

    /** @return true|\WP_Error */
    private function answer(HeldClaim $held, \WC_Order $order, RefundRow $row, RemoteRefund $refund, RecordName $name)
    {
        if ($refund->status === 'completed') {
            return $this->completed($held, $order, $row, $refund, $name);
        }
        $this->services->refunds->answered($row->id, $refund->id, $refund->status);
        if ($refund->status === 'pending') {
            $text = sprintf(
                /* translators: 1: amount with currency, 2: refund number */
                __(
                    'Tillgate: the refund of %1$s is waiting for approval, %2$s. It will appear here once approved. Don’t refund again.',
                    'tillgate-for-woocommerce'
                ),
                $refund->amountText,
                $refund->id
            );
            Orders::noteOnce($order, $text);
            return new \WP_Error('tillgate_refund_pending', $text);
        }
        return new \WP_Error('tillgate_refund', sprintf(
            /* translators: %s: refund number */
            __('Tillgate: the refund %s failed. No money was moved.', 'tillgate-for-woocommerce'),
            $refund->id
        ));
    }

    /** @return true|\WP_Error */
    private function completed(HeldClaim $held, \WC_Order $order, RefundRow $row, RemoteRefund $refund, RecordName $name)
    {
        $earlier = (new ShopRefunds($order))->recordOf($refund, $row, $name->record());
        if ($earlier !== null) {
            (new RecordRefunds($this->services))->link($held, $refund, $row, $earlier);
            return new \WP_Error('tillgate_refund_known', sprintf(
                /* translators: 1: amount with currency, 2: refund number */
                __('Tillgate: this refund was already requested, and %1$s was refunded as %2$s. It’s already recorded on the order. Refund again only if you intend a second refund.', 'tillgate-for-woocommerce'),
                $refund->amountText,
                $refund->id
            ));
        }
        $name->ofRefund($refund->id);
        $this->services->refunds->answered($row->id, $refund->id, $refund->status);
        // The event of this refund writes the same words, so they stand on the order once.
        $fields = ['result' => RecordRefunds::words($refund)];
        Orders::noteOnce($order, NoteText::of($this->services->rules->note('refunds_recorded'), $fields));
        return true;
    }

    private function refused(RefundRow $row, ApiError $error): \WP_Error
    {
        $this->services->refunds->refused($row->id);
        return new \WP_Error('tillgate_refund', 'Tillgate: ' . implode(' ', $error->messages));
    }

    private function unknown(RefundRow $row, \Throwable $error): \WP_Error
    {
        $this->services->refunds->unknown($row->id, self::UNKNOWN_CHECK_SECONDS);
        $this->services->log->error("Order {$row->orderId}: the outcome of a refund is not known: {$error->getMessage()}");
        $text = __(
            'Tillgate: we’re checking the outcome of this refund. Don’t refund again; it will appear here within a few minutes.',
            'tillgate-for-woocommerce'
        );
        return new \WP_Error('tillgate_refund_unknown', $text);
    }

    /**
     * The key of a new wish: the first that no wish before it has.
     *
     * @throws Problem NOT_PAYABLE where it failed too often
     */
    private function freeKey(\WC_Order $order, string $trxId, int $refundedMinor, int $amountMinor): string
    {
        for ($failed = 0; $failed < self::MAX_FAILED; $failed += 1) {
            $key = RefundKey::of(RefundKey::site(), $order->get_id(), $trxId, $refundedMinor, $amountMinor, $failed);
            if ($this->services->refunds->byKey($key) === null) {
                return $key;
            }
        }
        throw new Problem(Problem::NOT_PAYABLE, __('Tillgate: this refund failed too many times. Refund it manually.', 'tillgate-for-woocommerce'));
    }
}
