<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\WithServices;

/** Asks once whose the keys are that an owner pasted, so that orders are linked in the console as in a shop that was connected. */
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
            $this->services->log->warning("Whose the keys are is not known: {$error->getMessage()}");
            if ($error->status === 404) {
                // A Tillgate from before it could tell. It is not asked again and again.
                Accounts::save($clientId, []);
            }
        } catch (\Throwable $error) {
            $this->services->log->warning("Whose the keys are is not known: {$error->getMessage()}");
        }
    }
}
