<?php

/**
 * Loads the plugin's classes with fakes of WordPress, WooCommerce and the Tillgate API. The table classes run their SQL on SQLite.
 */

define('ABSPATH', __DIR__ . '/');
define('ARRAY_A', 'ARRAY_A');
define('HOUR_IN_SECONDS', 3600);
define('DAY_IN_SECONDS', 86400);
define('TILLGATE_WOOCOMMERCE_VERSION', 'test');
define('TILLGATE_WOOCOMMERCE_FILE', dirname(__DIR__) . '/dist/tillgate-for-woocommerce/tillgate-for-woocommerce.php');

spl_autoload_register(static function (string $class): void {
    foreach (['Tillgate\\WooCommerce\\Tests\\' => __DIR__ . '/', 'Tillgate\\WooCommerce\\' => __DIR__ . '/../src/includes/'] as $prefix => $folder) {
        $file = $folder . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
        if (strncmp($class, $prefix, strlen($prefix)) === 0 && is_readable($file)) {
            require_once $file;
            return;
        }
    }
});

require_once __DIR__ . '/fakes/wordpress.php';
require_once __DIR__ . '/fakes/woocommerce.php';
require_once __DIR__ . '/fakes/pages.php';
require_once __DIR__ . '/fakes/cli-utils.php';
