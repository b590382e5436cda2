<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/** Fully refunds a payment that its order doesn't need. */
final class RefundPayment
{
    use WithServices;

    /** A retry reuses the idempotency key. @return string outcome for the order note, even if Tillgate rejected the refund with status 422 */
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
            $this->services->log->error("Order {$attempt->orderId}: could not refund a payment that is not needed: {$error->getMessage()}");
            return NoteText::render($this->services->rules->phrase('refund_manually'), [
                'reason' => implode(' ', $error->messages),
            ]);
        }
        $phrase = ['completed' => 'refund_made', 'failed' => 'refund_failed'][$refund['status']] ?? 'refund_pending';
        return NoteText::render($this->services->rules->phrase($phrase), [
            'amount' => $refund['amount'],
            'refund' => $refund['refund_id'],
        ]);
    }
}
