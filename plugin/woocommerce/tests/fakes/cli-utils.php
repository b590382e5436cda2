<?php

namespace WP_CLI\Utils;

function format_items($format, $items, $fields)
{
    \WP_CLI::$lines = array_map(static function (array $item): string {
        return implode(' | ', $item);
    }, $items);
}
