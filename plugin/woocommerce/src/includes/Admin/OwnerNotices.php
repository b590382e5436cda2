<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\Sweep;
use Tillgate\WooCommerce\Shop\Alarms;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\TestMode;
use Tillgate\WooCommerce\WithServices;

/** On the pages of the administration where owners are: what needs them, and that a shop open to the public only tests. */
final class OwnerNotices
{
    use WithServices;

    private const PAGES = ['dashboard', 'plugins'];
    /** A sweep that is this late will not come by itself. */
    private const SWEEP_LATE_SECONDS = 30 * Sweep::INTERVAL_SECONDS;

    public function addHooks(): void
    {
        add_action('admin_notices', [$this, 'show']);
    }

    public function show(): void
    {
        $screen = function_exists('get_current_screen') ? get_current_screen() : null;
        $pages = array_merge(self::PAGES, wc_get_screen_ids());
        if ($screen === null || !in_array($screen->id, $pages, true) || !current_user_can(ConnectionTest::CAPABILITY)) {
            return;
        }
        $this->showAlarms();
        if ($this->testsInPublic()) {
            printf(
                '<div class="notice notice-warning" data-tillgate-notice="test"><p><strong>%s</strong> %s <a href="%s">%s</a></p></div>',
                esc_html__('Tillgate is in test mode.', 'tillgate-for-woocommerce'),
                esc_html__('This shop is open to the public, but no real money is moved: orders are shipped for nothing.', 'tillgate-for-woocommerce'),
                esc_url(Settings::pageUrl()),
                esc_html__('Change the mode', 'tillgate-for-woocommerce')
            );
        }
    }

    /** @return string[] each with what to do */
    public function alarms(): array
    {
        if (!$this->services->settings->isEnabled()) {
            return [];
        }
        $texts = array_map(static function (array $alarm): string {
            return trim($alarm['text'] . ' – ' . $alarm['advice'], ' –');
        }, Alarms::standing());
        $last = $this->services->health->read('last_sweep');
        if ($last !== null && $last['at'] < time() - self::SWEEP_LATE_SECONDS) {
            $texts[] = __('Background work has stopped: lost reports are not repaired. The health page shows the line for the server.', 'tillgate-for-woocommerce');
        }
        return array_values($texts);
    }

    /** Whether strangers can order here while nothing is really paid. */
    public function testsInPublic(): bool
    {
        $settings = $this->services->settings;
        return $settings->isEnabled()
            && TestMode::is($settings->mode())
            && $settings->whatIsMissing() === null
            && get_option('woocommerce_coming_soon') !== 'yes'
            && (string) get_option('blog_public') === '1'
            && wp_get_environment_type() === 'production';
    }

    private function showAlarms(): void
    {
        $alarms = $this->alarms();
        if ($alarms === []) {
            return;
        }
        printf(
            '<div class="notice notice-error" data-tillgate-notice="alarm"><p><strong>%s</strong></p><ul style="list-style:disc;padding-left:1.5em">',
            esc_html__('Tillgate needs you', 'tillgate-for-woocommerce')
        );
        foreach ($alarms as $alarm) {
            echo '<li>' . esc_html($alarm) . '</li>';
        }
        printf(
            '</ul><p><a href="%s">%s</a></p></div>',
            esc_url(HealthPanel::url()),
            esc_html__('See how Tillgate is doing in this shop', 'tillgate-for-woocommerce')
        );
    }
}
