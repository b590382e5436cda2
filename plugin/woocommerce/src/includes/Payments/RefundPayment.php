<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Pays a payment back in full that its order does not need. */
final class RefundPayment
{
    use WithServices;

    /**
     * The key is always the same for the payment, so a repeat finds the refund that was made.
     *
     * @return string what became of it, for the order note
     */
    public function run(Lock $lock, Attempt $attempt, string $trxId): string
    {
        $lock->renew();
        try {
            $refund = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->createRefund([
                'transaction_id' => $trxId,
                'reason' => 'The order no longer needed this payment',
                'reference' => $attempt->request['reference'],
                'idempotency_key' => hash(
                    'sha256',
                    'not needed:' . RefundKey::site() . ':' . $attempt->tillgateOrderId
                ),
            ]);
        } catch (ApiError $error) {
            if ($error->status !== 422) {
                throw $error;
            }
            $this->services->log->error("Order {$attempt->orderId}: a payment that is not needed stays: {$error->getMessage()}");
            return NoteText::render($this->services->rules->phrase('paid_back_by_hand'), [
                'reason' => implode(' ', $error->messages),
            ]);
        }
        $phrase = $refund['status'] === 'completed' ? 'paid_back' : 'paid_back_later';
        return NoteText::render($this->services->rules->phrase($phrase), [
            'amount' => $refund['amount'],
            'refund' => $refund['refund_id'],
            'status' => $refund['status'],
        ]);
    }
}
