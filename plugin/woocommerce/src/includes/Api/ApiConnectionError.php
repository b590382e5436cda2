<?php

namespace Tillgate\WooCommerce\Api;

/** No answer, or none of Tillgate's: whether the call had an effect is not known. */
final class ApiConnectionError extends \RuntimeException
{
    public const NETWORK = 'network';
    public const TIMEOUT = 'timeout';
    /** Something answers, but not as Tillgate does. */
    public const INVALID_RESPONSE = 'answer';
    /** Its text is where the address leads. */
    public const REDIRECT = 'redirect';

    /** @var string */
    public $kind;

    /** @var string Without the call. */
    public $detail;

    public function __construct(string $call, string $kind, string $text)
    {
        parent::__construct("$call: $text");
        $this->kind = $kind;
        $this->detail = $text;
    }
}
