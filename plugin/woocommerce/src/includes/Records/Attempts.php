<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

final class Attempts extends PolledTable
{
    private const ABANDONED_REPORTED_SECONDS = 604800;

    protected function name(): string
    {
        return 'attempts';
    }

    public function current(int $orderId): ?Attempt
    {
        return $this->findOne('current_order_id = %d', [$orderId]);
    }

    public function byId(int $id): ?Attempt
    {
        return $this->findOne('id = %d', [$id]);
    }

    public function byTillgateOrder(string $tillgateOrderId): ?Attempt
    {
        return $this->findOne('tillgate_order_id = %s', [$tillgateOrderId]);
    }

    public function byTransaction(int $orderId, string $trxId): ?Attempt
    {
        return $this->findOne('order_id = %d AND trx_id = %s', [$orderId, $trxId]);
    }

    /** Returns the attempt with this transaction, otherwise the order's current attempt. */
    public function findForDisplay(int $orderId, string $trxId): ?Attempt
    {
        return ($trxId === '' ? null : $this->byTransaction($orderId, $trxId)) ?? $this->current($orderId);
    }

    /** @return Attempt[] all attempts of the order, oldest first */
    public function forOrder(int $orderId): array
    {
        return array_map([Attempt::class, 'fromRow'], $this->rows('SELECT * FROM {table} WHERE order_id = %d ORDER BY id', [$orderId]));
    }

    /** @return Attempt[] created in the last $seconds, with IDs above $afterId, in ascending order of ID */
    public function listSince(int $seconds, int $afterId, int $limit): array
    {
        return array_map([Attempt::class, 'fromRow'], $this->rows(
            'SELECT * FROM {table} WHERE created_at >= UNIX_TIMESTAMP() - %d AND id > %d ORDER BY id LIMIT %d',
            [$seconds, $afterId, $limit]
        ));
    }

    /** @return Attempt[] created in the last $seconds or with an open difference; with IDs above $afterId, in ascending order of ID */
    public function listToCompare(int $seconds, int $afterId, int $limit): array
    {
        $differing = 'SELECT attempt_id FROM ' . Schema::table($this->wpdb, 'differences') . ' WHERE open_count > 0';
        return array_map([Attempt::class, 'fromRow'], $this->rows(
            "SELECT * FROM {table} WHERE (created_at >= UNIX_TIMESTAMP() - %d OR id IN ($differing)) AND id > %d ORDER BY id LIMIT %d",
            [$seconds, $afterId, $limit]
        ));
    }

    public function create(
        int $orderId,
        string $mode,
        string $clientId,
        array $request,
        int $amountMinor,
        int $checkInSeconds
    ): Attempt {
        $this->run('START TRANSACTION');
        try {
            $this->run('UPDATE {table} SET current_order_id = NULL WHERE current_order_id = %d', [$orderId]);
            $this->run(
                'INSERT INTO {table} (order_id, current_order_id, idempotency_key, mode, client_id, request,'
                . ' amount_minor, currency, next_check_at, created_at, updated_at) VALUES (%d, %d, %s, %s, %s, %s,'
                . ' %d, %s, UNIX_TIMESTAMP() + %d, UNIX_TIMESTAMP(), UNIX_TIMESTAMP())',
                [
                    $orderId,
                    $orderId,
                    $request['idempotency_key'],
                    $mode,
                    $clientId,
                    (string) wp_json_encode($request),
                    $amountMinor,
                    $request['currency'],
                    $checkInSeconds,
                ]
            );
            $this->run('COMMIT');
        } catch (\Throwable $error) {
            $this->wpdb->query('ROLLBACK');
            throw $error;
        }
        return $this->orFail($this->current($orderId), "the new attempt of order $orderId");
    }

    /** Stores the Tillgate order and sets the state to `pending`. An attempt in a state other than `creating` is left unchanged. */
    public function markCreated(
        int $id,
        string $tillgateOrderId,
        string $paymentUrl,
        ?string $qrData,
        int $expiresAt
    ): Attempt {
        $this->run(
            "UPDATE {table} SET state = 'pending', tillgate_order_id = %s, payment_url = %s, qr_data = %s,"
            . ' expires_at = %d, checked_at = UNIX_TIMESTAMP(), updated_at = UNIX_TIMESTAMP()'
            . " WHERE id = %d AND state = 'creating'",
            [$tillgateOrderId, $paymentUrl, $qrData, $expiresAt, $id]
        );
        return $this->orFail($this->byId($id), "attempt $id");
    }

    public function markRejected(int $id): void
    {
        $this->run(
            "UPDATE {table} SET state = 'refused', updated_at = UNIX_TIMESTAMP() WHERE id = %d AND state = 'creating'",
            [$id]
        );
    }

    public function setCancelReason(int $id, string $reason): void
    {
        $this->run(
            'UPDATE {table} SET cancel_reason = %s, updated_at = UNIX_TIMESTAMP() WHERE id = %d',
            [substr($reason, 0, 255), $id]
        );
    }

    /** Stores the state that results from an event. Events about individual refunds don't change the state. */
    public function recordEvent(Attempt $attempt, string $eventType, ?string $trxId): void
    {
        switch ($eventType) {
            case 'pos.order.paid':
                // A replay may deliver the paid event after the refund.
                if ($attempt->state === 'refunded') {
                    return;
                }
                $this->complete($attempt->id, 'paid', $trxId);
                return;
            case 'pos.order.refunded':
                $this->complete($attempt->id, 'refunded', $trxId);
                return;
            case 'pos.order.expired':
            case 'pos.order.cancelled':
                // A final state is never overwritten by a late event.
                if ($attempt->state === 'pending') {
                    $this->complete($attempt->id, $eventType === 'pos.order.expired' ? 'expired' : 'cancelled', null);
                }
        }
    }

    /** @param string|null $trxId null to keep the stored transaction ID */
    public function complete(int $id, string $state, ?string $trxId): void
    {
        $this->run(
            'UPDATE {table} SET state = %s, trx_id = COALESCE(%s, trx_id), updated_at = UNIX_TIMESTAMP() WHERE id = %d',
            [$state, $trxId, $id]
        );
    }

    /** @return Attempt[] leased attempts, which are due again when the lease expires */
    public function leaseDue(int $limit, int $leaseSeconds): array
    {
        $open = "state IN ('creating', 'pending') AND given_up_at IS NULL";
        $rows = $this->leaseDueRows('SELECT * FROM {table}', $open, $limit, $leaseSeconds);
        return array_map([Attempt::class, 'fromRow'], $rows);
    }

    /** @return bool whether the caller should check; false if a check was started within the interval */
    public function startCheck(int $id, int $intervalSeconds): bool
    {
        return $this->run(
            'UPDATE {table} SET checked_at = UNIX_TIMESTAMP() WHERE id = %d AND checked_at + %d <= UNIX_TIMESTAMP()',
            [$id, $intervalSeconds]
        ) === 1;
    }

    public function markChecked(int $id, int $nextInSeconds): void
    {
        $this->run(
            'UPDATE {table} SET failed_checks = 0, checked_at = UNIX_TIMESTAMP(),'
            . ' next_check_at = UNIX_TIMESTAMP() + %d WHERE id = %d',
            [$nextInSeconds, $id]
        );
    }

    /**
     * Marks this site's open payment attempts as refused or cancelled. The payments in Tillgate are not cancelled, because they belong to the
     * shop that this site was copied from.
     */
    public function releaseOpen(): void
    {
        $this->run("UPDATE {table} SET state = 'refused', updated_at = UNIX_TIMESTAMP() WHERE state = 'creating'", []);
        $this->run("UPDATE {table} SET state = 'cancelled', updated_at = UNIX_TIMESTAMP() WHERE state = 'pending'", []);
    }

    public function markAbandoned(int $id): void
    {
        $this->run('UPDATE {table} SET given_up_at = UNIX_TIMESTAMP() WHERE id = %d', [$id]);
    }

    public function resumeChecks(int $id): void
    {
        $this->run(
            'UPDATE {table} SET given_up_at = NULL, failed_checks = 0, next_check_at = UNIX_TIMESTAMP() WHERE id = %d',
            [$id]
        );
    }

    /**
     * @return array{open: int, overdue: int, given_up: int} `overdue` counts open attempts that expired more than $overdueAfterSeconds ago;
     * `given_up` counts attempts abandoned in the last week, which `open` excludes
     */
    public function countOpen(int $overdueAfterSeconds): array
    {
        $row = $this->row(
            'SELECT COALESCE(SUM(CASE WHEN given_up_at IS NULL THEN 1 ELSE 0 END), 0) AS open,'
            . ' COALESCE(SUM(CASE WHEN given_up_at IS NULL AND expires_at + %d < UNIX_TIMESTAMP() THEN 1 ELSE 0 END), 0) AS overdue,'
            . ' COALESCE(SUM(CASE WHEN given_up_at + %d > UNIX_TIMESTAMP() THEN 1 ELSE 0 END), 0) AS given_up'
            . " FROM {table} WHERE state IN ('creating', 'pending')",
            [$overdueAfterSeconds, self::ABANDONED_REPORTED_SECONDS]
        );
        return [
            'open' => (int) ($row['open'] ?? 0),
            'overdue' => (int) ($row['overdue'] ?? 0),
            'given_up' => (int) ($row['given_up'] ?? 0),
        ];
    }

    /** @return Attempt[] paid and not fully refunded, most recently updated first */
    public function latestPaid(int $limit): array
    {
        $rows = $this->rows("SELECT * FROM {table} WHERE state = 'paid' ORDER BY updated_at DESC LIMIT %d", [$limit]);
        return array_map([Attempt::class, 'fromRow'], $rows);
    }

    /** @return Attempt[] current attempts without a transaction, most recently updated first */
    public function latestUnpaid(int $limit): array
    {
        $rows = $this->rows(
            "SELECT * FROM {table} WHERE current_order_id IS NOT NULL AND trx_id IS NULL ORDER BY updated_at DESC LIMIT %d",
            [$limit]
        );
        return array_map([Attempt::class, 'fromRow'], $rows);
    }

    /** @param array<int, mixed> $values */
    private function findOne(string $where, array $values): ?Attempt
    {
        $row = $this->row("SELECT * FROM {table} WHERE $where", $values);
        return $row === null ? null : Attempt::fromRow($row);
    }

    private function orFail(?Attempt $attempt, string $what): Attempt
    {
        if ($attempt === null) {
            throw new PluginError(PluginError::STORAGE, "Payment attempt not found in the database: $what.");
        }
        return $attempt;
    }
}
