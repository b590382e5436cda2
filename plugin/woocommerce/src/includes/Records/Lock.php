<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** A claim that is held. */
final class Lock
{
    /** @var Locks */
    private $locks;

    /** @var string */
    private $name;

    /** @var string */
    private $token;

    public function __construct(Locks $claims, string $name, string $token)
    {
        $this->locks = $claims;
        $this->name = $name;
        $this->token = $token;
    }

    /**
     * To be called before every write to the shop or to Tillgate: starts the claim's time again.
     *
     * @throws PluginError BUSY where the claim ran out and another took it
     */
    public function renew(): void
    {
        if (!$this->locks->renew($this->name, $this->token)) {
            throw new PluginError(PluginError::BUSY, "The claim {$this->name} ran out before the work was done.");
        }
    }
}
