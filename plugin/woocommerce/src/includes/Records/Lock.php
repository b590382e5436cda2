<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

final class Lock
{
    private Locks $locks;
    private string $name;
    private string $token;

    public function __construct(Locks $locks, string $name, string $token)
    {
        $this->locks = $locks;
        $this->name = $name;
        $this->token = $token;
    }

    /** Must be called before every write to the shop or to Tillgate. @throws PluginError BUSY if another process acquired the lock */
    public function renew(): void
    {
        if (!$this->locks->renew($this->name, $this->token)) {
            throw new PluginError(PluginError::BUSY, "The lock {$this->name} expired before the operation finished.");
        }
    }
}
