<?php

namespace Tillgate\WooCommerce;

/**
 * Something that cannot be done, with a name that the edges turn into an answer. Its text is for the log and the shop's
 * owner; `forShopper` is what a shopper may read.
 */
final class Problem extends \RuntimeException
{
    /** No such order, or a wrong key: one answer for both. */
    public const NOT_FOUND = 'not_found';
    /** Another process works on the same order. */
    public const BUSY = 'busy';
    /** The order cannot be paid with Tillgate as it is. */
    public const NOT_PAYABLE = 'not_payable';
    /** Tillgate refuses to take this payment. */
    public const REFUSED = 'refused';
    /** The order kept another status than was written. */
    public const NOT_FOLLOWED = 'not_followed';
    /** A genuine event that this version cannot read. */
    public const UNREADABLE = 'unreadable';
    /** A report that is not proved: signed with a secret of another payment, or not confirmed by Tillgate. */
    public const UNPROVED = 'unproved';
    /** A record could not be stored or read. */
    public const STORAGE = 'storage';

    /** @var string */
    private $name;

    /** @var string|null */
    private $forShopper;

    public function __construct(string $name, string $text, ?string $forShopper = null, ?\Throwable $cause = null)
    {
        parent::__construct($text, 0, $cause);
        $this->name = $name;
        $this->forShopper = $forShopper;
    }

    public function is(string $name): bool
    {
        return $this->name === $name;
    }

    public function forShopper(): ?string
    {
        return $this->forShopper;
    }
}
