<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Records\Schema;

/** Deleting the plugin removes settings and secrets on every site of a network, but no order data. */
final class UninstallTest extends TestCase
{
    /**
     * @runInSeparateProcess
     * @preserveGlobalState disabled
     * @dataProvider networks
     */
    public function testDeletesAllSettingsAndSecretsButNoOrderData(bool $isNetwork): void
    {
        require_once __DIR__ . '/bootstrap.php';
        World::reset();
        // The first site has the plugin; the second has neither its options nor WooCommerce.
        World::$options['sites'] = $isNetwork;
        World::$options['tillgate_schema'] = Schema::VERSION;
        World::$options['tillgate_health_clock'] = ['at' => 1, 'offset' => 0];
        World::$users = [7 => ['wp_tillgate_hidden_notices' => ['test' => 1], 'wp_tillgate_site_later' => 1, 'nickname' => 'Ada']];
        $GLOBALS['wpdb'] = World::$wpdb;
        define('WP_UNINSTALL_PLUGIN', 'tillgate-for-woocommerce');
        require dirname(__DIR__) . '/src/uninstall.php';
        self::assertSame([], preg_grep('/tillgate/', array_keys(World::$options)));
        self::assertSame([7 => ['nickname' => 'Ada']], World::$users);
        self::assertSame($isNetwork ? [1, 2] : [], World::$options['visited'] ?? []);
        self::assertSame(['tillgate'], World::$options['unscheduled']);
        self::assertSame([], World::$wpdb->get_results('SELECT * FROM wp_tillgate_attempts', ARRAY_A));
        self::assertNull(World::$wpdb->get_results('SELECT * FROM wp_tillgate_claims', ARRAY_A));
    }

    public function networks(): array
    {
        return ['one site' => [false], 'a network' => [true]];
    }
}
