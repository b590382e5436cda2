<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

final class CreateTillgateOrder
{
    use WithServices;

    /**
     * Creates the attempt's order in Tillgate. Retries are safe, because the request and its idempotency key are stored. The caller must
     * hold the lock of the shop's order.
     * @return array{0: Attempt, 1: array<string, mixed>} the updated attempt and the Tillgate order
     * @throws PluginError REJECTED if Tillgate rejects the order, the site may be a copy, or no credentials are available; ApiError if a retry
     * may succeed; ApiConnectionError if the outcome is unknown
     */
    public function run(Attempt $attempt): array
    {
        $client = $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
        try {
            $remote = $client->createOrder($attempt->request);
        } catch (ApiError $error) {
            if (!$error->isFinal()) {
                throw $error;
            }
            $this->services->attempts->markRejected($attempt->id);
            throw $this->rejectionError($attempt, $error);
        }
        $paymentUrl = $remote['payment_url'] ?? null;
        if (!is_string($paymentUrl) || preg_match('~^https?://~i', $paymentUrl) !== 1) {
            throw new ApiConnectionError('POST /orders', ApiConnectionError::INVALID_RESPONSE, 'the order has no valid payment page URL');
        }
        $created = $this->services->attempts->markCreated(
            $attempt->id,
            $remote['order_id'],
            $paymentUrl,
            is_string($remote['qr_data'] ?? null) ? $remote['qr_data'] : null,
            (int) strtotime((string) ($remote['expires_at'] ?? ''))
        );
        $this->services->settings->saveHasWallet($attempt->currency, true);
        return [$created, $remote];
    }

    private function rejectionError(Attempt $attempt, ApiError $error): PluginError
    {
        $text = sprintf('Order %d: %s', $attempt->orderId, $error->getMessage());
        $this->services->log->error($text);
        if (isset($error->fields['currency'])) {
            $this->services->settings->saveHasWallet($attempt->currency, false);
            return new PluginError(
                PluginError::REJECTED,
                $text,
                /* translators: %s: currency code */
                sprintf(__('This payment method doesn’t support orders in %s.', 'tillgate-for-woocommerce'), $attempt->currency),
                $error
            );
        }
        $isCredentials = $error->status === 401 || $error->status === 403;
        $this->services->health->recordError($isCredentials ? Health::CAUSE_CREDENTIALS : Health::CAUSE_SHOP, $text);
        return new PluginError(PluginError::REJECTED, $text, null, $error);
    }
}
