<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Applies the outcome of a refund whose request was interrupted, that awaits approval, or whose WooCommerce refund is missing. */
final class ResolveRefund
{
    use WithServices;

    /** @return bool whether the refund must be checked again */
    public function run(RefundRow $row): bool
    {
        return $this->services->locks->withOrderLock($row->orderId, function (Lock $lock) use ($row): bool {
            $attempt = $this->services->attempts->byTransaction($row->orderId, $row->trxId);
            if ($attempt === null) {
                throw new PluginError(PluginError::NOT_FOUND, "Order {$row->orderId} has no payment with the transaction ID {$row->trxId}.");
            }
            $client = $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
            try {
                $data = $row->refundId === null
                    ? $client->createRefund(RequestRefund::buildRequest($row, $this->services->money))
                    : $client->getRefund($row->refundId);
            } catch (ApiError $error) {
                if (!$error->isFinal() || $row->refundId !== null) {
                    throw $error;
                }
                $this->services->refunds->deleteRejected($row->id);
                $this->addNote($row, sprintf(
                    /* translators: %s: Tillgate's error message */
                    __('Tillgate: the refund failed: %s', 'tillgate-for-woocommerce'),
                    implode(' ', $error->messages)
                ));
                return false;
            }
            return $this->applyOutcome($lock, $row, RemoteRefund::fromApi($data, $this->services->money));
        });
    }

    private function applyOutcome(Lock $lock, RefundRow $row, RemoteRefund $refund): bool
    {
        if ($refund->status === 'completed') {
            $description = (new RecordRefunds($this->services))->recordOne($lock, $refund, $row->orderId);
            if ($description !== null) {
                $template = $this->services->rules->note('refunds_recorded');
                $this->addNote($row, NoteText::render($template, ['result' => $description]));
            }
            return false;
        }
        $this->services->refunds->updateState($row->id, $refund->id, $refund->status);
        if ($refund->status !== 'failed') {
            return true;
        }
        $this->addNote($row, sprintf(
            /* translators: %s: refund ID */
            __('Tillgate: refund %s failed. No money was moved.', 'tillgate-for-woocommerce'),
            $refund->id
        ));
        return false;
    }

    private function addNote(RefundRow $row, string $text): void
    {
        $order = Orders::find($row->orderId);
        if ($order !== null) {
            Orders::addNoteOnce($order, $text);
        }
    }
}
