<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

final class ListCompletedRefunds
{
    use WithServices;

    /** Each page has up to 100 refunds. */
    private const MAX_PAGES = 20;

    /** @return RemoteRefund[] @throws PluginError UNREADABLE if a refund is invalid, or there are too many */
    public function run(Attempt $attempt, string $trxId): array
    {
        $client = $this->services->settings->clientFor($attempt->mode, $attempt->clientId);
        $refunds = [];
        for ($page = 1; $page <= self::MAX_PAGES; $page += 1) {
            $response = $client->listCompletedRefunds($trxId, $page);
            foreach ($response['refunds'] as $refund) {
                $refunds[] = RemoteRefund::fromApi($refund, $this->services->money);
            }
            if ($response['is_last']) {
                return $refunds;
            }
        }
        throw new PluginError(PluginError::UNREADABLE, "Transaction $trxId has more completed refunds than can be read.");
    }
}
