<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/** Has Tillgate compare payments with their orders in the shop, and stores the differences. */
final class ComparePayments
{
    use WithServices;

    private const NONE_SENT = ['compared' => 0, 'skipped' => []];

    /**
     * Compares a payment.
     *
     * @return array<int, array<string, mixed>> the stored differences
     */
    public function runOne(Attempt $attempt): array
    {
        return $this->save($attempt, $this->belongsToOtherAccount($attempt) ? [] : $this->send([$attempt], time(), []));
    }

    /**
     * Compares a batch of a run. Payments that cannot be compared are counted, and don't keep the others from being compared.
     *
     * @param non-empty-list<Attempt> $attempts of one client
     * @param array<string, mixed>    $run      `sent`: by mode, the number of compared payments and the Tillgate IDs of the others
     * @return array<string, mixed> the run with its new totals
     */
    public function runBatch(array $attempts, array $run): array
    {
        $mode = $attempts[0]->mode;
        $before = $run['sent'][$mode] ?? self::NONE_SENT;
        try {
            $isSent = !$this->belongsToOtherAccount($attempts[0]);
            $after = ['compared' => $before['compared'] + ($isSent ? count($attempts) : 0)] + $before;
            $found = $isSent ? $this->send($attempts, $run['begun_at'], ['progress' => self::progress($after, false)]) : [];
            foreach ($attempts as $attempt) {
                $this->save($attempt, $found);
            }
            $run['compared'] += count($attempts);
            $run['sent'][$mode] = $after;
        } catch (\Throwable $error) {
            $isOneInvalid = $error instanceof ApiError ? strpos((string) key($error->fields), 'orders.') === 0 : !$error instanceof ApiConnectionError;
            if ($isOneInvalid && count($attempts) > 1) {
                [$first, $second] = array_chunk($attempts, intdiv(count($attempts) + 1, 2));
                return $this->runBatch($second, $this->runBatch($first, $run));
            }
            $run['failed'] += count($attempts);
            $run['sent'][$mode] = ['skipped' => array_merge($before['skipped'], array_column($attempts, 'tillgateOrderId'))] + $before;
            $this->recordFailure(count($attempts) === 1 ? "Order {$attempts[0]->orderId}" : count($attempts) . ' payments', $error);
        }
        return $run;
    }

    /**
     * Completes a run in Tillgate, which then drops the differences that the run did not find again, except those of skipped payments.
     *
     * @param array<string, mixed> $run
     */
    public function complete(array $run): void
    {
        foreach ($run['sent'] + [$this->services->settings->mode() => self::NONE_SENT] as $mode => $totals) {
            $clientId = Credentials::currentClientId($mode);
            if ($clientId === null) {
                continue;
            }
            try {
                $body = ['orders' => [], 'skipped_orders' => $totals['skipped'], 'progress' => self::progress($totals, true)];
                $this->services->settings->clientFor($mode, $clientId)->compare(self::day($run['begun_at']), $body);
            } catch (\Throwable $error) {
                $this->recordFailure(ucfirst($mode) . ' mode', $error);
            }
        }
    }

    /**
     * Sends payments to Tillgate, by the key that they were started with.
     *
     * @param non-empty-list<Attempt> $attempts of one client
     * @param array<string, mixed>    $more     further fields of the body
     * @return array<string, array<int, array<string, mixed>>> the differences, by Tillgate order ID
     */
    private function send(array $attempts, int $begunAt, array $more): array
    {
        $client = $this->services->settings->clientFor($attempts[0]->mode, $attempts[0]->clientId);
        return $client->compare(self::day($begunAt), ['orders' => array_map([new DescribePayment($this->services), 'run'], $attempts)] + $more);
    }

    /**
     * Stores the differences of a payment, without refund differences that the merchant marked as correct.
     *
     * @param array<string, array<int, array<string, mixed>>> $found differences by Tillgate order ID
     * @return array<int, array<string, mixed>> the stored differences
     */
    private function save(Attempt $attempt, array $found): array
    {
        $differences = [];
        foreach ($found[$attempt->tillgateOrderId] ?? [] as $difference) {
            if (!$attempt->isDifferenceAccepted || ($difference['subject'] === 'order' && $difference['field'] !== 'refunded')) {
                $differences[] = [
                    'subject' => $difference['subject'],
                    'id' => $difference['subject_id'],
                    'field' => $difference['field'],
                    'kind' => $difference['kind'],
                    'repair' => $difference['repair'],
                    'fields' => $difference['values'],
                    'text' => $difference['text'],
                    'advice' => $difference['advice'],
                ];
            }
        }
        $this->services->differences->save($attempt->id, $attempt->orderId, $differences);
        return $differences;
    }

    /**
     * Returns whether the payment's client has no secret any more and the current account doesn't know the payment: it belongs to a
     * previously connected account and cannot be compared.
     */
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

    private function recordFailure(string $of, \Throwable $error): void
    {
        $text = "$of: reconciliation failed: {$error->getMessage()}";
        $this->services->log->warning($text);
        $this->services->health->recordError(Health::CAUSE_UNREACHABLE, $text);
    }

    /**
     * @param array{compared: int, skipped: string[]} $totals
     * @return array<string, int|bool>
     */
    private static function progress(array $totals, bool $isCompleted): array
    {
        return ['compared' => $totals['compared'], 'skipped' => count($totals['skipped']), 'completed' => $isCompleted];
    }

    /** @return string the UTC day of a Unix time */
    private static function day(int $time): string
    {
        return gmdate('Y-m-d', $time);
    }
}
