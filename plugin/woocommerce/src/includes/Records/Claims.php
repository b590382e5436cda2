<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Shop\SiteAddress;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * A claim lets one process at a time work on something: a unique row whose insert wins, with a token and an expiry. A
 * killed process leaves a claim that expires; reading the shop shows what that process did.
 */
final class Claims extends Table
{
    /** Longer than any single call takes. */
    public const HOLD_SECONDS = 60;
    /** How long an operation waits for another one on the same order. */
    public const WAIT_MS = 8000;
    private const RETRY_MS = 100;

    /** @var array<string, true> Names that this process holds now. */
    private $own = [];

    protected function name(): string
    {
        return 'claims';
    }

    /**
     * Does the work while no other process works on the order, and only on the site that was connected: all changes of payments and orders
     * come through here.
     *
     * @template T
     * @param callable(HeldClaim): T $work
     * @return T
     * @throws Problem BUSY if another process holds the claim for longer than the wait; REFUSED on a site that may be a copy
     */
    public function withOrder(int $orderId, callable $work, int $waitMs = self::WAIT_MS)
    {
        SiteAddress::requireHere();
        $name = "order:$orderId";
        $token = $this->takeWithin($name, $waitMs);
        if ($token === null) {
            throw new Problem(Problem::BUSY, "Order $orderId is being worked on; try again in a moment.");
        }
        return $this->holding($name, $token, $work);
    }

    /**
     * Does the work unless somebody does it already.
     *
     * @param callable(HeldClaim): void $work
     * @return bool whether it was done
     */
    public function alone(string $name, callable $work): bool
    {
        $token = $this->take($name);
        if ($token === null) {
            return false;
        }
        $this->holding($name, $token, $work);
        return true;
    }

    /** Whether this very process works on the order: what it changes there is its own doing. */
    public function holdsOrder(int $orderId): bool
    {
        return isset($this->own["order:$orderId"]);
    }

    /** @return string|null the token of the new claim; null where another holds the name */
    public function take(string $name, int $seconds = self::HOLD_SECONDS): ?string
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
    public function keep(string $name, string $token, int $seconds = self::HOLD_SECONDS): bool
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

    private function takeWithin(string $name, int $waitMs): ?string
    {
        $until = microtime(true) + $waitMs / 1000;
        $token = $this->take($name);
        while ($token === null && microtime(true) < $until) {
            usleep(self::RETRY_MS * 1000);
            $token = $this->take($name);
        }
        return $token;
    }

    /**
     * @param callable $work
     * @return mixed
     */
    private function holding(string $name, string $token, callable $work)
    {
        $this->own[$name] = true;
        try {
            return $work(new HeldClaim($this, $name, $token));
        } finally {
            unset($this->own[$name]);
            $this->release($name, $token);
        }
    }
}
