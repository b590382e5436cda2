<?php

namespace Tillgate\WooCommerce\Records;

/** When the refunds of a paid attempt are compared with Tillgate's, and what that came to; columns of the attempts. */
final class Comparisons extends PolledTable
{
    protected function name(): string
    {
        return 'attempts';
    }

    /** The refunds of the order's payments are to be compared, at the latest after this time. */
    public function schedule(int $orderId, int $seconds): void
    {
        $this->run(
            'UPDATE {table} SET compare_at = UNIX_TIMESTAMP() + %d WHERE order_id = %d AND trx_id IS NOT NULL'
            . " AND state IN ('paid', 'refunded') AND (compare_at IS NULL OR compare_at > UNIX_TIMESTAMP() + %d)",
            [$seconds, $orderId, $seconds]
        );
    }

    /**
     * The comparison failed.
     *
     * @param int|null $nextInSeconds when it is made again; null where it failed too often
     */
    public function markFailed(int $id, ?int $nextInSeconds): void
    {
        $this->run(
            'UPDATE {table} SET failed_checks = failed_checks + 1, compare_at = UNIX_TIMESTAMP() + %d WHERE id = %d',
            [$nextInSeconds, $id]
        );
    }

    /**
     * Takes payments whose refunds are to be compared; each is due again after the lease whatever happens.
     *
     * @return Attempt[]
     */
    public function leaseDue(int $limit, int $leaseSeconds): array
    {
        $rows = $this->leaseDueRows('SELECT * FROM {table}', 'trx_id IS NOT NULL', $limit, $leaseSeconds, 'compare_at');
        return array_map([Attempt::class, 'fromRow'], $rows);
    }

    /**
     * What a comparison came to. What an owner accepted was that very difference.
     *
     * @param int|null $nextInSeconds null where nothing is left to compare
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

    /** The owner says that the difference of the last comparison is right. */
    public function acceptDifference(int $id): void
    {
        $this->run('UPDATE {table} SET accepted_at = UNIX_TIMESTAMP(), compare_at = NULL WHERE id = %d', [$id]);
    }

    /**
     * Payments whose refunds differ between shop and Tillgate, the latest first.
     *
     * @return Attempt[]
     */
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
