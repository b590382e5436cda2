<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Shop\SiteAddress;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Named locks between processes. Each lock is a unique row with a token and an expiry time, so that the lock of a killed process expires. */
final class Locks extends Table
{
    /** Longer than any single API request. */
    public const TTL_SECONDS = 60;
    public const WAIT_MS = 8000;
    private const RETRY_DELAY_MS = 100;

    /** @var array<string, true> Locks held by this process. */
    private array $heldNames = [];

    protected function name(): string
    {
        return 'claims';
    }

    /**
     * @template T
     * @param callable(Lock): T $callback
     * @return T
     * @throws PluginError BUSY if the lock is not acquired in time; REJECTED on a site that may be a copy
     */
    public function withOrderLock(int $orderId, callable $callback, int $waitMs = self::WAIT_MS)
    {
        SiteAddress::requireUnmoved();
        $name = "order:$orderId";
        $token = $this->acquireWithin($name, $waitMs);
        if ($token === null) {
            throw new PluginError(PluginError::BUSY, "Order $orderId is locked by another process; try again in a moment.");
        }
        return $this->runLocked($name, $token, $callback);
    }

    /**
     * @param callable(Lock): void $callback
     * @return bool false, without running the callback, if another process holds the lock
     */
    public function runExclusively(string $name, callable $callback): bool
    {
        $token = $this->acquire($name);
        if ($token === null) {
            return false;
        }
        $this->runLocked($name, $token, $callback);
        return true;
    }

    /** Whether this process holds the order's lock, in which case changes to the order are the plugin's own. */
    public function holdsOrderLock(int $orderId): bool
    {
        return isset($this->heldNames["order:$orderId"]);
    }

    /** @return string|null token; null if another process holds the lock */
    public function acquire(string $name, int $seconds = self::TTL_SECONDS): ?string
    {
        $token = bin2hex(random_bytes(16));
        $inserted = $this->run(
            'INSERT IGNORE INTO {table} (name, token, expires_at) VALUES (%s, %s, UNIX_TIMESTAMP() + %d)',
            [$name, $token, $seconds]
        );
        if ($inserted === 1) {
            return $token;
        }
        $taken = $this->run(
            'UPDATE {table} SET token = %s, expires_at = UNIX_TIMESTAMP() + %d, renewals = renewals + 1'
            . ' WHERE name = %s AND expires_at <= UNIX_TIMESTAMP()',
            [$token, $seconds, $name]
        );
        return $taken === 1 ? $token : null;
    }

    /** @return bool false if the lock was lost */
    public function renew(string $name, string $token, int $seconds = self::TTL_SECONDS): bool
    {
        return $this->run(
            'UPDATE {table} SET expires_at = UNIX_TIMESTAMP() + %d, renewals = renewals + 1'
            . ' WHERE name = %s AND token = %s',
            [$seconds, $name, $token]
        ) === 1;
    }

    public function release(string $name, string $token): void
    {
        $this->run('DELETE FROM {table} WHERE name = %s AND token = %s', [$name, $token]);
    }

    private function acquireWithin(string $name, int $waitMs): ?string
    {
        $until = microtime(true) + $waitMs / 1000;
        $token = $this->acquire($name);
        while ($token === null && microtime(true) < $until) {
            usleep(self::RETRY_DELAY_MS * 1000);
            $token = $this->acquire($name);
        }
        return $token;
    }

    private function runLocked(string $name, string $token, callable $callback)
    {
        $this->heldNames[$name] = true;
        try {
            return $callback(new Lock($this, $name, $token));
        } finally {
            unset($this->heldNames[$name]);
            $this->release($name, $token);
        }
    }
}
