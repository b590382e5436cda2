<?php

namespace Tillgate\WooCommerce\Shop;

/** The build writes each script's dependencies to its `.asset.php` file. */
final class Scripts
{
    public const STYLE = 'tillgate';

    public static function register(string $handle, string $name): void
    {
        $folder = dirname(TILLGATE_WOOCOMMERCE_FILE);
        /** @var array{dependencies: string[], version: string} $asset */
        $asset = require "$folder/assets/$name.asset.php";
        wp_register_script(
            $handle,
            plugins_url("assets/$name.js", TILLGATE_WOOCOMMERCE_FILE),
            $asset['dependencies'],
            $asset['version'],
            ['in_footer' => true, 'strategy' => 'defer']
        );
        if (in_array('wp-i18n', $asset['dependencies'], true)) {
            wp_set_script_translations($handle, 'tillgate-for-woocommerce', "$folder/languages");
        }
    }

    public static function style(): void
    {
        wp_enqueue_style(
            self::STYLE,
            plugins_url('assets/tillgate.css', TILLGATE_WOOCOMMERCE_FILE),
            [],
            TILLGATE_WOOCOMMERCE_VERSION
        );
    }
}
