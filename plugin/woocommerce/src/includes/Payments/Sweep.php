<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

/**
 * Repairs lost webhooks: asks the API about attempts and refunds under way. Each is independent: a failed one is tried
 * again later, and no other waits for it.
 */
final class Sweep
{
    use WithServices;

    public const INTERVAL_SECONDS = 120;
    /** After this time, refunds that crossed have settled: then shop and Tillgate are compared. */
    public const COMPARE_IN_SECONDS = 90;
    private const BATCH = 20;
    private const MAX_BATCHES = 20;
    /** Under the time limits of hosts, so that the sweep ends by itself. */
    private const MAX_SECONDS = 25;
    private const MAX_CHECK_DELAY_SECONDS = 1800;
    private const MAX_FAILED_CHECKS = 60;
    private const KEEP_EVENTS_SECONDS = 7776000;

    public function run(): void
    {
        if (SiteAddress::isElsewhere()) {
            // Maybe a copy of the shop: its owner is asked first.
            return;
        }
        $this->services->claims->alone('sweep', function ($held): void {
            $counts = ['checked' => 0, 'failed' => 0, 'given_up' => 0];
            $until = time() + self::MAX_SECONDS;
            for ($batch = 1; $batch <= self::MAX_BATCHES && time() < $until; $batch += 1) {
                // Due again well before the next sweep but one, also when this process dies on the way.
                $due = $this->services->attempts->takeDue(self::BATCH, self::rest());
                foreach ($due as $attempt) {
                    $held->keep();
                    $this->checkOne($attempt, $counts);
                }
                if (count($due) < self::BATCH) {
                    break;
                }
            }
            foreach ($this->services->refunds->takeDue(self::BATCH, self::rest()) as $row) {
                $held->keep();
                $this->settleOne($row, $counts);
            }
            foreach ($this->services->comparisons->takeDue(self::BATCH, self::rest()) as $attempt) {
                if (time() >= $until) {
                    break;
                }
                $held->keep();
                $this->compareOne($attempt, $counts);
            }
            (new SettleAttention($this->services))->all();
            $this->services->events->prune(self::KEEP_EVENTS_SECONDS);
            $this->services->health->swept($counts);
        });
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function checkOne(Attempt $attempt, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            if ((new CheckAttempt($this->services))->of($attempt)) {
                $this->services->attempts->checked($attempt->id, self::rest());
            }
        } catch (\Throwable $error) {
            $counts['failed'] += 1;
            $failures = $attempt->failedChecks + 1;
            $this->services->attempts->checkFailed($attempt->id, self::delay($failures));
            $this->report("Order {$attempt->orderId}: the sweep could not settle a payment: {$error->getMessage()}");
            if ($failures >= self::MAX_FAILED_CHECKS) {
                $counts['given_up'] += 1;
                $this->giveUp($attempt, $error);
            }
        }
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function settleOne(RefundRow $row, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            (new SettleRefund($this->services))->of($row);
        } catch (\Throwable $error) {
            $counts['failed'] += 1;
            $this->services->refunds->checkFailed($row->id, self::delay($row->failedChecks + 1));
            $this->report("Order {$row->orderId}: the sweep could not settle a refund: {$error->getMessage()}");
        }
    }

    /** @param array{checked: int, failed: int, given_up: int} $counts */
    private function compareOne(Attempt $attempt, array &$counts): void
    {
        $counts['checked'] += 1;
        try {
            (new CompareRefunds($this->services))->of($attempt);
        } catch (\Throwable $error) {
            // Where somebody works on the order, it is due again after the rest that it was taken with.
            if ($error instanceof Problem && $error->is(Problem::BUSY)) {
                return;
            }
            $counts['failed'] += 1;
            $isLast = $attempt->failedChecks + 1 >= self::MAX_FAILED_CHECKS;
            $counts['given_up'] += $isLast ? 1 : 0;
            $this->services->comparisons->failed($attempt->id, $isLast ? null : self::MAX_CHECK_DELAY_SECONDS);
            $what = $isLast ? 'gave up comparing refunds' : 'could not compare refunds';
            $this->report("Order {$attempt->orderId}: the sweep $what: {$error->getMessage()}");
        }
    }

    /** The last word on an attempt that cannot be settled: for a person, in the log and on the order. */
    private function giveUp(Attempt $attempt, \Throwable $cause): void
    {
        $this->services->attempts->givenUp($attempt->id);
        $what = $attempt->tillgateOrderId ?? (string) ($attempt->request['idempotency_key'] ?? $attempt->id);
        $this->services->log->error("Order {$attempt->orderId}: gave up on $what: {$cause->getMessage()}");
        $order = Orders::find($attempt->orderId);
        if ($order !== null) {
            $rules = $this->services->rules;
            Orders::noteOnce($order, NoteText::of($rules->note('payment_given_up'), [
                'payment' => NoteText::of($rules->phrase('payment'), ['tillgate_order' => $what]),
                'times' => (string) self::MAX_FAILED_CHECKS,
            ]));
        }
    }

    private function report(string $text): void
    {
        $this->services->log->warning($text);
        $this->services->health->failed(Health::CAUSE_UNREACHABLE, $text);
    }

    /** A little under the sweep's rhythm, so that the next sweep finds it due. */
    private static function rest(): int
    {
        return intdiv(self::INTERVAL_SECONDS * 3, 4);
    }

    private static function delay(int $failures): int
    {
        return min(self::MAX_CHECK_DELAY_SECONDS, self::rest() * 2 ** min($failures - 1, 10));
    }
}
