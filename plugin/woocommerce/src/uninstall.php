<?php
/**
 * Removes the plugin's settings, secrets and schedules. What belongs to orders (their payments, refunds and events) stays,
 * as the shop's books may need it.
 */

defined('WP_UNINSTALL_PLUGIN') || exit;

foreach (['woocommerce_tillgate_settings', 'tillgate_credentials', 'tillgate_currencies', 'tillgate_schema'] as $tillgate_option) {
    delete_option($tillgate_option);
}
foreach (['last_webhook', 'last_refused', 'last_sweep', 'last_error', 'clock'] as $tillgate_fact) {
    delete_option('tillgate_health_' . $tillgate_fact);
}
delete_transient('tillgate_schedule_checked');
delete_transient('tillgate_mismatches');
if (function_exists('as_unschedule_all_actions')) {
    as_unschedule_all_actions('', [], 'tillgate');
}

// Who works on what this second is no data of an order.
global $wpdb;
// phpcs:ignore WordPress.DB -- The plugin's own table; its name holds no input.
$wpdb->query("DROP TABLE IF EXISTS {$wpdb->prefix}tillgate_claims");
