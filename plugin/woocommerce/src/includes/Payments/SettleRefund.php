<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Finds the outcome of a refund whose call was interrupted, which waits for approval, or whose record is missing. */
final class SettleRefund
{
    use WithServices;

    /** @return bool whether it is still to be looked at */
    public function of(RefundRow $row): bool
    {
        return $this->services->claims->withOrder($row->orderId, function (HeldClaim $held) use ($row): bool {
            $attempt = $this->services->attempts->byTransaction($row->orderId, $row->trxId);
            if ($attempt === null) {
                throw new Problem(Problem::NOT_FOUND, "Order {$row->orderId} has no payment {$row->trxId}.");
            }
            $client = $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
            try {
                $data = $row->refundId === null
                    ? $client->createRefund(AskRefund::request($row, $this->services->money))
                    : $client->getRefund($row->refundId);
            } catch (ApiError $error) {
                if (!$error->isFinal() || $row->refundId !== null) {
                    throw $error;
                }
                $this->services->refunds->refused($row->id);
                $this->note($row, sprintf(
                    /* translators: %s: why Tillgate refuses */
                    __('Tillgate: the refund failed: %s', 'tillgate-for-woocommerce'),
                    implode(' ', $error->messages)
                ));
                return false;
            }
            return $this->take($held, $row, RemoteRefund::of($data, $this->services->money));
        });
    }

    private function take(HeldClaim $held, RefundRow $row, RemoteRefund $refund): bool
    {
        if ($refund->status === 'completed') {
            $words = (new RecordRefunds($this->services))->one($held, $refund, $row->orderId);
            if ($words !== null) {
                $template = $this->services->rules->note('refunds_recorded');
                $this->note($row, NoteText::of($template, ['result' => $words]));
            }
            return false;
        }
        $this->services->refunds->answered($row->id, $refund->id, $refund->status);
        if ($refund->status !== 'failed') {
            return true;
        }
        $this->note($row, sprintf(
            /* translators: %s: refund number */
            __('Tillgate: the refund %s failed. No money was moved.', 'tillgate-for-woocommerce'),
            $refund->id
        ));
        return false;
    }

    private function note(RefundRow $row, string $text): void
    {
        $order = Orders::find($row->orderId);
        if ($order !== null) {
            Orders::noteOnce($order, $text);
        }
    }
}
