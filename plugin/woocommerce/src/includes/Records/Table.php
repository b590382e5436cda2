<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;

/** Failed queries throw; wpdb would return an empty result. */
abstract class Table
{
    protected \wpdb $wpdb;
    protected string $table;

    public function __construct(\wpdb $wpdb)
    {
        $this->wpdb = $wpdb;
        $this->table = Schema::table($wpdb, $this->name());
    }

    abstract protected function name(): string;

    /**
     * @param array<int, mixed> $values values of the placeholders; null becomes SQL NULL
     * @return int rows changed
     * @throws PluginError STORAGE
     */
    protected function run(string $sql, array $values = []): int
    {
        // phpcs:ignore WordPress.DB -- Prepared by statement(); the plugin's own tables are never cached.
        $rows = $this->wpdb->query($this->statement($sql, $values));
        if ($rows === false) {
            throw $this->storageError();
        }
        return (int) $rows;
    }

    /**
     * @param array<int, mixed> $values
     * @return array<int, array<string, string|null>>
     * @throws PluginError STORAGE
     */
    protected function rows(string $sql, array $values = []): array
    {
        $this->wpdb->last_error = '';
        // phpcs:ignore WordPress.DB -- As above.
        $rows = $this->wpdb->get_results($this->statement($sql, $values), ARRAY_A);
        if (!is_array($rows) || $this->wpdb->last_error !== '') {
            throw $this->storageError();
        }
        return $rows;
    }

    /**
     * @param array<int, mixed> $values
     * @return array<string, string|null>|null
     * @throws PluginError STORAGE
     */
    protected function row(string $sql, array $values = []): ?array
    {
        return $this->rows($sql, $values)[0] ?? null;
    }

    /** @param array<int, mixed> $values */
    private function statement(string $sql, array $values): string
    {
        $sql = str_replace('{table}', $this->table, $sql);
        $bound = [];
        $parts = preg_split('/(%[sd])/', $sql, -1, PREG_SPLIT_DELIM_CAPTURE);
        $index = 0;
        foreach ($parts as $key => $part) {
            if ($part !== '%s' && $part !== '%d') {
                continue;
            }
            if ($values[$index] === null) {
                $parts[$key] = 'NULL';
            } else {
                $bound[] = $values[$index];
            }
            $index += 1;
        }
        $sql = implode('', $parts);
        // phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- Constant SQL of this plugin, prepared here.
        return $bound === [] ? $sql : (string) $this->wpdb->prepare($sql, $bound);
    }

    private function storageError(): PluginError
    {
        return new PluginError(PluginError::STORAGE, "Query on {$this->table} failed: {$this->wpdb->last_error}");
    }
}
