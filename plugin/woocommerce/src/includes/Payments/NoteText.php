<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Rules\Rules;

/** Renders order notes in the site language, not in that of the current user. */
final class NoteText
{
    /** @param array<string, string> $fields */
    public static function render(string $template, array $fields): string
    {
        $isSwitched = switch_to_locale(get_locale());
        // phpcs:ignore WordPress.WP.I18n.NonSingularStringLiteralText -- The build collects the texts of the rules.
        $text = Rules::fillPlaceholders(__($template, 'tillgate-for-woocommerce'), $fields);
        if ($isSwitched) {
            restore_previous_locale();
        }
        return $text;
    }
}
