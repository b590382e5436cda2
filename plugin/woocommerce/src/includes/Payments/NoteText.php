<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Orders;

/** Renders order notes in the site language, not in that of the current user. */
final class NoteText
{
    /** @param array<string, string> $fields values of the placeholders; `status` is an order status without `wc-` */
    public static function render(string $template, array $fields): string
    {
        $isSwitched = switch_to_locale(get_locale());
        if (isset($fields['status'])) {
            $fields['status'] = Orders::statusName($fields['status']);
        }
        // phpcs:ignore WordPress.WP.I18n.NonSingularStringLiteralText -- The build collects the texts of the rules.
        $text = Rules::fillPlaceholders(__($template, 'tillgate-for-woocommerce'), $fields);
        if ($isSwitched) {
            restore_previous_locale();
        }
        return $text;
    }
}
