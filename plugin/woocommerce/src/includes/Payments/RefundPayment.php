<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
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
    public function notNeeded(HeldClaim $held, Attempt $attempt, string $trxId): string
    {
        $held->keep();
        try {
            $refund = $this->services->settings->clientOf($attempt->mode, $attempt->clientId)->createRefund([
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
            return sprintf(
                /* translators: %s: why Tillgate refuses */
                __('Tillgate refuses it (%s), please refund it by hand', 'tillgate-for-woocommerce'),
                implode(' ', $error->messages)
            );
        }
        return $refund['status'] === 'completed'
            /* translators: 1: amount with currency, 2: refund number */
            ? sprintf(__('%1$s paid back as %2$s', 'tillgate-for-woocommerce'), $refund['amount'], $refund['refund_id'])
            : sprintf(
                /* translators: 1: refund number, 2: amount with currency, 3: status of the refund */
                __('%1$s over %2$s is %3$s', 'tillgate-for-woocommerce'),
                $refund['refund_id'],
                $refund['amount'],
                $refund['status']
            );
    }
}
