<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * Compares the payments of the last 90 days with Tillgate, every night and on request, and stores the differences. A run consists of steps
 * with a time limit; each scheduled check runs one.
 */
final class Reconcile
{
    use WithServices;

    public const OPTION = 'tillgate_books';
    private const DAYS = 90;
    private const BATCH_SIZE = 20;
    private const STEP_SECONDS = 20;
    /** Hours (shop time zone) in which a nightly run may start. */
    private const NIGHT_HOURS = [2, 3, 4];
    private const MIN_INTERVAL_SECONDS = 64800;
    /** Delay before a run with failed comparisons is repeated. */
    private const RETRY_DELAY_SECONDS = 3600;
    /** Starts a run by day if none could start at night. */
    private const MAX_INTERVAL_SECONDS = 108000;

    /** @return array{begun_at: int, after: int, compared: int, failed: int, ended_at: int|null}|null null before the first run */
    public static function lastRun(): ?array
    {
        $run = get_option(self::OPTION);
        return is_array($run) ? $run : null;
    }

    /** Starts a run unless one is in progress. */
    public function start(): void
    {
        $last = self::lastRun();
        if ($last === null || $last['ended_at'] !== null) {
            self::saveRun(['begun_at' => time(), 'after' => 0, 'compared' => 0, 'failed' => 0, 'ended_at' => null]);
        }
    }

    /** Starts a run if one is due, and runs the next step of the current run. */
    public function advance(): void
    {
        if (self::isDue(self::lastRun(), time(), (int) wp_date('G'))) {
            $this->start();
        }
        $run = self::lastRun();
        if ($run !== null && $run['ended_at'] === null) {
            $this->services->locks->runExclusively('books', function (Lock $lock) use ($run): void {
                $this->runStep($lock, $run);
            });
        }
    }

    /**
     * Returns whether a run has to be started.
     *
     * @param array{begun_at: int, failed: int, ended_at: int|null}|null $last
     * @param int $hour of the day, in the shop's time zone
     */
    public static function isDue(?array $last, int $now, int $hour): bool
    {
        if ($last === null) {
            return true;
        }
        $age = $now - $last['begun_at'];
        $isNight = in_array($hour, self::NIGHT_HOURS, true);
        return $last['ended_at'] !== null
            && ($age >= self::MAX_INTERVAL_SECONDS || ($last['failed'] > 0 && $age >= self::RETRY_DELAY_SECONDS) || ($isNight && $age >= self::MIN_INTERVAL_SECONDS));
    }

    /**
     * Compares a payment and stores its differences, without refund differences that the merchant marked as correct.
     *
     * @return array<int, array<string, mixed>> the stored differences
     */
    public function comparePayment(Attempt $attempt): array
    {
        $snapshot = (new LoadSnapshot($this->services))->run($attempt);
        // Without a secret of the payment's client, the current account was queried. If it doesn't know the payment, the payment belongs
        // to a previously connected account and cannot be compared.
        $isOtherAccount = $snapshot->remote === null && Credentials::forClient($attempt->mode, $attempt->clientId) === [];
        $differences = $isOtherAccount ? [] : (new CompareOrder($this->services->comparisonRules, $this->services->money))->run($snapshot);
        if ($attempt->isDifferenceAccepted) {
            // The merchant marked the refund difference as correct.
            $differences = array_values(array_filter($differences, static function (array $difference): bool {
                return $difference['subject'] === 'order' && $difference['field'] !== 'refunded';
            }));
        }
        $this->services->differences->save($attempt->id, $attempt->orderId, $differences);
        return $differences;
    }

    /** @param array{begun_at: int, after: int, compared: int, failed: int, ended_at: int|null} $run */
    private function runStep(Lock $lock, array $run): void
    {
        $until = time() + self::STEP_SECONDS;
        do {
            $attempts = $this->services->attempts->listToCompare(self::DAYS * DAY_IN_SECONDS, $run['after'], self::BATCH_SIZE);
            foreach ($attempts as $attempt) {
                $lock->renew();
                $this->tryCompare($attempt, $run);
            }
            $run['ended_at'] = count($attempts) < self::BATCH_SIZE ? time() : null;
            self::saveRun($run);
        } while ($run['ended_at'] === null && time() < $until);
    }

    /** @param array{begun_at: int, after: int, compared: int, failed: int, ended_at: int|null} $run */
    private function tryCompare(Attempt $attempt, array &$run): void
    {
        $run['after'] = $attempt->id;
        if ($attempt->tillgateOrderId === null) {
            return;
        }
        try {
            $this->comparePayment($attempt);
            $run['compared'] += 1;
        } catch (\Throwable $error) {
            $run['failed'] += 1;
            $text = "Order {$attempt->orderId}: reconciliation failed: {$error->getMessage()}";
            $this->services->log->warning($text);
            $this->services->health->recordError(Health::CAUSE_UNREACHABLE, $text);
        }
    }

    /** @param array<string, int|null> $run */
    private static function saveRun(array $run): void
    {
        update_option(self::OPTION, $run, false);
    }
}
