<?php

namespace Tillgate\WooCommerce\Records;

use Tillgate\WooCommerce\Problem;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** A claim that is held. */
final class HeldClaim
{
    /** @var Claims */
    private $claims;

    /** @var string */
    private $name;

    /** @var string */
    private $token;

    public function __construct(Claims $claims, string $name, string $token)
    {
        $this->claims = $claims;
        $this->name = $name;
        $this->token = $token;
    }

    /**
     * To be called before every write to the shop or to Tillgate: starts the claim's time again.
     *
     * @throws Problem BUSY where the claim ran out and another took it
     */
    public function keep(): void
    {
        if (!$this->claims->keep($this->name, $this->token)) {
            throw new Problem(Problem::BUSY, "The claim {$this->name} ran out before the work was done.");
        }
    }
}
