<?php

namespace Tillgate\WooCommerce\Http;

/** Prevents caching of payment state by browsers, page-cache plugins, LiteSpeed, nginx, Varnish and CDNs. */
final class NoCache
{
    private const HEADERS = [
        'Cache-Control' => 'no-store, private',
        'CDN-Cache-Control' => 'no-store',
        'Surrogate-Control' => 'no-store',
        'X-Accel-Expires' => '0',
        'X-LiteSpeed-Cache-Control' => 'no-cache',
    ];

    public static function sendHeaders(): void
    {
        self::disablePluginCaches();
        nocache_headers();
        foreach (self::HEADERS as $name => $value) {
            header("$name: $value");
        }
    }

    /** @param array<string, mixed> $data */
    public static function response(array $data, int $status = 200): \WP_REST_Response
    {
        self::disablePluginCaches();
        $response = new \WP_REST_Response($data, $status);
        foreach (self::HEADERS as $name => $value) {
            $response->header($name, $value);
        }
        return $response;
    }

    private static function disablePluginCaches(): void
    {
        if (!defined('DONOTCACHEPAGE')) {
            // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedConstantFound -- Constant checked by page-cache plugins.
            define('DONOTCACHEPAGE', true);
        }
        // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- LiteSpeed Cache's own hook.
        do_action('litespeed_control_set_nocache', 'tillgate');
    }
}
