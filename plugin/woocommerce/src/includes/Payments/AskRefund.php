<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Unreachable;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;

/**
 * A refund that the owner asks for in the shop. The row with key and reference is stored before the call, so that the
 * event of the refund finds it and makes no second record.
 */
final class AskRefund
{
    private const UNKNOWN_CHECK_SECONDS = 60;
    /** A wish that failed this often is left to a person. */
    private const MAX_FAILED = 20;

    /** @var Services */
    private $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    /**
     * @param string $amount decimal text of this refund, which WooCommerce's sum of refunds already contains
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
                ? __('Tillgate: this order is being worked on. Please try again in a moment.', 'tillgate-for-woocommerce')
                : $problem->getMessage();
            return new \WP_Error('tillgate_refund', $text);
        }
    }

    /**
     * The reference that names this wish, to be put on the shop's record before WooCommerce asks for the money.
     *
     * WooCommerce has saved the record before that where orders are posts, and then its sum of refunds contains it; in
     * the orders' own tables it does not. So the other records are added up.
     */
    public function referenceOf(\WC_Order $order, \WC_Order_Refund $record): ?string
    {
        $amount = wc_format_decimal((string) $record->get_amount(), wc_get_price_decimals());
        $minor = $this->services->money->tryWire($amount, $order->get_currency());
        if ($minor === null) {
            return null;
        }
        $before = 0.0;
        foreach ($order->get_refunds() as $other) {
            $before += $other->get_id() === $record->get_id() ? 0.0 : (float) $other->get_amount();
        }
        $key = $this->freeKey($order, $this->minorOf($order, $before), $minor);
        return RefundKey::reference((string) $order->get_order_number(), $key);
    }

    /** @return true|\WP_Error */
    private function ask(HeldClaim $held, \WC_Order $order, string $amount, string $reason)
    {
        $currency = $order->get_currency();
        $minor = $this->services->money->tryWire($amount, $currency);
        $trxId = (string) $order->get_transaction_id();
        $attempt = $trxId === '' ? null : $this->services->attempts->byTransaction($order->get_id(), $trxId);
        if ($minor === null || $attempt === null) {
            return new \WP_Error('tillgate_refund', $minor === null
                ? __('Tillgate cannot refund this amount: it has more decimals than the currency.', 'tillgate-for-woocommerce')
                : __('This order was not paid with Tillgate, so there is nothing to refund there.', 'tillgate-for-woocommerce'));
        }
        $key = $this->freeKey($order, $this->minorOf($order, (float) $order->get_total_refunded()) - $minor, $minor);
        $row = $this->services->refunds->ask(
            $order->get_id(),
            $key,
            RefundKey::reference((string) $order->get_order_number(), $key),
            $trxId,
            $minor,
            $currency,
            $reason
        );
        $this->services->refunds->askedAgain($row->id);
        $held->keep();
        $client = $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
        try {
            return $this->answer($order, $row, RemoteRefund::of(
                $client->createRefund(self::request($row, $this->services->money)),
                $this->services->money
            ));
        } catch (ApiError $error) {
            if (!$error->isFinal()) {
                return $this->unknown($row, $error);
            }
            $this->services->refunds->refused($row->id);
            return new \WP_Error('tillgate_refund', 'Tillgate: ' . implode(' ', $error->messages));
        } catch (Unreachable $error) {
            return $this->unknown($row, $error);
        }
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
    private function answer(\WC_Order $order, RefundRow $row, RemoteRefund $refund)
    {
        $this->services->refunds->answered($row->id, $refund->id, $refund->status);
        if ($refund->status === 'completed') {
            $fields = ['result' => $refund->amountText . ' (' . $refund->id . ')'];
            // The event of this refund writes the same words, so they stand on the order once.
            Orders::noteOnce($order, NoteText::of($this->services->rules->note('refunds_recorded'), $fields));
            return true;
        }
        if ($refund->status === 'pending') {
            $text = sprintf(
                /* translators: 1: amount with currency, 2: refund number */
                __(
                    'Tillgate: the refund of %1$s is waiting for approval, %2$s. It appears here by itself once it is approved; do not refund again.',
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

    private function unknown(RefundRow $row, \Throwable $error): \WP_Error
    {
        $this->services->refunds->unknown($row->id, self::UNKNOWN_CHECK_SECONDS);
        $this->services->log->error("Order {$row->orderId}: the outcome of a refund is not known: {$error->getMessage()}");
        $text = __(
            'Tillgate: the outcome of this refund is being checked, do not refund again. It appears here by itself within a few minutes.',
            'tillgate-for-woocommerce'
        );
        return new \WP_Error('tillgate_refund_unknown', $text);
    }

    /**
     * The key of the wish; where refunds of the same wish failed, the one that follows theirs.
     *
     * @throws Problem NOT_PAYABLE where it failed too often
     */
    private function freeKey(\WC_Order $order, int $refundedMinor, int $amountMinor): string
    {
        for ($failed = 0; $failed < self::MAX_FAILED; $failed += 1) {
            $key = RefundKey::of(RefundKey::site(), $order->get_id(), $refundedMinor, $amountMinor, $failed);
            $row = $this->services->refunds->byKey($key);
            if ($row === null || $row->state !== 'failed') {
                return $key;
            }
        }
        throw new Problem(Problem::NOT_PAYABLE, __('Tillgate: this refund failed too often. Please refund it by hand.', 'tillgate-for-woocommerce'));
    }

    private function minorOf(\WC_Order $order, float $refunded): int
    {
        $text = wc_format_decimal($refunded, wc_get_price_decimals());
        // Nothing refunded is no amount, and counts as zero.
        return $this->services->money->tryWire($text, $order->get_currency()) ?? 0;
    }
}
