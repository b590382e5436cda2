<?php

namespace Tillgate\WooCommerce\Api;

/** Thrown for a network failure, a redirect, a server error, or a response not in Tillgate's format. The request may have taken effect. */
final class ApiConnectionError extends \RuntimeException
{
    public const NETWORK = 'network';
    public const TIMEOUT = 'timeout';
    public const SERVER_ERROR = 'server_error';
    /** The server responded, but not in Tillgate's format. */
    public const INVALID_RESPONSE = 'invalid_response';
    /** `detail` is the redirect target. */
    public const REDIRECT = 'redirect';

    public string $kind;

    public string $detail;

    public function __construct(string $call, string $kind, string $text)
    {
        parent::__construct("$call: $text");
        $this->kind = $kind;
        $this->detail = $text;
    }
}
