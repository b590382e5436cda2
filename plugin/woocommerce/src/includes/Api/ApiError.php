<?php

namespace Tillgate\WooCommerce\Api;

/** Tillgate understood the call and refused it. */
final class ApiError extends \RuntimeException
{
    /** @var int */
    public $status;

    /** @var string[] Tillgate's own sentences, secrets masked. */
    public $messages;

    /** @var array<string, string[]> What is wrong with which field. */
    public $fields;

    /** @var string|null For a question to Tillgate. */
    public $requestId;

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

    /** A refusal that made nothing and that a repeat would get again. */
    public function isFinal(): bool
    {
        return $this->status >= 400 && $this->status < 500 && $this->status !== 408 && $this->status !== 429;
    }
}
