<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\WithServices;

/** Fetches the account of manually entered API keys once, so that orders link to the console as in a connected shop. */
final class FetchAccount
{
    use WithServices;

    public function ifUnknown(): void
    {
        $clientId = $this->services->settings->clientId();
        if (Accounts::isKnown($clientId)) {
            return;
        }
        try {
            Accounts::save($clientId, $this->services->settings->client()->getAccount());
        } catch (ApiError $error) {
            $this->services->log->warning("Could not fetch the Tillgate account: {$error->getMessage()}");
            if ($error->status === 404) {
                // This version of Tillgate lacks the endpoint, so don't try again.
                Accounts::save($clientId, []);
            }
        } catch (\Throwable $error) {
            $this->services->log->warning("Could not fetch the Tillgate account: {$error->getMessage()}");
        }
    }
}
