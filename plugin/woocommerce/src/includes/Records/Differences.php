<?php

namespace Tillgate\WooCommerce\Records;

/** The table has one row per payment with differences. */
final class Differences extends Table
{
    protected function name(): string
    {
        return 'differences';
    }

    /** @param array<int, array<string, mixed>> $found an empty list deletes the payment's entry */
    public function save(int $attemptId, int $orderId, array $found): void
    {
        if ($found === []) {
            $this->run('DELETE FROM {table} WHERE attempt_id = %d', [$attemptId]);
            return;
        }
        $this->run(
            'REPLACE INTO {table} (attempt_id, order_id, found, open_count, compared_at) VALUES (%d, %d, %s, %d, UNIX_TIMESTAMP())',
            [$attemptId, $orderId, (string) wp_json_encode($found), count(self::open($found))]
        );
    }

    /** @return array<int, array{attempt_id: int, order_id: int, found: array<int, array<string, mixed>>}> highest order ID first */
    public function listLatest(int $limit): array
    {
        return $this->read('open_count > 0 ORDER BY order_id DESC, attempt_id DESC LIMIT %d', [$limit]);
    }

    /** @return array<int, array{attempt_id: int, order_id: int, found: array<int, array<string, mixed>>}> */
    public function forOrder(int $orderId): array
    {
        return $this->read('order_id = %d ORDER BY attempt_id DESC', [$orderId]);
    }

    /** @return array<int, array<string, mixed>> including those marked as correct */
    public function ofPayment(int $attemptId): array
    {
        return (array) json_decode($this->row('SELECT found FROM {table} WHERE attempt_id = %d', [$attemptId])['found'] ?? '[]', true);
    }

    public function acceptRefunds(int $attemptId, int $orderId): void
    {
        $this->save($attemptId, $orderId, array_map(static function (array $difference): array {
            return ['accepted' => !empty($difference['accepted']) || self::isOfRefunds($difference)] + $difference;
        }, $this->ofPayment($attemptId)));
    }

    public function hasOpenRefunds(int $attemptId): bool
    {
        return array_filter(self::open($this->ofPayment($attemptId)), [self::class, 'isOfRefunds']) !== [];
    }

    /** Counts payments, not differences. */
    public function count(): int
    {
        return (int) ($this->row('SELECT COUNT(*) AS differing FROM {table} WHERE open_count > 0')['differing'] ?? 0);
    }

    /**
     * @param array<int, array<string, mixed>> $found
     * @return array<int, array<string, mixed>> those that the merchant hasn't marked as correct
     */
    public static function open(array $found): array
    {
        return array_values(array_filter($found, static function (array $difference): bool {
            return empty($difference['accepted']);
        }));
    }

    /**
     * Returns the fields that identify a difference, in Tillgate's format. The text contains the amounts, so a difference whose amounts have
     * changed counts as a new one.
     * @param array<string, mixed> $difference
     * @return array<string, string>
     */
    public static function identity(array $difference, string $subjectId): array
    {
        return [
            'subject' => $difference['subject'],
            'subject_id' => $subjectId,
            'field' => $difference['field'],
            'kind' => $difference['kind'],
            'text' => $difference['text'],
        ];
    }

    /** @param array<string, mixed> $difference */
    private static function isOfRefunds(array $difference): bool
    {
        return $difference['subject'] !== 'order' || $difference['field'] === 'refunded';
    }

    /**
     * @param array<int, mixed> $values
     * @return array<int, array{attempt_id: int, order_id: int, found: array<int, array<string, mixed>>}>
     */
    private function read(string $where, array $values): array
    {
        return array_map(static function (array $row): array {
            return [
                'attempt_id' => (int) $row['attempt_id'],
                'order_id' => (int) $row['order_id'],
                'found' => self::open((array) json_decode((string) $row['found'], true)),
            ];
        }, $this->rows("SELECT * FROM {table} WHERE $where", $values));
    }
}
