<?php

namespace Tillgate\WooCommerce\Tests;

use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Schema;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\RefundHooks;

/** State of the fakes, reset for each test. */
final class World
{
    public const SECRET = 'tgs_test_a-secret-that-nobody-may-see';
    public const CLIENT = 'tg_test_1';
    public const ADDRESS = 'https://api.example';

    public static $now;
    public static $salt;
    public static $options;
    public static $actions;
    public static $orders;
    public static $decimals;
    public static $log;
    public static $ignoredStatus;
    public static $lastRefundId;
    /** @var callable|null The gateway that WooCommerce calls for refunds. */
    public static $gateway;
    /** @var bool Whether orders are stored as posts: then a refund is saved before its metadata. */
    public static $ordersArePosts;
    public static $emails;

    /** @var bool whether the file system is read-only */
    public static $isReadOnly = false;

    /** @var callable|null replaces wp_mail(), as another plugin may do */
    public static $mailer;
    /** @var string uploads directory */
    public static $uploads;
    /** Notices shown to the customer. */
    public static $notices;
    public static $user;
    /** @var array<int, array<string, mixed>> user meta by user ID */
    public static $users;
    public static $isMobile;
    /** @var array<string, string> enqueued scripts by handle */
    public static $scripts;
    /** @var array<string, string> URLs of registered scripts by handle */
    public static $registeredScripts;
    public static $cart;
    public static $screen;
    /** @var array<string, string> translations by English text */
    public static $translations;
    /** @var FakeTillgate */
    public static $tillgate;
    /** @var \wpdb */
    public static $wpdb;

    public static function reset(string $databaseFile = ':memory:'): Services
    {
        self::$now = time();
        self::$salt = 'salt';
        self::$actions = [];
        self::$orders = [];
        self::$decimals = 2;
        self::$log = [];
        self::$ignoredStatus = null;
        self::$lastRefundId = 9000;
        self::$gateway = null;
        self::$ordersArePosts = false;
        self::$emails = [];
        self::$mailer = null;
        self::$isReadOnly = false;
        self::$notices = [];
        self::$user = 7;
        self::$users = [];
        self::$isMobile = false;
        self::$scripts = [];
        self::$registeredScripts = [];
        self::$cart = null;
        self::$screen = 'dashboard';
        self::$translations = [];
        self::$tillgate = new FakeTillgate();
        self::$options = [
            'home' => 'https://shop.example',
            'woocommerce_tillgate_settings' => [
                'enabled' => 'yes',
                'mode' => 'sandbox',
                'address' => self::ADDRESS,
                'client_id' => self::CLIENT,
            ],
        ];
        self::emptyUploads();
        Credentials::save('sandbox', self::CLIENT, self::SECRET, World::ADDRESS);
        self::$wpdb = new \wpdb($databaseFile);
        foreach (Schema::statements(self::$wpdb) as $statement) {
            if (self::$wpdb->query($statement) === false) {
                throw new \RuntimeException(self::$wpdb->last_error);
            }
        }
        $services = new Services(self::$wpdb, self::rulesFolder());
        // Gateways get the services from Plugin.
        $known = new \ReflectionProperty(Plugin::class, 'services');
        $known->setAccessible(true);
        $known->setValue(null, $services);
        return $services;
    }

    /** Deletes this process's uploads directory. The first call also schedules its deletion at the end of the process. */
    private static function emptyUploads(): void
    {
        if (self::$uploads === null) {
            self::$uploads = sys_get_temp_dir() . '/tillgate-uploads-' . bin2hex(random_bytes(6));
            register_shutdown_function(static function (): void {
                self::emptyUploads();
            });
        }
        foreach ((array) glob(self::$uploads . '/tillgate/*') as $file) {
            unlink($file);
        }
        @rmdir(self::$uploads . '/tillgate');
        @rmdir(self::$uploads);
    }

    /** Resets the state, and adds order 7, the shop's refund hooks, and the gateway that WooCommerce calls for refunds. */
    public static function resetWithRefunds(): Services
    {
        $services = self::reset();
        (new RefundHooks($services))->addHooks();
        self::$gateway = static function (int $orderId, string $amount, string $reason) use ($services) {
            return (new RequestRefund($services))->run($orderId, $amount, $reason);
        };
        self::order(7);
        return $services;
    }

    /** Starts and pays the payment of order 7. @return string ID of its Tillgate order */
    public static function payOrder(Services $services): string
    {
        $attempt = (new StartPayment($services))->run(7);
        self::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($services))->run($attempt);
        self::$orders[7]->notes = [];
        return (string) $attempt->tillgateOrderId;
    }

    public static function order(int $id, string $total = '41.50', string $currency = 'EUR'): \WC_Order
    {
        return self::$orders[$id] = new \WC_Order($id, $total, $currency);
    }

    /** Delivers a verified webhook. @return string the outcome */
    public static function receive(Services $services, string $event, array $data): string
    {
        return (new ReceiveWebhook($services))->run((string) json_encode([
            'id' => 'evt_' . bin2hex(random_bytes(12)),
            'event' => $event,
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => $data,
        ]), Credentials::all())['outcome'];
    }

    /** Returns the folder of the built rules and currency table. */
    public static function rulesFolder(): string
    {
        return dirname(__DIR__) . '/dist/tillgate-for-woocommerce/rules';
    }
}
