<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

/** Checks open payments and refunds with the API, in case a webhook was lost. Failed checks are retried later and don't delay other checks. */
final class ScheduledCheck
{
    use WithServices;

    public const INTERVAL_SECONDS = 120;
    /** Delay before refunds are compared, so that concurrent refunds have finished. */
    public const COMPARE_DELAY_SECONDS = 90;
    private const BATCH_SIZE = 20;
    private const MAX_BATCHES = 20;
    /** Shorter than typical PHP time limits. */
    private const MAX_RUN_SECONDS = 25;
    private const MAX_CHECK_DELAY_SECONDS = 1800;
    private const MAX_FAILED_CHECKS = 60;
    private const EVENT_RETENTION_SECONDS = 7776000;

    /** @return bool false if nothing was checked, because another check is running or the site has moved */
    public function run(): bool
    {
        if (SiteAddress::hasMoved()) {
            // The site may be a copy of the shop. Nothing is checked until the merchant has decided.
            return false;
        }
        return $this->services->locks->runExclusively('sweep', function ($lock): void {
            $counts = ['checked' => 0, 'failed' => 0, 'given_up' => 0];
            $until = time() + self::MAX_RUN_SECONDS;
            for ($batch = 1; $batch <= self::MAX_BATCHES && time() < $until; $batch += 1) {
                // The lease expires before the next run, even if this process dies.
                $due = $this->services->attempts->leaseDue(self::BATCH_SIZE, self::leaseSeconds());
                foreach ($due as $attempt) {
                    $lock->renew();
                    $this->checkAttempt($attempt, $counts);
                }
                if (count($due) < self::BATCH_SIZE) {
                    break;
                }
            }
            foreach ($this->services->refunds->leaseDue(self::BATCH_SIZE, self::leaseSeconds()) as $row) {
                $lock->renew();
                $this->checkRefund($row, $counts);
            }
            foreach ($this->services->comparisons->leaseDue(self::BATCH_SIZE, self::leaseSeconds()) as $attempt) {
                if (time() >= $until) {
                    break;
                }
                $lock->renew();
                $this->compareRefunds($attempt, $counts);
            }
            (new ResolveAttention($this->services))->runAll();
            $this->services->events->prune(self::EVENT_RETENTION_SECONDS);
            $this->services->health->recordCheck($counts);
        });
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function checkAttempt(Attempt $attempt, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            if ((new CheckAttempt($this->services))->run($attempt)) {
                $this->services->attempts->markChecked($attempt->id, self::leaseSeconds());
            }
        } catch (\Throwable $error) {
            $counts['failed'] += 1;
            $failures = $attempt->failedChecks + 1;
            $this->services->attempts->markCheckFailed($attempt->id, self::retryDelay($failures));
            $this->recordFailure("Order {$attempt->orderId}: payment check failed: {$error->getMessage()}");
            if ($failures >= self::MAX_FAILED_CHECKS) {
                $counts['given_up'] += 1;
                $this->abandon($attempt, $error);
            }
        }
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function checkRefund(RefundRow $row, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            (new ResolveRefund($this->services))->run($row);
        } catch (\Throwable $error) {
            $counts['failed'] += 1;
            $this->services->refunds->markCheckFailed($row->id, self::retryDelay($row->failedChecks + 1));
            $this->recordFailure("Order {$row->orderId}: refund check failed: {$error->getMessage()}");
        }
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function compareRefunds(Attempt $attempt, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            (new CompareRefunds($this->services))->run($attempt);
        } catch (\Throwable $error) {
            // The comparison is due again when the lease expires.
            if ($error instanceof PluginError && $error->is(PluginError::BUSY)) {
                return;
            }
            $counts['failed'] += 1;
            $isAbandoned = $attempt->failedChecks + 1 >= self::MAX_FAILED_CHECKS;
            $counts['given_up'] += $isAbandoned ? 1 : 0;
            $this->services->comparisons->markFailed($attempt->id, $isAbandoned ? null : self::MAX_CHECK_DELAY_SECONDS);
            $what = $isAbandoned ? 'refund comparison abandoned' : 'refund comparison failed';
            $this->recordFailure("Order {$attempt->orderId}: $what: {$error->getMessage()}");
        }
    }

    private function abandon(Attempt $attempt, \Throwable $cause): void
    {
        $this->services->attempts->markAbandoned($attempt->id);
        $what = $attempt->tillgateOrderId ?? (string) ($attempt->request['idempotency_key'] ?? $attempt->id);
        $this->services->log->error("Order {$attempt->orderId}: stopped checking $what: {$cause->getMessage()}");
        $order = Orders::find($attempt->orderId);
        if ($order !== null) {
            $rules = $this->services->rules;
            Orders::addNoteOnce($order, NoteText::render($rules->note('payment_abandoned'), [
                'payment' => NoteText::render($rules->phrase('payment'), ['tillgate_order' => $what]),
                'times' => (string) self::MAX_FAILED_CHECKS,
            ]));
        }
    }

    private function recordFailure(string $text): void
    {
        $this->services->log->warning($text);
        $this->services->health->recordError(Health::CAUSE_UNREACHABLE, $text);
    }

    /** The lease is shorter than the interval, so that items are due again at the next run. */
    private static function leaseSeconds(): int
    {
        return intdiv(self::INTERVAL_SECONDS * 3, 4);
    }

    private static function retryDelay(int $failures): int
    {
        return min(self::MAX_CHECK_DELAY_SECONDS, self::leaseSeconds() * 2 ** min($failures - 1, 10));
    }
}
