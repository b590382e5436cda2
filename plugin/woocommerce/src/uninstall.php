<?php
/** Removes settings, secrets and schedules. Payment, refund and event data remains, because it may be needed for accounting. */

defined('WP_UNINSTALL_PLUGIN') || exit;

function tillgate_uninstall_site(): void
{
    if (get_option('tillgate_schema') === false) {
        // Never active on this site, which may lack WooCommerce's tables too.
        return;
    }
    $options = ['woocommerce_tillgate_settings', 'tillgate_credentials', 'tillgate_accounts', 'tillgate_currencies', 'tillgate_alarms', 'tillgate_site_address', 'tillgate_site_id', 'tillgate_site_is_copy', 'tillgate_books', 'tillgate_schema'];
    // Other files belong to sites that share the folder.
    foreach ((array) glob(wp_upload_dir(null, false)['basedir'] . '/tillgate/site-id-*') as $tillgate_file) {
        if (file_get_contents($tillgate_file) === get_option('tillgate_site_id')) {
            wp_delete_file($tillgate_file);
        }
    }
    foreach ($options as $option) {
        delete_option($option);
    }
    foreach (['last_webhook', 'last_refused', 'last_sweep', 'last_error', 'attention', 'starts', 'contact', 'clock'] as $name) {
        delete_option('tillgate_health_' . $name);
    }
    foreach (['tillgate_schedule_checked', 'tillgate_mismatches', 'tillgate_unpaid'] as $transient) {
        delete_transient($transient);
    }
    if (function_exists('as_unschedule_all_actions')) {
        as_unschedule_all_actions('', [], 'tillgate');
    }
    global $wpdb;
    foreach (['tillgate_hidden_notices', 'tillgate_site_later'] as $name) {
        delete_metadata('user', 0, $wpdb->prefix . $name, '', true);
    }
    // Locks are not order data.
    // phpcs:ignore WordPress.DB -- The plugin's own table; its name contains no input.
    $wpdb->query("DROP TABLE IF EXISTS {$wpdb->prefix}tillgate_claims");
}

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $tillgate_site) {
        switch_to_blog((int) $tillgate_site);
        tillgate_uninstall_site();
        restore_current_blog();
    }
} else {
    tillgate_uninstall_site();
}
