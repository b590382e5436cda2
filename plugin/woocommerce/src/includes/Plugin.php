<?php

namespace Tillgate\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;
use Tillgate\WooCommerce\Admin\AdminNotices;
use Tillgate\WooCommerce\Admin\ConnectionTest;
use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Admin\HealthPanel;
use Tillgate\WooCommerce\Admin\OrderBox;
use Tillgate\WooCommerce\Admin\OrderColumn;
use Tillgate\WooCommerce\Admin\OrderNotice;
use Tillgate\WooCommerce\Admin\PaymentActions;
use Tillgate\WooCommerce\Admin\PrivacyText;
use Tillgate\WooCommerce\Admin\ReconciliationReport;
use Tillgate\WooCommerce\Admin\RefundDifferences;
use Tillgate\WooCommerce\Admin\RevokeSecret;
use Tillgate\WooCommerce\Admin\SiteMoveNotice;
use Tillgate\WooCommerce\Admin\StatusReport;
use Tillgate\WooCommerce\Cli\Commands;
use Tillgate\WooCommerce\Http\ReturnRoute;
use Tillgate\WooCommerce\Http\StatusRoute;
use Tillgate\WooCommerce\Http\WebhookRoute;
use Tillgate\WooCommerce\Records\Schema;
use Tillgate\WooCommerce\Shop\BlocksMethod;
use Tillgate\WooCommerce\Shop\CustomerPages;
use Tillgate\WooCommerce\Shop\ExpressCheckout;
use Tillgate\WooCommerce\Shop\Gateway;
use Tillgate\WooCommerce\Shop\OrderChanges;
use Tillgate\WooCommerce\Shop\PaidStatus;
use Tillgate\WooCommerce\Shop\Receipt;
use Tillgate\WooCommerce\Shop\ReceiptPage;
use Tillgate\WooCommerce\Shop\RefundHooks;
use Tillgate\WooCommerce\Shop\Schedule;
use Tillgate\WooCommerce\Shop\SettingsStorage;

/** Registers the plugin's hooks. WooCommerce instantiates gateways late, so the gateway itself registers only its settings hook. */
final class Plugin
{
    /** ID of the payment gateway; WooCommerce stores it as the payment method of orders. */
    public const GATEWAY_ID = 'tillgate';

    private static ?Services $services = null;

    public static function register(): void
    {
        register_activation_hook(TILLGATE_WOOCOMMERCE_FILE, [self::class, 'activate']);
        register_deactivation_hook(TILLGATE_WOOCOMMERCE_FILE, [Schedule::class, 'unschedule']);
        add_action('before_woocommerce_init', [self::class, 'declareCompatibility']);
        add_action('init', [self::class, 'loadTranslations']);
        add_action('plugins_loaded', [self::class, 'start']);
        add_filter('wpmu_drop_tables', [self::class, 'addTables']);
    }

    /**
     * Adds the plugin's tables to those that WordPress drops when it deletes a site from a multisite network.
     * @param string[] $tables
     * @return string[]
     */
    public static function addTables(array $tables): array
    {
        global $wpdb;
        return array_merge($tables, Schema::tables($wpdb));
    }

    public static function activate(): void
    {
        global $wpdb;
        Schema::install($wpdb);
    }

    public static function declareCompatibility(): void
    {
        if (!class_exists(FeaturesUtil::class)) {
            return;
        }
        foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
            FeaturesUtil::declare_compatibility($feature, TILLGATE_WOOCOMMERCE_FILE, true);
        }
    }

    public static function loadTranslations(): void
    {
        load_plugin_textdomain(
            'tillgate-for-woocommerce',
            false,
            dirname(plugin_basename(TILLGATE_WOOCOMMERCE_FILE)) . '/languages'
        );
    }

    public static function start(): void
    {
        if (!class_exists('WooCommerce')) {
            // WordPress may load the plugin although WooCommerce is missing.
            return;
        }
        global $wpdb;
        Schema::install($wpdb);
        $services = self::services();
        add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
            $gateways[] = Gateway::class;
            return $gateways;
        });
        add_action('woocommerce_blocks_payment_method_type_registration', [BlocksMethod::class, 'register']);
        foreach (
            [
                new SettingsStorage(),
                new WebhookRoute($services),
                new StatusRoute($services),
                new ReturnRoute($services),
                new ReceiptPage($services),
                new CustomerPages($services),
                new Receipt($services),
                new ExpressCheckout($services),
                new OrderChanges($services),
                new PaidStatus($services),
                new RefundHooks($services),
                $services->refundedOrders,
                new Schedule($services),
                new ConnectionTest($services),
                new ConnectShop($services),
                new RevokeSecret(),
                new HealthPanel($services),
                new OrderColumn($services),
                new OrderBox($services),
                new OrderNotice(),
                new PaymentActions($services),
                new RefundDifferences($services),
                new AdminNotices($services),
                new SiteMoveNotice($services),
                new ReconciliationReport($services),
                new StatusReport($services),
                new PrivacyText(),
            ] as $part
        ) {
            $part->addHooks();
        }
        Commands::register($services);
        add_filter('plugin_action_links_' . plugin_basename(TILLGATE_WOOCOMMERCE_FILE), [self::class, 'addLinks']);
    }

    /** Returns the services, for classes that WooCommerce instantiates without arguments. */
    public static function services(): Services
    {
        if (self::$services === null) {
            global $wpdb;
            self::$services = new Services($wpdb, dirname(TILLGATE_WOOCOMMERCE_FILE) . '/rules');
        }
        return self::$services;
    }

    /**
     * @param string[] $links
     * @return string[]
     */
    public static function addLinks(array $links): array
    {
        $settings = sprintf(
            '<a href="%s">%s</a>',
            esc_url(Shop\Settings::pageUrl()),
            esc_html__('Settings', 'tillgate-for-woocommerce')
        );
        $health = sprintf(
            '<a href="%s">%s</a>',
            esc_url(HealthPanel::url()),
            esc_html__('Status', 'tillgate-for-woocommerce')
        );
        return array_merge([$settings, $health], $links);
    }
}
