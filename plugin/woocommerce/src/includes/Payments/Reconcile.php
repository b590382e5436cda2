<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * Compares the payments of the last months with Tillgate, each night and when somebody asks for it, and keeps what differs. A run is
 * made in steps, each of which ends by itself; the sweep makes the next.
 */
final class Reconcile
{
    use WithServices;

    public const OPTION = 'tillgate_books';
    private const DAYS = 90;
    private const BATCH_SIZE = 20;
    private const STEP_SECONDS = 20;
    /** The hours of the shop's clock in which a run begins by itself. */
    private const NIGHT_HOURS = [2, 3, 4];
    private const MIN_INTERVAL_SECONDS = 64800;
    /** A run in which a payment could not be compared is made again. */
    private const RETRY_DELAY_SECONDS = 3600;
    /** A shop without background work at night is compared when there is some. */
    private const MAX_INTERVAL_SECONDS = 108000;

    /** @return array{begun_at: int, after: int, compared: int, failed: int, ended_at: int|null}|null null before the first run */
    public static function lastRun(): ?array
    {
        $run = get_option(self::OPTION);
        return is_array($run) ? $run : null;
    }

    /** Begins a run. One that is under way goes on instead. */
    public function start(): void
    {
        $last = self::lastRun();
        if ($last === null || $last['ended_at'] !== null) {
            self::saveRun(['begun_at' => time(), 'after' => 0, 'compared' => 0, 'failed' => 0, 'ended_at' => null]);
        }
    }

    /** To be called again and again: begins a run where one is due, and makes a step of one that is under way. */
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

    /** @param array{begun_at: int, failed: int, ended_at: int|null}|null $last */
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
     * Compares one payment, and keeps what differs.
     *
     * @return array<int, array<string, mixed>>
     */
    public function comparePayment(Attempt $attempt): array
    {
        $snapshot = (new LoadSnapshot($this->services))->run($attempt);
        // The account in use was asked, as no secret of the payment's own client is left, and knows nothing of it: it is of another
        // account, which this shop was connected with before. Nobody here can say how it stands there.
        $isOfAnotherAccount = $snapshot->remote === null && Credentials::forClient($attempt->mode, $attempt->clientId) === [];
        $found = $isOfAnotherAccount ? [] : (new CompareOrder($this->services->comparisonRules, $this->services->money))->run($snapshot);
        if ($attempt->isDifferenceAccepted) {
            // The owner said that the refunds are right as they are.
            $found = array_values(array_filter($found, static function (array $one): bool {
                return $one['subject'] === 'order' && $one['field'] !== 'refunded';
            }));
        }
        $this->services->differences->save($attempt->id, $attempt->orderId, $found);
        return $found;
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
        $run['compared'] += 1;
        try {
            $this->comparePayment($attempt);
        } catch (\Throwable $error) {
            $run['failed'] += 1;
            $text = "Order {$attempt->orderId}: could not be compared with Tillgate: {$error->getMessage()}";
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
