<?php

namespace Tillgate\WooCommerce\Payments;

/** Why money is given back, as one line of plain text: it is shown to shoppers in the shop's pages and mails, and to payers. */
final class RefundReason
{
    /** Tillgate takes no longer one. */
    private const MAX_CHARACTERS = 500;

    /** @param mixed $reason from a form of the shop, or from Tillgate */
    public static function clean($reason): string
    {
        $text = is_string($reason) ? sanitize_text_field($reason) : '';
        // What WordPress leaves: control characters, and those that turn the direction of what follows.
        $plain = preg_replace('/[\p{Cc}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{FEFF}]+/u', '', $text);
        return $plain === null ? '' : trim(mb_substr($plain, 0, self::MAX_CHARACTERS));
    }
}
