<?php
/**
 * Plugin Name: Tillgate for WooCommerce
 * Description: Accept wallet payments with Tillgate: QR code or hosted payment page, refunds from WooCommerce or Tillgate, and orders that stay in sync.
 * Version: 0.1.0
 * Author: Tillgate
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: tillgate-for-woocommerce
 * Domain Path: /languages
 * Requires at least: 6.6
 * Requires PHP: 7.4
 * Requires Plugins: woocommerce
 * WC requires at least: 9.0
 * WC tested up to: 10.0
 */

defined('ABSPATH') || exit;

define('TILLGATE_WOOCOMMERCE_VERSION', '0.1.0');
define('TILLGATE_WOOCOMMERCE_FILE', __FILE__);

spl_autoload_register(static function (string $class): void {
    $prefix = 'Tillgate\\WooCommerce\\';
    if (strncmp($class, $prefix, strlen($prefix)) !== 0) {
        return;
    }
    $file = __DIR__ . '/includes/' . str_replace('\\', '/', substr($class, strlen($prefix))) . '.php';
    if (is_readable($file)) {
        require_once $file;
    }
});

\Tillgate\WooCommerce\Plugin::register();
