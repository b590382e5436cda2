<?php

namespace Tillgate\WooCommerce\Records;

/** Every event that was verified acts once. */
final class Events extends Table
{
    protected function name(): string
    {
        return 'events';
    }

    /** Stores an event before it has an effect, or counts another try of it. */
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

    /** How many events had no effect yet although that long ago received. */
    public function countUnprocessed(int $olderThanSeconds): int
    {
        $row = $this->row(
            'SELECT COUNT(*) AS undone FROM {table} WHERE done_at IS NULL AND received_at < UNIX_TIMESTAMP() - %d',
            [$olderThanSeconds]
        );
        return (int) ($row['undone'] ?? 0);
    }

    /** Deletes processed events that were received more than $olderThanSeconds ago. */
    public function prune(int $olderThanSeconds): void
    {
        $this->run(
            'DELETE FROM {table} WHERE done_at IS NOT NULL AND received_at < UNIX_TIMESTAMP() - %d',
            [$olderThanSeconds]
        );
    }
}
