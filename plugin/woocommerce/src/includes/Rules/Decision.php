<?php

namespace Tillgate\WooCommerce\Rules;

final class Decision
{
    /** One of Rules::ACTIONS. */
    public string $action;

    /** Whether to cancel the order's current payment attempt, because an older attempt was paid. */
    public bool $cancelCurrent;
    public ?string $note;

    /** Reason for `cancel_attempt`. */
    public ?string $reason;

    /** The merchant has to review the order. */
    public bool $attention;

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
