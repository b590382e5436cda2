<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Shop\SiteAddress;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * A claim lets one process at a time work on something: a unique row whose insert wins, with a token and an expiry. A
 * killed process leaves a claim that expires; reading the shop shows what that process did.
 */
final class Locks extends Table
{
    /** Longer than any single call takes. */
    public const TTL_SECONDS = 60;
    /** How long an operation waits for another one on the same order. */
    public const WAIT_MS = 8000;
    private const RETRY_DELAY_MS = 100;

    /** @var array<string, true> Names that this process holds now. */
    private $heldNames = [];

    protected function name(): string
    {
        return 'claims';
    }

    /**
     * Does the work while no other process works on the order, and only on the site that was connected: all changes of payments and orders
     * come through here.
     *
     * @template T
     * @param callable(Lock): T $work
     * @return T
     * @throws PluginError BUSY if another process holds the claim for longer than the wait; REFUSED on a site that may be a copy
     */
    public function withOrderLock(int $orderId, callable $work, int $waitMs = self::WAIT_MS)
    {
        SiteAddress::requireUnmoved();
        $name = "order:$orderId";
        $token = $this->acquireWithin($name, $waitMs);
        if ($token === null) {
            throw new PluginError(PluginError::BUSY, "Order $orderId is being worked on; try again in a moment.");
        }
        return $this->runLocked($name, $token, $work);
    }

    /**
     * Does the work unless somebody does it already.
     *
     * @param callable(Lock): void $work
     * @return bool whether it was done
     */
    public function runExclusively(string $name, callable $work): bool
    {
        $token = $this->acquire($name);
        if ($token === null) {
            return false;
        }
        $this->runLocked($name, $token, $work);
        return true;
    }

    /** Whether this very process works on the order: what it changes there is its own doing. */
    public function holdsOrderLock(int $orderId): bool
    {
        return isset($this->heldNames["order:$orderId"]);
    }

    /** @return string|null the token of the new claim; null where another holds the name */
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

    /** Starts the time of a claim again. @return bool false where it is not ours any more */
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

    /**
     * @param callable $work
     * @return mixed
     */
    private function runLocked(string $name, string $token, callable $work)
    {
        $this->heldNames[$name] = true;
        try {
            return $work(new Lock($this, $name, $token));
        } finally {
            unset($this->heldNames[$name]);
            $this->release($name, $token);
        }
    }
}
