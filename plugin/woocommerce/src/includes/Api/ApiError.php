<?php

namespace Tillgate\WooCommerce\Api;

/** A 4xx response of the Tillgate API. */
final class ApiError extends \RuntimeException
{
    public int $status;

    /** @var string[] Tillgate's error messages, secrets masked. */
    public array $messages;

    /** @var array<string, string[]> Error messages by field. */
    public array $fields;

    /** ID of the request, for support requests. */
    public ?string $requestId;

    /**
     * @param string[]                $messages
     * @param array<string, string[]> $fields
     */
    public function __construct(string $call, int $status, array $messages, array $fields, ?string $requestId)
    {
        parent::__construct(sprintf('%s: %s (HTTP %d)', $call, implode(' ', $messages), $status));
        $this->status = $status;
        $this->messages = $messages;
        $this->fields = $fields;
        $this->requestId = $requestId;
    }

    /** Whether the request had no effect and a retry would fail the same way. */
    public function isFinal(): bool
    {
        return $this->status >= 400 && $this->status < 500 && $this->status !== 408 && $this->status !== 429;
    }
}
