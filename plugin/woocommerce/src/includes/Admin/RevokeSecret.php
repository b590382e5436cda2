<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Shop\Credential;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\TestMode;

/** Lists old client secrets that are still valid, each with a button to revoke it. */
final class RevokeSecret
{
    private const ACTION = 'tillgate_end_secret';
    private const RESULT_PARAMETER = 'tillgate_secret';
    private const REVOKED = 'ended';
    private const NOT_FOUND = 'gone';

    public function addHooks(): void
    {
        add_action('admin_post_' . self::ACTION, [$this, 'revoke']);
        add_action('admin_notices', [$this, 'showResult']);
    }

    /** @return string HTML; empty if no old secret is valid */
    public static function listHtml(): string
    {
        $items = '';
        foreach (Credentials::retired() as $credential) {
            $items .= sprintf(
                '<li>%s <a class="button button-small" href="%s">%s</a></li>',
                esc_html(self::describe($credential)),
                esc_url(self::revokeUrl($credential)),
                esc_html__('Revoke now', 'tillgate-for-woocommerce')
            );
        }
        return $items === '' ? '' : sprintf(
            '<p class="description">%s</p><ul data-tillgate-old-secrets>%s</ul>',
            esc_html__(
                'These old secrets are still valid. If a webhook is signed with one of them, the shop confirms the payment with Tillgate before it changes the order. If someone else may know a secret, revoke it here and in Tillgate immediately.',
                'tillgate-for-woocommerce'
            ),
            $items
        );
    }

    public function revoke(): void
    {
        $id = isset($_GET['secret']) ? sanitize_key(wp_unslash($_GET['secret'])) : '';
        check_admin_referer(self::ACTION . $id);
        if (!current_user_can(ConnectionTest::CAPABILITY)) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
        $result = Credentials::revoke($id) ? self::REVOKED : self::NOT_FOUND;
        wp_safe_redirect(add_query_arg(self::RESULT_PARAMETER, $result, Settings::pageUrl()));
        exit;
    }

    public function showResult(): void
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only selects a fixed text.
        $result = isset($_GET[self::RESULT_PARAMETER]) ? sanitize_key(wp_unslash($_GET[self::RESULT_PARAMETER])) : '';
        $texts = [
            self::REVOKED => __('Old secret revoked. Webhooks signed with it are no longer accepted.', 'tillgate-for-woocommerce'),
            self::NOT_FOUND => __('This old secret was already revoked or has expired.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$result])) {
            printf('<div class="notice notice-success is-dismissible"><p>%s</p></div>', esc_html($texts[$result]));
        }
    }

    private static function describe(Credential $credential): string
    {
        $expiresAt = (int) $credential->retiredAt + Credentials::OVERLAP_SECONDS;
        return sprintf(
            /* translators: 1: client ID, 2: live mode or test mode, 3: a time span, like "23 hours" */
            __('%1$s (%2$s), for another %3$s', 'tillgate-for-woocommerce'),
            $credential->clientId,
            TestMode::modeName($credential->mode),
            human_time_diff(time(), $expiresAt)
        );
    }

    private static function revokeUrl(Credential $credential): string
    {
        return wp_nonce_url(
            admin_url('admin-post.php?action=' . self::ACTION . '&secret=' . $credential->id),
            self::ACTION . $credential->id
        );
    }
}
