<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** What Tillgate paid back of a payment: all of it, page by page. */
final class ListCompletedRefunds
{
    use WithServices;

    /** More refunds of one payment are not read: 20 pages of 100. */
    private const MAX_PAGES = 20;

    /** @return RemoteRefund[] */
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
        throw new PluginError(PluginError::UNREADABLE, "Transaction $trxId has too many refunds to be read.");
    }
}
