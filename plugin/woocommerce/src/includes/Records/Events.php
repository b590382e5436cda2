<?php

namespace Tillgate\WooCommerce\Records;

/** Makes the processing of webhook events idempotent. */
final class Events extends Table
{
    protected function name(): string
    {
        return 'events';
    }

    /** Stores an event before it is applied, or counts a repeated delivery. */
    public function recordReceived(string $eventId, string $type, string $tillgateOrderId): void
    {
        $isNew = $this->run(
            'INSERT IGNORE INTO {table} (event_id, event, tillgate_order_id, received_at)'
            . ' VALUES (%s, %s, %s, UNIX_TIMESTAMP())',
            [$eventId, $type, $tillgateOrderId]
        );
        if ($isNew === 0) {
            $this->run('UPDATE {table} SET tries = tries + 1 WHERE event_id = %s', [$eventId]);
        }
    }

    public function isProcessed(string $eventId): bool
    {
        $row = $this->row('SELECT done_at FROM {table} WHERE event_id = %s', [$eventId]);
        return $row !== null && $row['done_at'] !== null;
    }

    public function markProcessed(string $eventId, string $outcome): void
    {
        $this->run(
            'UPDATE {table} SET done_at = UNIX_TIMESTAMP(), outcome = %s WHERE event_id = %s',
            [$outcome, $eventId]
        );
    }

    /** Counts only events received more than $olderThanSeconds ago. */
    public function countUnprocessed(int $olderThanSeconds): int
    {
        $row = $this->row(
            'SELECT COUNT(*) AS unprocessed FROM {table} WHERE done_at IS NULL AND received_at < UNIX_TIMESTAMP() - %d',
            [$olderThanSeconds]
        );
        return (int) ($row['unprocessed'] ?? 0);
    }

    /** Deletes only processed events. */
    public function prune(int $olderThanSeconds): void
    {
        $this->run(
            'DELETE FROM {table} WHERE done_at IS NOT NULL AND received_at < UNIX_TIMESTAMP() - %d',
            [$olderThanSeconds]
        );
    }
}
