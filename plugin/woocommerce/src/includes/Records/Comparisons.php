<?php

namespace Tillgate\WooCommerce\Records;

/** Schedule and results of refund comparisons, stored in columns of the attempts table. */
final class Comparisons extends PolledTable
{
    protected function name(): string
    {
        return 'attempts';
    }

    /** Schedules a comparison of the order's refunds, unless an earlier comparison is already scheduled. */
    public function schedule(int $orderId, int $seconds): void
    {
        $this->run(
            'UPDATE {table} SET compare_at = UNIX_TIMESTAMP() + %d WHERE order_id = %d AND trx_id IS NOT NULL'
            . " AND state IN ('paid', 'refunded') AND (compare_at IS NULL OR compare_at > UNIX_TIMESTAMP() + %d)",
            [$seconds, $orderId, $seconds]
        );
    }

    /** @param int|null $nextInSeconds null to abandon the comparison */
    public function markFailed(int $id, ?int $nextInSeconds): void
    {
        $this->run(
            'UPDATE {table} SET failed_checks = failed_checks + 1, compare_at = UNIX_TIMESTAMP() + %d WHERE id = %d',
            [$nextInSeconds, $id]
        );
    }

    /** @return Attempt[] leased payments, which are due again when the lease expires */
    public function leaseDue(int $limit, int $leaseSeconds): array
    {
        $rows = $this->leaseDueRows('SELECT * FROM {table}', 'trx_id IS NOT NULL', $limit, $leaseSeconds, 'compare_at');
        return array_map([Attempt::class, 'fromRow'], $rows);
    }

    /**
     * Saves the refund totals, in minor units; null if there is nothing to compare. If the totals have changed, withdraws the merchant's
     * acceptance of the previous difference.
     * @param int|null $nextInSeconds null if no further comparison is needed
     */
    public function saveResult(int $id, ?int $shopMinor, ?int $tillgateMinor, ?int $nextInSeconds): void
    {
        $this->run(
            'UPDATE {table} SET failed_checks = 0, accepted_at = CASE WHEN shop_refunded_minor = %d AND paid_back_minor = %d THEN accepted_at'
            . ' END, compare_at = UNIX_TIMESTAMP() + %d WHERE id = %d',
            [$shopMinor, $tillgateMinor, $nextInSeconds, $id]
        );
        $this->run(
            'UPDATE {table} SET shop_refunded_minor = %d, paid_back_minor = %d WHERE id = %d',
            [$shopMinor, $tillgateMinor, $id]
        );
    }

    /** Marks the difference as correct, and cancels the scheduled comparison. */
    public function acceptDifference(int $id): void
    {
        $this->run('UPDATE {table} SET accepted_at = UNIX_TIMESTAMP(), compare_at = NULL WHERE id = %d', [$id]);
    }

    /** @return Attempt[] payments whose refund totals differ, unless marked as correct; most recently updated first */
    public function listDiffering(int $limit): array
    {
        $rows = $this->rows(
            'SELECT * FROM {table} WHERE shop_refunded_minor <> paid_back_minor AND accepted_at IS NULL'
            . ' ORDER BY updated_at DESC LIMIT %d',
            [$limit]
        );
        return array_map([Attempt::class, 'fromRow'], $rows);
    }
}
