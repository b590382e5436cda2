<?php

use Tillgate\WooCommerce\Tests\World;

/** Fakes for pages, e-mails and WP-CLI. */

class WP_CLI
{
    public static $lines = [];

    public static function line($text)
    {
        self::$lines[] = $text;
    }

    public static function success($text)
    {
        self::$lines[] = "Success: $text";
    }

    public static function warning($text)
    {
        self::$lines[] = "Warning: $text";
    }

    public static function error($text)
    {
        throw new RuntimeException("Error: $text");
    }

    public static function halt($code)
    {
        throw new RuntimeException("Ended with $code");
    }
}

function esc_attr($text)
{
    return esc_html($text);
}

function esc_url($address)
{
    return esc_html($address);
}

function esc_url_raw(string $address)
{
    return $address;
}

function esc_html__($text, $domain)
{
    return esc_html(__($text, $domain));
}

function esc_html_e($text, $domain)
{
    echo esc_html__($text, $domain);
}

function esc_attr_e($text, $domain)
{
    echo esc_html__($text, $domain);
}

function wp_kses_post($html)
{
    return $html;
}

function sanitize_key($text)
{
    return preg_replace('/[^a-z0-9_-]/', '', strtolower($text));
}

function wp_unslash($value)
{
    return is_array($value) ? array_map('wp_unslash', $value) : stripslashes($value);
}

function absint($value)
{
    return abs((int) $value);
}

function get_query_var($name)
{
    return '';
}

function get_current_user_id()
{
    return World::$user;
}

function current_user_can($capability)
{
    return World::$user === 7;
}

function get_user_option($name, $user = 0)
{
    return World::$users[$user === 0 ? get_current_user_id() : $user][World::$wpdb->prefix . $name] ?? false;
}

function update_user_option($user, $name, $value)
{
    World::$users[$user][World::$wpdb->prefix . $name] = $value;
}

function delete_metadata($kind, $object, $name, $value, $isOfAll)
{
    World::$users = array_map(static function (array $kept) use ($name): array {
        return array_diff_key($kept, [$name => true]);
    }, World::$users);
}

function get_current_screen()
{
    return (object) ['id' => World::$screen];
}

function wp_get_environment_type()
{
    return 'production';
}

function wp_is_mobile()
{
    return World::$isMobile;
}

function wp_register_script($name, $address, $needed, $version, $how)
{
    World::$registeredScripts[$name] = $address;
}

function wp_set_script_translations($name, $domain, $folder)
{
}

function wp_enqueue_script($name, $address = null, $needed = [], $version = false, $how = [])
{
    World::$scripts[$name] = $address ?? World::$registeredScripts[$name];
}

function wp_enqueue_style($name, $address, $needed, $version)
{
}

function is_multisite()
{
    return World::$options['sites'] ?? false;
}

function admin_url($path)
{
    return "https://shop.example/wp-admin/$path";
}

function site_url($path)
{
    return "https://shop.example/$path";
}

function plugins_url($path, $file)
{
    return "https://shop.example/wp-content/plugins/tillgate-for-woocommerce/$path";
}

function human_time_diff($from, $to)
{
    return abs($to - $from) . ' seconds';
}

function wp_mail($to, $subject, $text)
{
    if (World::$mailer !== null) {
        (World::$mailer)();
    }
    World::$emails[] = ['to' => $to, 'subject' => $subject, 'text' => $text];
    return true;
}

function wp_create_nonce($action)
{
    return md5($action);
}

function wp_nonce_url($address, $action)
{
    return "$address&_wpnonce=" . md5($action);
}

function wc_get_screen_ids()
{
    return ['woocommerce_page_wc-orders'];
}

function wc_price($amount, $arguments)
{
    return '<span>' . number_format($amount, 2) . '&nbsp;' . $arguments['currency'] . '</span>';
}

function wc_format_datetime($date)
{
    return $date->format('j F Y');
}

function get_woocommerce_currency()
{
    return $GLOBALS['tillgate_currency'] ?? 'EUR';
}

function get_woocommerce_currencies()
{
    return ['EUR' => 'Euro', 'XAF' => 'CFA franc'];
}

function delete_option($name)
{
    unset(World::$options[$name]);
}

function get_sites($query)
{
    return [1, 2];
}

function switch_to_blog($site)
{
    World::$options['visited'][] = $site;
}

function as_unschedule_all_actions($hook, $arguments, $group)
{
    World::$options['unscheduled'][] = $group;
}

function restore_current_blog()
{
}

function wp_date($format)
{
    return gmdate($format);
}
