<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** What Tillgate paid back of a payment: all of it, page by page. */
final class CompletedRefunds
{
    use WithServices;

    /** More refunds of one payment are not read: 20 pages of 100. */
    private const MAX_PAGES = 20;

    /** @return RemoteRefund[] */
    public function of(Attempt $attempt, string $trxId): array
    {
        $client = $this->services->settings->clientOf($attempt->mode, $attempt->clientId);
        $refunds = [];
        for ($page = 1; $page <= self::MAX_PAGES; $page += 1) {
            $answer = $client->completedRefunds($trxId, $page);
            foreach ($answer['refunds'] as $refund) {
                $refunds[] = RemoteRefund::of($refund, $this->services->money);
            }
            if ($answer['is_last']) {
                return $refunds;
            }
        }
        throw new Problem(Problem::UNREADABLE, "Transaction $trxId has too many refunds to be read.");
    }
}
