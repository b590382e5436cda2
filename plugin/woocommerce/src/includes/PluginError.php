<?php

namespace Tillgate\WooCommerce;

/**
 * Something that cannot be done, with a name that the edges turn into an answer. Its text is for the log and the shop's
 * owner; `forShopper` is what a shopper may read.
 */
final class PluginError extends \RuntimeException
{
    /** No such order, or a wrong key: one answer for both. */
    public const NOT_FOUND = 'not_found';
    /** Another process works on the same order. */
    public const BUSY = 'busy';
    /** The order cannot be paid with Tillgate as it is. */
    public const NOT_PAYABLE = 'not_payable';
    /** Tillgate refuses to take this payment. */
    public const REJECTED = 'refused';
    /** The order kept another status than was written. */
    public const NOT_APPLIED = 'not_followed';
    /** A genuine event that this version cannot read. */
    public const UNREADABLE = 'unreadable';
    /** A report that is not proved: signed with a secret of another payment, or not confirmed by Tillgate. */
    public const UNVERIFIED = 'unproved';
    /** A record could not be stored or read. */
    public const STORAGE = 'storage';

    /** @var string */
    private $reason;

    /** @var string|null */
    private $customerMessage;

    public function __construct(string $reason, string $text, ?string $customerMessage = null, ?\Throwable $cause = null)
    {
        parent::__construct($text, 0, $cause);
        $this->reason = $reason;
        $this->customerMessage = $customerMessage;
    }

    public function is(string $reason): bool
    {
        return $this->reason === $reason;
    }

    public function customerMessage(): ?string
    {
        return $this->customerMessage;
    }
}
