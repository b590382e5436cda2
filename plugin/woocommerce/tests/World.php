<?php

namespace Tillgate\WooCommerce\Tests;

use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Schema;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Credentials;

/** Everything that is outside of the plugin, made again for each test. */
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
    /** @var callable|null What WooCommerce asks for the money of a refund. */
    public static $gateway;
    /** @var bool Whether the shop keeps its orders as posts: then a refund's record is saved before it is named. */
    public static $ordersArePosts;
    public static $emails;

    /** @var bool whether no file can be written */
    public static $isReadOnly = false;

    /** @var callable|null what another plugin does instead of sending a mail */
    public static $mailer;
    /** @var string folder of uploads */
    public static $uploads;
    /** What the shop tells its shopper. */
    public static $notices;
    public static $user;
    /** @var array<int, array<string, mixed>> what is kept of each user */
    public static $users;
    public static $isMobile;
    /** @var array<string, string> the scripts of the page by their names */
    public static $scripts;
    /** @var array<string, string> addresses of the scripts that may be asked for by name */
    public static $registeredScripts;
    public static $cart;
    public static $screen;
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
        self::$uploads = sys_get_temp_dir() . '/tillgate-uploads-' . bin2hex(random_bytes(6));
        Credentials::save('sandbox', self::CLIENT, self::SECRET, World::ADDRESS);
        self::$wpdb = new \wpdb($databaseFile);
        foreach (Schema::statements(self::$wpdb) as $statement) {
            if (self::$wpdb->query($statement) === false) {
                throw new \RuntimeException(self::$wpdb->last_error);
            }
        }
        $services = new Services(self::$wpdb, self::rulesFolder());
        // WooCommerce makes gateways without arguments: they find the services there.
        $known = new \ReflectionProperty(Plugin::class, 'services');
        $known->setAccessible(true);
        $known->setValue(null, $services);
        return $services;
    }

    public static function order(int $id, string $total = '41.50', string $currency = 'EUR'): \WC_Order
    {
        return self::$orders[$id] = new \WC_Order($id, $total, $currency);
    }

    /** A genuine report of Tillgate arrives. @return string the outcome */
    public static function receive(Services $services, string $event, array $data): string
    {
        return (new ReceiveWebhook($services))->run((string) json_encode([
            'id' => 'evt_' . bin2hex(random_bytes(12)),
            'event' => $event,
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => $data,
        ]), Credentials::all())['outcome'];
    }

    /** The rules as the zip has them: the build puts the table of currencies beside them. */
    public static function rulesFolder(): string
    {
        return dirname(__DIR__) . '/dist/tillgate-for-woocommerce/rules';
    }
}
