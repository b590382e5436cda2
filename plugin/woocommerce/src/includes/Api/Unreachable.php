<?php

namespace Tillgate\WooCommerce\Api;

/** No answer, or none of Tillgate's: whether the call had an effect is not known. */
final class Unreachable extends \RuntimeException
{
    public const NETWORK = 'network';
    public const TIMEOUT = 'timeout';
    /** Something answers, but not as Tillgate does. */
    public const ANSWER = 'answer';

    /** @var string */
    public $kind;

    public function __construct(string $call, string $kind, string $text)
    {
        parent::__construct("$call: $text");
        $this->kind = $kind;
    }
}
