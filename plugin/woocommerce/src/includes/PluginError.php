<?php

namespace Tillgate\WooCommerce;

/** The message is for the log and the merchant; customers see only `customerMessage()`. */
final class PluginError extends \RuntimeException
{
    /** Unknown order or wrong order key, indistinguishable to the caller. */
    public const NOT_FOUND = 'not_found';
    /** Another process holds the order's lock. */
    public const BUSY = 'busy';
    /** The order's status, total or currency doesn't allow payment with Tillgate. */
    public const NOT_PAYABLE = 'not_payable';
    /** Tillgate or the plugin's settings reject the request. */
    public const REJECTED = 'refused';
    /** The order's status changed back after it was saved. */
    public const NOT_APPLIED = 'not_followed';
    /** A verified event, or a shop record, that cannot be parsed. */
    public const UNREADABLE = 'unreadable';
    /** A webhook signed with a secret of another mode or client ID, or not confirmed by the Tillgate API. */
    public const UNVERIFIED = 'unproved';
    public const STORAGE = 'storage';

    private string $reason;
    private ?string $customerMessage;

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
