<?php

namespace Tillgate\WooCommerce\Rules;

/** The action to take, with templates of its texts. */
final class Decision
{
    /** @var string One of Rules::ACTIONS. */
    public $action;

    /** @var bool Also cancel the order's current payment attempt, because an older one was paid. */
    public $cancelCurrent;

    /** @var string|null */
    public $note;

    /** @var string|null Reason for `cancel_attempt`. */
    public $reason;

    /** @var bool The merchant has to review the order. */
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
