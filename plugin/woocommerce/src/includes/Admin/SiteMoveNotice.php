<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

/** Asks whether the shop moved or this site is a copy, if its database was connected at another address or with the files of another site. */
final class SiteMoveNotice
{
    use WithServices;

    private const MOVED = 'tillgate_site_moved';
    private const COPY = 'tillgate_site_copy';
    private const LATER = 'tillgate_site_later';
    private const SNOOZE_SECONDS = 86400;

    public function addHooks(): void
    {
        add_action('admin_post_' . self::MOVED, [$this, 'handleMoved']);
        add_action('admin_post_' . self::COPY, [$this, 'handleCopy']);
        add_action('admin_post_' . self::LATER, [$this, 'handleLater']);
        add_action('admin_notices', [$this, 'show']);
    }

    public function show(): void
    {
        $question = SiteAddress::question();
        if ($question === null || !current_user_can(ConnectionTest::CAPABILITY) || $this->isSnoozed()) {
            return;
        }
        printf(
            '<div class="notice notice-error" data-tillgate-notice="site"><p><strong>%s</strong> %s</p>',
            esc_html__('Did this shop move?', 'tillgate-for-woocommerce'),
            esc_html($question)
        );
        self::showButton(
            self::MOVED,
            __('The shop moved here: continue', 'tillgate-for-woocommerce'),
            __('The site at the old address is gone, or no longer a shop. Payments continue here.', 'tillgate-for-woocommerce')
        );
        self::showButton(
            self::COPY,
            __('This is a copy: disconnect it', 'tillgate-for-woocommerce'),
            __('Deletes the API keys and open payments from this copy only. Your real shop isn’t affected. You can only connect the copy to the sandbox.', 'tillgate-for-woocommerce')
        );
        self::showButton(
            self::LATER,
            __('Ask me later', 'tillgate-for-woocommerce'),
            __('Hides this for a day, except in the settings. Tillgate changes nothing here until you decide.', 'tillgate-for-woocommerce')
        );
        echo '</div>';
    }

    /** The settings page always shows the notice, so that the merchant can decide at any time. */
    private function isSnoozed(): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only identifies the page.
        $isSettings = isset($_GET['section']) && $_GET['section'] === Plugin::GATEWAY_ID;
        return !$isSettings && (int) get_user_option(self::LATER) > time();
    }

    public function handleLater(): void
    {
        check_admin_referer(self::LATER);
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        update_user_option(get_current_user_id(), self::LATER, time() + self::SNOOZE_SECONDS);
        $before = wp_get_referer();
        wp_safe_redirect($before === false ? admin_url('index.php') : $before);
        exit;
    }

    public function handleMoved(): void
    {
        check_admin_referer(self::MOVED);
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        SiteAddress::save();
        self::redirectToSettings();
    }

    public function handleCopy(): void
    {
        check_admin_referer(self::COPY);
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        (new Connection($this->services))->disconnectCopy();
        self::redirectToSettings();
    }

    private static function showButton(string $action, string $label, string $explanation): void
    {
        printf(
            '<form method="post" action="%1$s"><p><input type="hidden" name="action" value="%2$s"><input type="hidden" name="_wpnonce" value="%3$s"><button class="button">%4$s</button> %5$s</p></form>',
            esc_url(admin_url('admin-post.php')),
            esc_attr($action),
            esc_attr(wp_create_nonce($action)),
            esc_html($label),
            esc_html($explanation)
        );
    }

    private static function requireCapability(bool $isAllowed): void
    {
        if (!$isAllowed) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
    }

    private static function redirectToSettings(): void
    {
        wp_safe_redirect(Settings::pageUrl());
        exit;
    }
}
