<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\RefundRecordMeta;
use Tillgate\WooCommerce\Shop\ShopRefunds;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/**
 * Requests a refund from Tillgate. The idempotency key and reference are stored before the request, so that the refund's event does not
 * create a second WooCommerce refund.
 */
final class RequestRefund
{
    use WithServices;

    private const UNKNOWN_CHECK_DELAY_SECONDS = 60;
    /** After this many failed refunds of the same amount, the merchant must refund manually. */
    private const MAX_FAILED_REQUESTS = 20;

    /**
     * @param string $amount decimal string, in the order's currency
     * @return true|\WP_Error true only if the refund is completed
     */
    public function run(int $orderId, string $amount, string $reason)
    {
        try {
            return $this->services->locks->withOrderLock(
                $orderId,
                function (Lock $lock) use ($orderId, $amount, $reason) {
                    return $this->requestLocked($lock, Orders::get($orderId), $amount, $reason);
                }
            );
        } catch (PluginError $error) {
            $this->services->log->error("Order $orderId: refund request failed: {$error->getMessage()}");
            $text = $error->is(PluginError::BUSY)
                ? __('Tillgate: this order is being processed. Please try again in a moment.', 'tillgate-for-woocommerce')
                : $error->getMessage();
            return new \WP_Error('tillgate_refund', $text);
        }
    }

    /** @return true|\WP_Error */
    private function requestLocked(Lock $lock, \WC_Order $order, string $amount, string $reason)
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
        $amountMinor = $this->services->money->readRefund($amount, $currency);
        // Throws before the request is stored, because a refund that cannot be sent now must not be sent later.
        $client = $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
        $record = $this->services->pendingRefundRecords->take($order->get_id());
        $row = $this->findOrCreateRow($order, $trxId, $amountMinor, $reason);
        // The reference identifies the WooCommerce refund if the process crashes during the request.
        $meta = new RefundRecordMeta($record);
        $meta->setReference((string) $row->reference);
        $this->services->comparisons->schedule($order->get_id(), ScheduledCheck::COMPARE_DELAY_SECONDS);
        $lock->renew();
        try {
            $refund = RemoteRefund::fromApi(
                $client->createRefund(self::buildRequest($row, $this->services->money)),
                $this->services->money
            );
            $result = $this->handleResponse($lock, $order, $row, $refund, $meta);
        } catch (ApiError $error) {
            $result = $error->isFinal() ? $this->handleRejected($row, $error) : $this->handleUnknown($row, $error);
        } catch (ApiConnectionError | PluginError $error) {
            $result = $this->handleUnknown($row, $error);
        }
        if ($result !== true) {
            // WooCommerce deletes the record next. A refund event that arrives in between must not be matched with it.
            $meta->clear();
        }
        return $result;
    }

    /**
     * Reuses an unfinished request of the same amount, because its idempotency key prevents a double refund. A new key includes the amount
     * already refunded according to Tillgate, not according to the shop's records, because a concurrent request may be creating or deleting
     * those.
     */
    private function findOrCreateRow(\WC_Order $order, string $trxId, int $amountMinor, string $reason): RefundRow
    {
        $open = $this->services->refunds->findOpenRequest($order->get_id(), $trxId, $amountMinor);
        if ($open !== null) {
            $this->services->refunds->markRequestedAgain($open->id);
            return $open;
        }
        $key = $this->unusedKey($order, $trxId, $this->services->refunds->sumCompleted($order->get_id()), $amountMinor);
        return $this->services->refunds->createRequest(
            $order->get_id(),
            $key,
            RefundKey::reference((string) $order->get_order_number(), $key),
            $trxId,
            $amountMinor,
            $order->get_currency(),
            RefundReason::clean($reason)
        );
    }

    /** @return array<string, mixed> identical for every retry */
    public static function buildRequest(RefundRow $row, Money $money): array
    {
        return [
            'transaction_id' => $row->trxId,
            'amount' => $money->toDecimal($row->amountMinor, $row->currency),
            'reference' => $row->reference,
            'idempotency_key' => $row->idempotencyKey,
        ] + ((string) $row->reason === '' ? [] : ['reason' => $row->reason]);
    }

    /** @return true|\WP_Error */
    private function handleResponse(Lock $lock, \WC_Order $order, RefundRow $row, RemoteRefund $refund, RefundRecordMeta $meta)
    {
        if ($refund->status === 'completed') {
            return $this->handleCompleted($lock, $order, $row, $refund, $meta);
        }
        $this->services->refunds->updateState($row->id, $refund->id, $refund->status);
        if ($refund->status === 'pending') {
            $text = sprintf(
                /* translators: 1: amount with currency, 2: refund ID */
                __(
                    'Tillgate: the refund of %1$s (%2$s) is waiting for approval. It will appear here once approved. Don’t refund again.',
                    'tillgate-for-woocommerce'
                ),
                $refund->amountText,
                $refund->id
            );
            Orders::addNoteOnce($order, $text);
            return new \WP_Error('tillgate_refund_pending', $text);
        }
        return new \WP_Error('tillgate_refund', sprintf(
            /* translators: %s: refund ID */
            __('Tillgate: refund %s failed. No money was moved.', 'tillgate-for-woocommerce'),
            $refund->id
        ));
    }

    /** @return true|\WP_Error */
    private function handleCompleted(Lock $lock, \WC_Order $order, RefundRow $row, RemoteRefund $refund, RefundRecordMeta $meta)
    {
        $existing = (new ShopRefunds($order))->findRecord($refund, $row, $meta->record());
        if ($existing !== null) {
            (new RecordRefunds($this->services))->link($lock, $refund, $row, $existing);
            return new \WP_Error('tillgate_refund_known', sprintf(
                /* translators: 1: amount with currency, 2: refund ID */
                __('Tillgate: this refund was already requested, and %1$s was refunded as %2$s. It’s already recorded on the order. Refund again only if you intend a second refund.', 'tillgate-for-woocommerce'),
                $refund->amountText,
                $refund->id
            ));
        }
        $meta->setRefundId($refund->id);
        $this->services->refunds->updateState($row->id, $refund->id, $refund->status);
        // Same text as the refund's event, so that the note is added only once.
        $fields = ['result' => RecordRefunds::describe($refund)];
        Orders::addNoteOnce($order, NoteText::render($this->services->rules->note('refunds_recorded'), $fields));
        return true;
    }

    private function handleRejected(RefundRow $row, ApiError $error): \WP_Error
    {
        $this->services->refunds->deleteRejected($row->id);
        return new \WP_Error('tillgate_refund', 'Tillgate: ' . implode(' ', $error->messages));
    }

    private function handleUnknown(RefundRow $row, \Throwable $error): \WP_Error
    {
        $this->services->refunds->markUnknown($row->id, self::UNKNOWN_CHECK_DELAY_SECONDS);
        $this->services->log->error("Order {$row->orderId}: refund outcome unknown: {$error->getMessage()}");
        $text = __(
            'Tillgate: no confirmation yet for this refund; we’re retrying it automatically. Don’t refund again. The result will appear on this order.',
            'tillgate-for-woocommerce'
        );
        return new \WP_Error('tillgate_refund_unknown', $text);
    }

    /** @throws PluginError NOT_PAYABLE after too many failed refunds */
    private function unusedKey(\WC_Order $order, string $trxId, int $refundedMinor, int $amountMinor): string
    {
        for ($failed = 0; $failed < self::MAX_FAILED_REQUESTS; $failed += 1) {
            $key = RefundKey::generate(RefundKey::site(), $order->get_id(), $trxId, $refundedMinor, $amountMinor, $failed);
            if ($this->services->refunds->byKey($key) === null) {
                return $key;
            }
        }
        throw new PluginError(PluginError::NOT_PAYABLE, __('Tillgate: this refund failed too many times. Make it in the Tillgate console; it will be recorded here automatically.', 'tillgate-for-woocommerce'));
    }
}
