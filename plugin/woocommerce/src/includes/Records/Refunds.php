<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\Payments\RemoteRefund;
use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Table of refunds; a row is stored before the refund is requested or recorded. */
final class Refunds extends PolledTable
{
    private const SELECT = 'SELECT *, UNIX_TIMESTAMP() - asked_at AS age_seconds FROM {table}';

    protected function name(): string
    {
        return 'refunds';
    }

    public function byKey(string $idempotencyKey): ?RefundRow
    {
        return $this->findOne('idempotency_key = %s', [$idempotencyKey]);
    }

    public function byRefundId(string $refundId): ?RefundRow
    {
        return $this->findOne('refund_id = %s', [$refundId]);
    }

    /** @return RefundRow[] all refunds of the order, oldest first */
    public function forOrder(int $orderId): array
    {
        return array_map([RefundRow::class, 'fromRow'], $this->rows(self::SELECT . ' WHERE order_id = %d ORDER BY id', [$orderId]));
    }

    /** Finds the stored row for a Tillgate refund, by the refund's ID or the shop's reference. */
    public function find(RemoteRefund $refund, int $orderId): ?RefundRow
    {
        $row = $this->byRefundId($refund->id);
        if ($row !== null || $refund->reference === null) {
            return $row;
        }
        return $this->findOne(
            'reference = %s AND order_id = %d AND refund_id IS NULL',
            [$refund->reference, $orderId]
        );
    }

    public function findOpenRequest(int $orderId, string $trxId, int $amountMinor): ?RefundRow
    {
        return $this->findOne(
            "order_id = %d AND trx_id = %s AND amount_minor = %d AND idempotency_key IS NOT NULL"
            . " AND state IN ('asked', 'unknown', 'pending') ORDER BY id LIMIT 1",
            [$orderId, $trxId, $amountMinor]
        );
    }

    /** @return int total of completed refunds in minor units */
    public function sumCompleted(int $orderId): int
    {
        $row = $this->row(
            "SELECT COALESCE(SUM(amount_minor), 0) AS refunded FROM {table} WHERE order_id = %d AND state = 'completed'",
            [$orderId]
        );
        return (int) ($row['refunded'] ?? 0);
    }

    /** Stores a refund request, or returns the stored request with the same key. */
    public function createRequest(
        int $orderId,
        string $idempotencyKey,
        string $reference,
        string $trxId,
        int $amountMinor,
        string $currency,
        string $reason
    ): RefundRow {
        $this->run(
            'INSERT IGNORE INTO {table} (order_id, idempotency_key, reference, trx_id, amount_minor, currency, reason,'
            . " state, next_check_at, asked_at) VALUES (%d, %s, %s, %s, %d, %s, %s, 'asked', UNIX_TIMESTAMP() + 120,"
            . ' UNIX_TIMESTAMP())',
            [$orderId, $idempotencyKey, $reference, $trxId, $amountMinor, $currency, $reason]
        );
        return $this->orFail($this->byKey($idempotencyKey));
    }

    /** Marks a request as sent again, so that the scheduled check does not resend it while this process is working on it. */
    public function markRequestedAgain(int $id): void
    {
        $this->run(
            "UPDATE {table} SET state = 'asked', asked_at = UNIX_TIMESTAMP(), next_check_at = UNIX_TIMESTAMP() + 120"
            . " WHERE id = %d AND state IN ('asked', 'unknown')",
            [$id]
        );
    }

    /** Stores a refund made in Tillgate unless it is stored already, and returns the stored row. */
    public function addRemote(int $orderId, RemoteRefund $refund): RefundRow
    {
        $this->run(
            'INSERT IGNORE INTO {table} (order_id, refund_id, trx_id, amount_minor, currency, reason, state,'
            . ' next_check_at, asked_at) VALUES (%d, %s, %s, %d, %s, %s, %s, UNIX_TIMESTAMP(), UNIX_TIMESTAMP())',
            [
                $orderId,
                $refund->id,
                $refund->transactionId,
                $refund->amountMinor,
                $refund->currency,
                $refund->reason,
                $refund->status,
            ]
        );
        return $this->orFail($this->byRefundId($refund->id));
    }

    /** Stores the state and Tillgate ID of a refund. A completed refund is not changed. */
    public function updateState(int $id, string $refundId, string $state): void
    {
        $this->run(
            "UPDATE {table} SET refund_id = %s, state = %s, failed_checks = 0 WHERE id = %d AND state <> 'completed'",
            [$refundId, $state, $id]
        );
    }

    public function markUnknown(int $id, int $checkInSeconds): void
    {
        $this->run(
            "UPDATE {table} SET state = 'unknown', next_check_at = UNIX_TIMESTAMP() + %d"
            . " WHERE id = %d AND state IN ('asked', 'unknown')",
            [$checkInSeconds, $id]
        );
    }

    /** Closes all unfinished refunds, because they belong to the shop that this site was copied from. */
    public function releaseOpen(): void
    {
        $this->run("UPDATE {table} SET state = 'refused' WHERE state IN ('asked', 'unknown', 'pending')", []);
    }

    /** Deletes a rejected request, so that the refund can be requested again. */
    public function deleteRejected(int $id): void
    {
        $this->run('DELETE FROM {table} WHERE id = %d AND refund_id IS NULL', [$id]);
    }

    /** @param int|null $shopRefundId null if the refund exceeds the order's remaining amount */
    public function markRecorded(int $id, ?int $shopRefundId): void
    {
        $this->run(
            'UPDATE {table} SET shop_refund_id = COALESCE(%d, shop_refund_id), recorded_at = UNIX_TIMESTAMP() WHERE id = %d',
            [$shopRefundId, $id]
        );
    }

    /** Removes the link to a deleted WooCommerce refund, so that the refund is recorded again. */
    public function clearRecord(int $id): void
    {
        $this->run('UPDATE {table} SET shop_refund_id = NULL, recorded_at = NULL WHERE id = %d', [$id]);
    }

    /** @return RefundRow[] refunds whose request was interrupted, that await approval, or that have no WooCommerce refund yet */
    public function leaseDue(int $limit, int $leaseSeconds): array
    {
        $open = "state IN ('asked', 'unknown', 'pending') OR (state = 'completed' AND recorded_at IS NULL)";
        return array_map([RefundRow::class, 'fromRow'], $this->leaseDueRows(self::SELECT, $open, $limit, $leaseSeconds));
    }

    /** @param array<int, mixed> $values */
    private function findOne(string $where, array $values): ?RefundRow
    {
        $row = $this->row(self::SELECT . " WHERE $where", $values);
        return $row === null ? null : RefundRow::fromRow($row);
    }

    private function orFail(?RefundRow $row): RefundRow
    {
        if ($row === null) {
            throw new PluginError(PluginError::STORAGE, 'Refund not found in the database.');
        }
        return $row;
    }
}
