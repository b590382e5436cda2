<?php

namespace Tillgate\WooCommerce\Records;

/** A table whose rows the scheduled check polls until their outcome is known. */
abstract class PolledTable extends Table
{
    public function markCheckFailed(int $id, int $nextInSeconds): void
    {
        $this->run(
            'UPDATE {table} SET failed_checks = failed_checks + 1, next_check_at = UNIX_TIMESTAMP() + %d WHERE id = %d',
            [$nextInSeconds, $id]
        );
    }

    /**
     * Leases up to `$limit` due rows and returns those that this process obtained; no other process gets them until the lease expires.
     * @param string $open SQL condition that selects the rows to check
     * @return array<int, array<string, string|null>>
     */
    protected function leaseDueRows(
        string $select,
        string $open,
        int $limit,
        int $leaseSeconds,
        string $dueAt = 'next_check_at'
    ): array {
        $rows = $this->rows(
            "$select WHERE ($open) AND $dueAt <= UNIX_TIMESTAMP() ORDER BY $dueAt LIMIT %d",
            [$limit]
        );
        return array_values(array_filter($rows, function (array $row) use ($leaseSeconds, $dueAt): bool {
            return $this->run(
                "UPDATE {table} SET $dueAt = UNIX_TIMESTAMP() + %d WHERE id = %d AND $dueAt = %d",
                [$leaseSeconds, (int) $row['id'], (int) $row[$dueAt]]
            ) === 1;
        }));
    }
}
