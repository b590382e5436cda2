<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

final class ConnectShop
{
    use WithServices;

    private const START_ACTION = 'tillgate_connect';
    private const RETURN_ACTION = 'tillgate_connected';
    private const DISCONNECT_ACTION = 'tillgate_disconnect';
    private const RESULT_PARAMETER = 'tillgate_connection';
    /** Query parameter with the Tillgate URL, in the console's links to the settings. */
    private const URL_PARAMETER = 'tillgate_connect';

    public function addHooks(): void
    {
        add_action('admin_post_' . self::START_ACTION, [$this, 'start']);
        add_action('admin_post_' . self::RETURN_ACTION, [$this, 'finish']);
        add_action('admin_post_' . self::DISCONNECT_ACTION, [$this, 'disconnect']);
        add_action('admin_notices', [$this, 'showResult']);
    }

    public static function showBox(Settings $settings): void
    {
        if (SiteAddress::hasMoved()) {
            // The merchant has to respond to SiteMoveNotice first.
            return;
        }
        $connected = Credentials::connectedAddresses();
        $hosts = array_keys($connected);
        $linked = self::urlFromLink();
        // The URL of a link is ignored if the shop is connected, because following a link must not move the shop to another Tillgate server.
        $url = $connected === []
            ? $linked ?? $settings->apiUrl()
            : $connected[Credentials::hostOf($settings->apiUrl())] ?? end($connected);
        echo '<div class="tillgate-connect" style="max-width:46em;padding:1em 1.25em;background:#fff;border:1px solid #c3c4c7">';
        if ($hosts !== [] && $settings->accountName() !== '') {
            /* translators: 1: account name, 2: Tillgate host */
            $text = __('Connected to %2$s as %1$s.', 'tillgate-for-woocommerce');
            echo '<p><strong>' . esc_html(sprintf($text, $settings->accountName(), implode(', ', $hosts))) . '</strong></p>';
        }
        if ($linked !== null && !Connection::canConnectTo($linked)) {
            self::showOtherHostWarning(Credentials::hostOf($linked), implode(', ', $hosts));
        }
        if (!Connection::isSecure($url)) {
            echo '<p>' . esc_html__(
                'To connect without copying API keys, enter the Tillgate URL below and save, or start from the Tillgate console.',
                'tillgate-for-woocommerce'
            ) . '</p>';
        } else {
            self::showButton($url, $hosts !== []);
        }
        if ($hosts !== []) {
            printf(
                '<p><a href="%s">%s</a></p>',
                esc_url(self::actionUrl(self::DISCONNECT_ACTION)),
                /* translators: %s: Tillgate host */
                esc_html(sprintf(__('Disconnect from %s', 'tillgate-for-woocommerce'), implode(', ', $hosts)))
            );
        }
        echo '</div>';
    }

    private static function showOtherHostWarning(string $linked, string $connected): void
    {
        printf('<div class="notice notice-warning inline"><p>%s</p></div>', esc_html(sprintf(
            /* translators: 1: host in the link, 2: host that the shop is connected to */
            __('The link you followed wants to connect this shop to %1$s. The shop remains connected to %2$s. The operator of the connected Tillgate receives the shop’s payments and API keys. If you really want to move to %1$s, disconnect first.', 'tillgate-for-woocommerce'),
            $linked,
            $connected
        )));
    }

    private static function showButton(string $url, bool $isConnected): void
    {
        if (!$isConnected) {
            echo '<p>' . esc_html__(
                'Sign in to Tillgate (or create a sandbox account, if available) and approve. You’ll return here with the API keys set up for test mode and, if your account has it, for live mode; there’s nothing to copy.',
                'tillgate-for-woocommerce'
            ) . '</p>';
        }
        $label = $isConnected
            /* translators: %s: Tillgate host */
            ? __('Reconnect to %s', 'tillgate-for-woocommerce')
            /* translators: %s: Tillgate host */
            : __('Connect to Tillgate at %s', 'tillgate-for-woocommerce');
        $startUrl = admin_url('admin-post.php?action=' . self::START_ACTION . '&address=' . rawurlencode($url));
        printf(
            '<p><a class="button%s" href="%s">%s</a></p>',
            esc_attr($isConnected ? '' : ' button-primary'),
            esc_url(wp_nonce_url($startUrl, self::nonceAction($url))),
            esc_html(sprintf($label, Credentials::hostOf($url)))
        );
    }

    public function start(): void
    {
        $url = self::urlFromQuery('address');
        check_admin_referer(self::nonceAction($url));
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        if (!Connection::isSecure($url)) {
            $this->redirectWithResult(Connection::REJECTED);
        }
        if (!Connection::canConnectTo($url)) {
            $this->redirectWithResult(Connection::OTHER_TILLGATE);
        }
        // phpcs:ignore WordPress.Security.SafeRedirect.wp_redirect_wp_redirect -- To the Tillgate server that the merchant entered.
        wp_redirect((new Connection($this->services))->start(get_current_user_id(), $url, self::returnUrl()));
        exit;
    }

    /** Returns the nonce action, which includes the Tillgate URL, so that the nonce is valid only for that URL. */
    private static function nonceAction(string $url): string
    {
        return self::START_ACTION . ' ' . $url;
    }

    public function finish(): void
    {
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        $query = [];
        foreach (['state', 'code', 'error'] as $name) {
            // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Verified by the OAuth state.
            if (isset($_GET[$name]) && is_string($_GET[$name])) {
                // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- As above.
                $query[$name] = sanitize_text_field(wp_unslash($_GET[$name]));
            }
        }
        $this->redirectWithResult((new Connection($this->services))->finish(get_current_user_id(), $query, self::returnUrl()));
    }

    public function disconnect(): void
    {
        check_admin_referer(self::DISCONNECT_ACTION);
        self::requireCapability(current_user_can(ConnectionTest::CAPABILITY));
        $this->redirectWithResult((new Connection($this->services))->disconnect());
    }

    public function showResult(): void
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only selects a fixed text.
        $result = isset($_GET[self::RESULT_PARAMETER]) ? sanitize_key(wp_unslash($_GET[self::RESULT_PARAMETER])) : '';
        $texts = [
            Connection::DECLINED => __('Connection cancelled. Nothing was changed.', 'tillgate-for-woocommerce'),
            Connection::INVALID_STATE => __('Not connected: this link wasn’t created in this shop or is more than 30 minutes old. Please start again.', 'tillgate-for-woocommerce'),
            Connection::REJECTED => __('Tillgate rejected the connection. Please start again.', 'tillgate-for-woocommerce'),
            Connection::UNREACHABLE => __('Not connected: we didn’t get a valid response from Tillgate, so we don’t know whether it issued API keys. You can safely start again in a moment.', 'tillgate-for-woocommerce'),
            Connection::OTHER_TILLGATE => __('Nothing was changed: this shop is connected to another Tillgate server. Disconnect it first.', 'tillgate-for-woocommerce'),
            Connection::DISCONNECTED => __('Disconnected. Payments in progress are still tracked for one day.', 'tillgate-for-woocommerce'),
        ];
        if ($result === Connection::CONNECTED) {
            $this->showTest();
        } elseif (isset($texts[$result])) {
            printf('<div class="notice notice-warning is-dismissible"><p>%s</p></div>', esc_html($texts[$result]));
        }
    }

    private function showTest(): void
    {
        $results = (new ConnectionTest($this->services))->run();
        $isGood = array_filter(array_column($results, 'ok')) === array_column($results, 'ok');
        printf(
            '<div class="notice notice-%s"><p><strong>%s</strong></p><ul style="list-style:disc;padding-left:1.5em">',
            esc_attr($isGood ? 'success' : 'warning'),
            esc_html($isGood
                ? __('Connected. This shop can now accept payments with Tillgate.', 'tillgate-for-woocommerce')
                : __('Connected, but some tests failed:', 'tillgate-for-woocommerce'))
        );
        foreach ($results as $result) {
            echo '<li>' . esc_html($result['text']) . '</li>';
        }
        echo '</ul></div>';
    }

    private static function urlFromLink(): ?string
    {
        $url = self::urlFromQuery(self::URL_PARAMETER);
        return Connection::isSecure($url) ? $url : null;
    }

    private static function urlFromQuery(string $name): string
    {
        // phpcs:disable WordPress.Security.NonceVerification.Recommended -- start() verifies a nonce bound to this URL; elsewhere it is only displayed.
        return isset($_GET[$name]) && is_string($_GET[$name]) ? rtrim(esc_url_raw(wp_unslash($_GET[$name])), '/') : '';
        // phpcs:enable
    }

    /** Returns the redirect URI of the OAuth flow. */
    public static function returnUrl(): string
    {
        return admin_url('admin-post.php?action=' . self::RETURN_ACTION);
    }

    private static function actionUrl(string $action): string
    {
        return wp_nonce_url(admin_url('admin-post.php?action=' . $action), $action);
    }

    private static function requireCapability(bool $isAllowed): void
    {
        if (!$isAllowed) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
    }

    private function redirectWithResult(string $result): void
    {
        wp_safe_redirect(add_query_arg(self::RESULT_PARAMETER, $result, Settings::pageUrl()));
        exit;
    }
}
