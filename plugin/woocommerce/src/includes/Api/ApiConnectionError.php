<?php

namespace Tillgate\WooCommerce\Api;

/** No response, or not one of Tillgate's: the request may or may not have taken effect. */
final class ApiConnectionError extends \RuntimeException
{
    public const NETWORK = 'network';
    public const TIMEOUT = 'timeout';
    /** The server responded, but not in Tillgate's format. */
    public const INVALID_RESPONSE = 'invalid_response';
    /** `detail` is the redirect target. */
    public const REDIRECT = 'redirect';

    /** @var string */
    public $kind;

    /** @var string Error text without the request's method and path. */
    public $detail;

    public function __construct(string $call, string $kind, string $text)
    {
        parent::__construct("$call: $text");
        $this->kind = $kind;
        $this->detail = $text;
    }
}
