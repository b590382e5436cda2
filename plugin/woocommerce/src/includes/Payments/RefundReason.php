<?php

namespace Tillgate\WooCommerce\Payments;

/** Sanitizes refund reasons to one line of plain text, because customers see them in the shop, in e-mails and in their wallet. */
final class RefundReason
{
    /** Maximum of the API. */
    private const MAX_CHARACTERS = 500;

    /** @param mixed $reason from a form or the API */
    public static function clean($reason): string
    {
        $text = is_string($reason) ? sanitize_text_field($reason) : '';
        // sanitize_text_field() keeps control characters and bidirectional overrides.
        $plain = preg_replace('/[\p{Cc}\x{200E}\x{200F}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{FEFF}]+/u', '', $text);
        return $plain === null ? '' : trim(mb_substr($plain, 0, self::MAX_CHARACTERS));
    }
}
