<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\AdminNotices;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Shop\Schedule;

/** Sites of a network share users and plugins, but nothing else. */
final class NetworkTest extends TestCase
{
    protected function setUp(): void
    {
        World::reset();
    }

    public function testNetworkDeactivationStopsTheBackgroundTasksOfEverySite(): void
    {
        update_option('tillgate_schema', '1');
        Schedule::unschedule(true);
        self::assertSame([1, 2], World::$options['visited']);
        self::assertSame(['tillgate', 'tillgate'], World::$options['unscheduled']);
    }

    public function testNetworkDeactivationSkipsSitesWhereThePluginNeverRan(): void
    {
        Schedule::unschedule(true);
        self::assertArrayNotHasKey('unscheduled', World::$options);
    }

    public function testSiteDeactivationStopsOnlyThatSitesBackgroundTasks(): void
    {
        Schedule::unschedule(false);
        self::assertArrayNotHasKey('visited', World::$options);
        self::assertSame(['tillgate'], World::$options['unscheduled']);
    }

    public function testListsTheTablesToDropWithADeletedSite(): void
    {
        World::$wpdb->prefix = 'wp_2_';
        $GLOBALS['wpdb'] = World::$wpdb;
        $names = array_map(static function (string $statement): string {
            return explode(' ', $statement)[2];
        }, \Tillgate\WooCommerce\Records\Schema::statements(World::$wpdb));
        self::assertSame(array_merge(['wp_2_posts'], $names), Plugin::addTables(['wp_2_posts']));
    }

    public function testHidesANoticeOnOneSiteOnly(): void
    {
        $user = get_current_user_id();
        (new AdminNotices(Plugin::services()))->hide();
        self::assertSame(['wp_' . AdminNotices::HIDDEN_OPTION], array_keys(World::$users[$user]));
        World::$wpdb->prefix = 'wp_2_';
        self::assertFalse(get_user_option(AdminNotices::HIDDEN_OPTION));
    }
}
