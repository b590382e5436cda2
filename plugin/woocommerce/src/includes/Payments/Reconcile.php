<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\WithServices;

/**
 * Compares payments with Tillgate every night and on request: payments from the last 90 days, and older payments with open differences.
 * Each background run executes one step, with a time limit.
 */
final class Reconcile
{
    use WithServices;

    public const OPTION = 'tillgate_books';
    private const DAYS = 90;
    private const BATCH_SIZE = 50;
    private const STEP_SECONDS = 20;
    /** Hours (shop time zone) in which a nightly run may start. */
    private const NIGHT_HOURS = [2, 3, 4];
    private const MIN_INTERVAL_SECONDS = 64800;
    /** Minimum time between the starts of a failed run and its repetition. */
    private const RETRY_DELAY_SECONDS = 3600;
    /** Starts a run during the day if none could start at night. */
    private const MAX_INTERVAL_SECONDS = 108000;

    /**
     * Returns the current or last run. `retry` is true if repeating the run soon may help, and `outdated` if the Tillgate server is too
     * old. `sent` contains, by mode, the totals that Tillgate has received and the skipped payments not yet reported to it.
     * @return array{begun_at: int, after: int, compared: int, failed: int, retry: bool, outdated: bool, ended_at: int|null, sent: array<string, array<string, mixed>>}|null
     */
    public static function lastRun(): ?array
    {
        $run = get_option(self::OPTION);
        return is_array($run) ? $run : null;
    }

    /** Starts a run, unless another run is in progress. */
    public function start(): void
    {
        $last = self::lastRun();
        if ($last === null || $last['ended_at'] !== null) {
            self::saveRun(['begun_at' => time(), 'after' => 0, 'compared' => 0, 'failed' => 0, 'retry' => false, 'outdated' => false, 'ended_at' => null, 'sent' => []]);
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
     * @param array{begun_at: int, retry: bool, ended_at: int|null}|null $last
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
            && ($age >= self::MAX_INTERVAL_SECONDS || ($last['retry'] && $age >= self::RETRY_DELAY_SECONDS) || ($isNight && $age >= self::MIN_INTERVAL_SECONDS));
    }

    /** @param array{begun_at: int, after: int, compared: int, failed: int, retry: bool, outdated: bool, ended_at: int|null, sent: array<string, array<string, mixed>>} $run */
    private function runStep(Lock $lock, array $run): void
    {
        $comparison = new ComparePayments($this->services);
        $until = time() + self::STEP_SECONDS;
        do {
            $attempts = $this->services->attempts->listToCompare(self::DAYS * DAY_IN_SECONDS, $run['after'], self::BATCH_SIZE);
            $groups = [];
            foreach ($attempts as $attempt) {
                $run['after'] = $attempt->id;
                if ($attempt->tillgateOrderId !== null) {
                    $groups["$attempt->mode $attempt->clientId"][] = $attempt;
                }
            }
            foreach ($groups as $group) {
                $lock->renew();
                $comparison->runBatch($group, $run);
            }
            $endsEarly = ComparePayments::endsEarly($run);
            if (count($attempts) < self::BATCH_SIZE || $endsEarly) {
                $endsEarly || $comparison->complete($run);
                $run['ended_at'] = time();
            }
            self::saveRun($run);
        } while ($run['ended_at'] === null && time() < $until);
    }

    /** @param array<string, mixed> $run */
    private static function saveRun(array $run): void
    {
        update_option(self::OPTION, $run, false);
    }
}
