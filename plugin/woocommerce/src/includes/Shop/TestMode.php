<?php

namespace Tillgate\WooCommerce\Shop;

final class TestMode
{
    public static function isActive(string $mode): bool
    {
        return $mode !== 'live';
    }

    /** @return string translated name of a mode, such as "test mode" */
    public static function modeName(string $mode): string
    {
        return self::isActive($mode)
            ? __('test mode', 'tillgate-for-woocommerce')
            : __('live mode', 'tillgate-for-woocommerce');
    }

    public static function text(): string
    {
        return __('Test mode: no real money is involved.', 'tillgate-for-woocommerce');
    }

    /** @return string badge for lists, as HTML */
    public static function badge(): string
    {
        return sprintf(
            ' <span class="tillgate-test" title="%s" style="padding:0 .5em;border-radius:3px;color:#5c3a00;background:#fcecc8">%s</span>',
            esc_attr(self::text()),
            esc_html__('test', 'tillgate-for-woocommerce')
        );
    }
}
