<?php

namespace Tillgate\WooCommerce\Rules;

/** What to do, and the texts that go with it, placeholders still in them. */
final class Decision
{
    /** @var string One of Rules::ACTIONS. */
    public $action;

    /** @var bool Cancel the order's current attempt too: an older one has paid it. */
    public $cancelCurrent;

    /** @var string|null */
    public $note;

    /** @var string|null Why the attempt is cancelled; only with `cancel_attempt`. */
    public $reason;

    /** @var bool A person has to look at it. */
    public $attention;

    public function __construct(
        string $action,
        bool $cancelCurrent,
        ?string $note,
        ?string $reason,
        bool $attention
    ) {
        $this->action = $action;
        $this->cancelCurrent = $cancelCurrent;
        $this->note = $note;
        $this->reason = $reason;
        $this->attention = $attention;
    }
}
