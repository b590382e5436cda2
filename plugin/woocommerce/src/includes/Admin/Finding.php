<?php

namespace Tillgate\WooCommerce\Admin;

/** One line of the health panel. */
final class Finding
{
    /** @return array{name: string, ok: bool, title: string, text: string, advice: string, code: string} */
    public static function of(
        string $name,
        bool $ok,
        string $title,
        string $text,
        string $advice = '',
        string $code = ''
    ): array {
        return [
            'name' => $name,
            'ok' => $ok,
            'title' => $title,
            'text' => $text,
            'advice' => $advice,
            'code' => $code,
        ];
    }

    public static function ago(int $time): string
    {
        /* translators: %s: a time span, like "3 mins" */
        return sprintf(__('%s ago', 'tillgate-for-woocommerce'), human_time_diff($time, time()));
    }
}
