<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\WithServices;

/** Checks for a wallet in a currency, with an order of one currency unit that is created at most once a day and cancelled immediately. */
final class CheckCurrency
{
    use WithServices;

    private const EXPIRES_IN_SECONDS = 60;

    /** @return bool whether there is a wallet; also saved in the settings */
    public function run(string $currency): bool
    {
        $settings = $this->services->settings;
        $client = $settings->client();
        try {
            $order = $client->createOrder([
                'amount' => '1',
                'currency' => $currency,
                'description' => 'Connection test of a shop, cancelled immediately',
                'expires_in' => self::EXPIRES_IN_SECONDS,
                'idempotency_key' => hash('sha256', implode('|', [
                    'currency',
                    home_url(),
                    $settings->mode(),
                    $settings->clientId(),
                    $currency,
                    gmdate('Y-m-d'),
                ])),
            ]);
        } catch (ApiError $error) {
            if (!isset($error->fields['currency'])) {
                throw $error;
            }
            $settings->saveHasWallet($currency, false);
            return false;
        }
        if ($order['status'] === 'PENDING') {
            $client->cancelOrder($order['order_id']);
        }
        $settings->saveHasWallet($currency, true);
        return true;
    }
}
