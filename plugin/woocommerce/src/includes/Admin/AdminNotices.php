<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Shop\Alerts;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\TestMode;
use Tillgate\WooCommerce\WithServices;

/** Shows the active alerts, and a warning if a public shop is in test mode. Users can hide them for a while, but new alerts still appear. */
final class AdminNotices
{
    use WithServices;

    private const SCREENS = ['dashboard', 'plugins'];
    private const ACTION = 'tillgate_hide_notice';
    /** User option, separate for each site of a network: the hidden notices, each with the time at which it reappears. */
    public const HIDDEN_OPTION = 'tillgate_hidden_notices';
    private const TEST = 'test';
    private const HIDE_ALERT_SECONDS = 86400;
    private const HIDE_TEST_SECONDS = 604800;
    /** After this time without a check, background tasks are assumed to have stopped. */
    private const CHECK_OVERDUE_SECONDS = 30 * ScheduledCheck::INTERVAL_SECONDS;

    public function addHooks(): void
    {
        add_action('admin_notices', [$this, 'show']);
        add_action('admin_post_' . self::ACTION, [$this, 'handleHide']);
    }

    public function show(): void
    {
        $screen = function_exists('get_current_screen') ? get_current_screen() : null;
        $pages = array_merge(self::SCREENS, wc_get_screen_ids());
        // Not shown on the status page, which lists the same alerts.
        $isShownHere = $screen !== null && in_array($screen->id, $pages, true) && !HealthPanel::isOpen();
        if (!$isShownHere || !current_user_can(ConnectionTest::CAPABILITY)) {
            return;
        }
        $alerts = $this->visible($this->activeAlerts());
        $isTesting = $this->isPublicInTestMode() && $this->visible([self::TEST => '']) !== [];
        if ($alerts === [] && !$isTesting) {
            return;
        }
        printf('<div class="notice %s">', $alerts === [] ? 'notice-warning' : 'notice-error');
        if ($alerts !== []) {
            printf(
                '<p data-tillgate-notice="alarm"><strong>%s</strong> – %s. <a href="%s">%s</a></p>',
                esc_html__('Tillgate needs your attention', 'tillgate-for-woocommerce'),
                esc_html(implode(' · ', $alerts)),
                esc_url(HealthPanel::url()),
                esc_html__('View Tillgate status', 'tillgate-for-woocommerce')
            );
        }
        if ($isTesting) {
            printf(
                '<p data-tillgate-notice="test"><strong>%s</strong> %s <a href="%s">%s</a></p>',
                esc_html__('Tillgate is in test mode.', 'tillgate-for-woocommerce'),
                esc_html__('This shop is open to the public, but orders paid with Tillgate bring in no real money.', 'tillgate-for-woocommerce'),
                esc_url(Settings::pageUrl()),
                esc_html__('Change mode', 'tillgate-for-woocommerce')
            );
        }
        printf(
            '<p><a class="button button-small" href="%s">%s</a></p></div>',
            esc_url(wp_nonce_url(admin_url('admin-post.php?action=' . self::ACTION), self::ACTION)),
            esc_html__('Hide for now', 'tillgate-for-woocommerce')
        );
    }

    public function handleHide(): void
    {
        check_admin_referer(self::ACTION);
        if (!current_user_can(ConnectionTest::CAPABILITY)) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
        $this->hide();
        $before = wp_get_referer();
        wp_safe_redirect($before === false ? admin_url('index.php') : $before);
        exit;
    }

    /** Hides the notices for this user on this site: alerts for a day, and the test mode warning for a week. */
    public function hide(): void
    {
        $until = array_fill_keys(array_keys($this->activeAlerts()), time() + self::HIDE_ALERT_SECONDS);
        if ($this->isPublicInTestMode()) {
            $until[self::TEST] = time() + self::HIDE_TEST_SECONDS;
        }
        update_user_option(get_current_user_id(), self::HIDDEN_OPTION, $until);
    }

    /**
     * @param array<string, string> $texts by key
     * @return array<string, string> without those that the user has hidden
     */
    private function visible(array $texts): array
    {
        $hidden = get_user_option(self::HIDDEN_OPTION);
        return array_filter($texts, static function (string $key) use ($hidden): bool {
            return !is_array($hidden) || ($hidden[$key] ?? 0) <= time();
        }, ARRAY_FILTER_USE_KEY);
    }

    /** @return array<string, string> titles by key; empty if the payment method is disabled. An alert that recurs gets a new key. */
    public function activeAlerts(): array
    {
        if (!$this->services->settings->isEnabled()) {
            return [];
        }
        $texts = [];
        foreach (Alerts::active() as $name => $alert) {
            // The alert's stored text is not used, because it is in the site's language, not the user's.
            $texts["$name {$alert['since']}"] = Finding::title($name);
        }
        $last = $this->services->health->read('last_sweep');
        if ($last !== null && $last['at'] < time() - self::CHECK_OVERDUE_SECONDS) {
            $texts["sweep {$last['at']}"] = __('Background tasks have stopped', 'tillgate-for-woocommerce');
        }
        return $texts;
    }

    public function isPublicInTestMode(): bool
    {
        $settings = $this->services->settings;
        return $settings->isEnabled()
            && TestMode::isActive($settings->mode())
            && $settings->setupError() === null
            && get_option('woocommerce_coming_soon') !== 'yes'
            && (string) get_option('blog_public') === '1'
            && wp_get_environment_type() === 'production';
    }
}
