<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Differences;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

final class ComparePayments
{
    use WithServices;

    /** Initial values for a mode: the totals that Tillgate has received, and the Tillgate order IDs of skipped payments to report. */
    private const NONE_SENT = ['compared' => 0, 'skipped' => 0, 'unsent' => []];

    /** Ends a run once this many skipped payments could not be reported to Tillgate, which accepts at most 10,000 in a request. */
    private const MAX_UNSENT = 500;

    /**
     * Compares a payment, or deletes its differences if the payment belongs to another account.
     * @return array<int, array<string, mixed>> differences not marked as correct
     */
    public function runOne(Attempt $attempt): array
    {
        return $this->save($attempt, $this->belongsToOtherAccount($attempt) ? [] : $this->sendOne($attempt));
    }

    /**
     * Compares a batch of payments. A payment that cannot be compared does not prevent the comparison of the other payments.
     * @param non-empty-list<Attempt> $attempts with the same client
     * @param array<string, mixed>    $run
     */
    public function runBatch(array $attempts, array &$run): void
    {
        $rows = [];
        foreach ($attempts as $index => $attempt) {
            try {
                $rows[$index] = (new DescribePayment($this->services))->run($attempt);
            } catch (\Throwable $error) {
                $this->skip([$attempt], $run, $error);
            }
        }
        $attempts = array_values(array_intersect_key($attempts, $rows));
        $rows = array_values($rows);
        if ($attempts === []) {
            return;
        }
        try {
            $isSent = !$this->belongsToOtherAccount($attempts[0]);
            $found = $isSent ? $this->sendPart($attempts[0]->mode, $attempts[0]->clientId, $rows, $run, false) : [];
        } catch (\Throwable $error) {
            $invalid = self::invalidOrders($error);
            $this->skip($invalid === [] ? $attempts : array_intersect_key($attempts, $invalid), $run, $error);
            $others = array_values(array_diff_key($attempts, $invalid));
            if ($invalid !== [] && $others !== []) {
                $this->runBatch($others, $run);
            }
            return;
        }
        foreach ($attempts as $index => $attempt) {
            try {
                $this->saveIfUnchanged($attempt, $rows[$index], $found[$attempt->tillgateOrderId] ?? []);
                $run['compared'] += $isSent ? 1 : 0;
            } catch (\Throwable $error) {
                $run['failed'] += 1;
                $this->recordFailure("Order $attempt->orderId", $error, $run);
            }
        }
    }

    /** Whether Tillgate is out of date or remains unreachable, so that the run cannot be completed there. @param array<string, mixed> $run */
    public static function endsEarly(array $run): bool
    {
        return $run['outdated'] || max(array_map('count', array_column($run['sent'], 'unsent')) + [0]) >= self::MAX_UNSENT;
    }

    /** Completes the run in Tillgate, which drops differences not found again, except those of skipped payments. @param array<string, mixed> $run */
    public function complete(array &$run): void
    {
        foreach (array_keys($run['sent'] + [$this->services->settings->mode() => self::NONE_SENT]) as $mode) {
            $clientId = Credentials::currentClientId($mode);
            if ($clientId === null) {
                continue;
            }
            try {
                $this->sendPart($mode, $clientId, [], $run, true);
            } catch (\Throwable $error) {
                $this->recordFailure(ucfirst($mode) . ' mode', $error, $run);
            }
        }
    }

    /**
     * Sends payments of a run. The totals of the first call count only that call's payments, so that Tillgate starts a new run.
     * @param array<int, array<string, mixed>> $rows
     * @param array<string, mixed>             $run
     * @return array<string, array<int, array<string, mixed>>> the differences, by Tillgate order ID
     */
    private function sendPart(string $mode, string $clientId, array $rows, array &$run, bool $isLast): array
    {
        $before = $run['sent'][$mode] ?? self::NONE_SENT;
        $totals = ['compared' => $before['compared'] + count($rows), 'skipped' => $before['skipped'] + count($before['unsent'])];
        $body = ['orders' => $rows, 'skipped_orders' => $before['unsent'], 'progress' => $totals + ['completed' => $isLast]];
        $found = $this->send($mode, $clientId, $run['begun_at'], $body);
        $run['sent'][$mode] = $totals + self::NONE_SENT;
        return $found;
    }

    /** @return array<int, array<string, mixed>> */
    private function sendOne(Attempt $attempt): array
    {
        $body = ['orders' => [(new DescribePayment($this->services))->run($attempt)]];
        return $this->send($attempt->mode, $attempt->clientId, time(), $body)[$attempt->tillgateOrderId] ?? [];
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, array<int, array<string, mixed>>> the differences, by Tillgate order ID
     */
    private function send(string $mode, string $clientId, int $begunAt, array $body): array
    {
        return $this->services->settings->clientFor($mode, $clientId)->compare(gmdate('Y-m-d', $begunAt), $body);
    }

    /**
     * Counts payments as skipped. Tillgate retains the differences of skipped payments.
     * @param array<int, Attempt>  $attempts of one mode
     * @param array<string, mixed> $run
     */
    private function skip(array $attempts, array &$run, \Throwable $error): void
    {
        $mode = reset($attempts)->mode;
        $sent = $run['sent'][$mode] ?? self::NONE_SENT;
        $run['sent'][$mode] = ['unsent' => array_merge($sent['unsent'], array_column($attempts, 'tillgateOrderId'))] + $sent;
        $run['failed'] += count($attempts);
        $this->recordFailure(count($attempts) === 1 ? 'Order ' . reset($attempts)->orderId : count($attempts) . ' payments', $error, $run);
    }

    /**
     * Stores the differences or, if the payment has changed since it was described (for example by a repair), compares the payment again.
     * @param array<string, mixed>             $row
     * @param array<int, array<string, mixed>> $found
     */
    private function saveIfUnchanged(Attempt $attempt, array $row, array $found): void
    {
        if ($found === [] && $this->services->differences->ofPayment($attempt->id) === []) {
            return;
        }
        $current = $this->services->attempts->byId($attempt->id) ?? $attempt;
        $currentRow = (new DescribePayment($this->services))->run($current);
        unset($row['shop_order']['changed_seconds_ago'], $currentRow['shop_order']['changed_seconds_ago']);
        if ($currentRow === $row) {
            $this->save($current, $found);
        } else {
            $this->runOne($current);
        }
    }

    /**
     * Stores the differences. Differences that the merchant marked as correct stay marked unless they have changed.
     * @param array<int, array<string, mixed>> $found
     * @return array<int, array<string, mixed>> those not marked as correct
     */
    private function save(Attempt $attempt, array $found): array
    {
        $accepted = (new DescribePayment($this->services))->accepted($attempt);
        $differences = [];
        foreach ($found as $difference) {
            $differences[] = [
                'subject' => $difference['subject'],
                'id' => $difference['subject_id'],
                'field' => $difference['field'],
                'kind' => $difference['kind'],
                'repair' => $difference['repair'],
                'fields' => $difference['values'],
                'text' => $difference['text'],
                'advice' => $difference['advice'],
                'accepted' => in_array(Differences::identity($difference, $difference['subject_id']), $accepted, true),
            ];
        }
        $this->services->differences->save($attempt->id, $attempt->orderId, $differences);
        return Differences::open($differences);
    }

    /** Whether the payment's client no longer has a secret and the current account doesn't know the payment, so that it cannot be compared. */
    private function belongsToOtherAccount(Attempt $attempt): bool
    {
        if (Credentials::forClient($attempt->mode, $attempt->clientId) !== []) {
            return false;
        }
        try {
            $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->getOrder((string) $attempt->tillgateOrderId);
            return false;
        } catch (ApiError $error) {
            if ($error->status !== 404) {
                throw $error;
            }
            return true;
        }
    }

    /** @param array<string, mixed> $run */
    private function recordFailure(string $of, \Throwable $error, array &$run): void
    {
        $isOutdated = $error instanceof ApiError && $error->status === 404;
        $run['outdated'] = $run['outdated'] || $isOutdated;
        // If Tillgate rejected an order, it would reject the same order again, so a retry would not help.
        $run['retry'] = $run['retry'] || (!$isOutdated && self::invalidOrders($error) === []);
        $text = "$of: reconciliation failed: {$error->getMessage()}";
        $this->services->log->warning($text);
        $this->services->health->recordError(Health::CAUSE_UNREACHABLE, $text);
    }

    /** @return array<int, true> the orders with a field that Tillgate rejected, keyed by their index in the request */
    private static function invalidOrders(\Throwable $error): array
    {
        $invalid = [];
        foreach ($error instanceof ApiError ? array_keys($error->fields) : [] as $field) {
            if (preg_match('~^orders\.(\d+)~', (string) $field, $found) === 1) {
                $invalid[(int) $found[1]] = true;
            }
        }
        return $invalid;
    }
}
