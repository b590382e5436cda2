<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Http\StatusRoute;
use Tillgate\WooCommerce\Shop\Availability;
use Tillgate\WooCommerce\Shop\CheckCurrency;
use Tillgate\WooCommerce\Shop\FetchAccount;
use Tillgate\WooCommerce\Shop\Scripts;
use Tillgate\WooCommerce\WithServices;

final class ConnectionTest
{
    use WithServices;

    public const ACTION = 'tillgate_test_connection';
    private const SCRIPT = 'tillgate-settings';
    public const CAPABILITY = 'manage_woocommerce';
    private const CLOCK_TOLERANCE_SECONDS = 120;

    public function addHooks(): void
    {
        add_action('wp_ajax_' . self::ACTION, [$this, 'handleAjax']);
    }

    public static function showButton(): void
    {
        Scripts::register(self::SCRIPT, 'settings');
        wp_enqueue_script(self::SCRIPT);
        ?>
        <div class="tillgate-connection-test">
            <p>
                <button type="button" class="button" disabled data-tillgate-test="<?php echo esc_url(admin_url('admin-ajax.php')); ?>"
                    data-action="<?php echo esc_attr(self::ACTION); ?>"
                    data-nonce="<?php echo esc_attr(wp_create_nonce(self::ACTION)); ?>">
                    <?php esc_html_e('Test connection', 'tillgate-for-woocommerce'); ?>
                </button>
                <span class="description"><?php esc_html_e('Uses the saved settings.', 'tillgate-for-woocommerce'); ?></span>
            </p>
            <ul data-tillgate-results role="status" aria-live="polite"></ul>
        </div>
        <?php
    }

    public function handleAjax(): void
    {
        check_ajax_referer(self::ACTION, 'nonce');
        if (!current_user_can(self::CAPABILITY)) {
            wp_send_json_error(null, 403);
        }
        wp_send_json_success($this->run());
    }

    /**
     * Tests the connection with a test webhook and, at most once a day, a test order that is created and cancelled.
     * @return array<int, array{ok: bool, text: string}> results, for display
     */
    public function run(): array
    {
        $setupError = $this->services->settings->setupError();
        if ($setupError !== null) {
            return [self::fail($setupError)];
        }
        $client = $this->services->settings->client();
        try {
            $client->checkCredentials();
        } catch (ApiError $error) {
            return [self::fail(self::credentialsMessage($error))];
        } catch (ApiConnectionError $error) {
            return [self::fail(self::unreachableMessage($error))];
        }
        (new FetchAccount($this->services))->ifUnknown();
        $results = [self::pass(__('The client ID and secret are valid for this mode.', 'tillgate-for-woocommerce'))];
        $results[] = $this->testClock((int) $client->clockOffset());
        $results[] = $this->testCurrency();
        $results[] = $this->testWebhook();
        $isApiCached = StatusRoute::isCached('POST') ?? false;
        if ($isApiCached || StatusRoute::isCached('GET') === true) {
            $text = $isApiCached
                ? __('Your host caches this shop’s REST API, so customers don’t see that they’ve paid.', 'tillgate-for-woocommerce')
                : __('Your host caches pages that mustn’t be cached. Customers still see that they’ve paid, but may return to an outdated page.', 'tillgate-for-woocommerce');
            $results[] = self::fail($text . ' ' . __('Exclude /wp-json/tillgate/ and /wc-api/tillgate_return/ from the cache of your host, CDN or cache plugin.', 'tillgate-for-woocommerce'));
        }
        return $results;
    }

    /** @return array{ok: bool, text: string} */
    private function testClock(int $offset): array
    {
        $this->services->health->recordClockOffset($offset);
        return abs($offset) <= self::CLOCK_TOLERANCE_SECONDS
            ? self::pass(__("The server clock is correct.", 'tillgate-for-woocommerce'))
            : self::fail(sprintf(
                /* translators: %d: seconds */
                __("The server clock is off by %d seconds. Webhooks are rejected when it is off by more than 300 seconds. Ask your host to correct it.", 'tillgate-for-woocommerce'),
                abs($offset)
            ));
    }

    /** @return array{ok: bool, text: string} */
    private function testCurrency(): array
    {
        $currency = get_woocommerce_currency();
        try {
            $hasWallet = (new CheckCurrency($this->services))->run($currency);
        } catch (\Throwable $error) {
            return self::fail($error->getMessage());
        }
        if (!$hasWallet) {
            /* translators: %s: currency code */
            return self::fail(sprintf(__('Your account has no wallet in %s, the currency of the shop.', 'tillgate-for-woocommerce'), $currency));
        }
        $offer = new Availability($this->services);
        $advice = $offer->decimalsAdvice();
        if ($advice !== null) {
            return self::fail($offer->decimalsText() . ' ' . $advice);
        }
        /* translators: %s: currency code */
        return self::pass(sprintf(__('Your account accepts payments in %s.', 'tillgate-for-woocommerce'), $currency));
    }

    /** @return array{ok: bool, text: string} */
    private function testWebhook(): array
    {
        $url = $this->services->settings->callbackUrl();
        try {
            $outcome = $this->services->settings->client()->testWebhook($url);
        } catch (\Throwable $error) {
            return self::fail(sprintf(
                /* translators: %s: error message */
                __('We couldn’t test whether webhooks reach this shop: %s', 'tillgate-for-woocommerce'),
                $error->getMessage()
            ));
        }
        if (($outcome['delivered'] ?? false) === true) {
            return self::pass(sprintf(
                /* translators: %d: milliseconds */
                __('Tillgate can reach this shop: a signed webhook arrived and was verified (%d ms).', 'tillgate-for-woocommerce'),
                (int) ($outcome['latency_ms'] ?? 0)
            ));
        }
        $status = (int) ($outcome['http_status'] ?? 0);
        if (($outcome['error'] ?? '') === 'redirect' && is_string($outcome['location'] ?? null)) {
            return self::fail(sprintf(
                /* translators: 1: URL of this shop, 2: URL that it redirects to */
                __('This shop redirects Tillgate from %1$s to %2$s. Set the site address to the final URL, including https and www if they apply.', 'tillgate-for-woocommerce'),
                $url,
                $outcome['location']
            ));
        }
        return self::fail(self::deliveryMessage((string) ($outcome['error'] ?? ''), $status) . ' ' . $url);
    }

    private static function deliveryMessage(string $error, int $status): string
    {
        $texts = [
            'dns' => __('Tillgate can’t find this shop: its host name doesn’t resolve.', 'tillgate-for-woocommerce'),
            'tls' => __('Tillgate doesn’t trust this shop’s certificate. Renew it, or install the full certificate chain.', 'tillgate-for-woocommerce'),
            'timeout' => __('This shop didn’t respond to Tillgate in time. A firewall may be dropping the request, or the server is too slow.', 'tillgate-for-woocommerce'),
            'redirect' => __('This shop redirects Tillgate’s request. Set the site address to the final URL, including https and www if they apply.', 'tillgate-for-woocommerce'),
            'html_answer' => __('This shop responds to Tillgate with a web page. A security plugin, cache plugin or maintenance page is blocking the REST API.', 'tillgate-for-woocommerce'),
            'connection' => __('Tillgate couldn’t connect to this shop. The server or a firewall refuses the connection.', 'tillgate-for-woocommerce'),
            'refused_address' => __('Tillgate doesn’t send webhooks to private addresses. Your shop must be reachable from the internet.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$error])) {
            return $texts[$error];
        }
        if ($status === 401 && StatusRoute::needsServerPassword()) {
            return __('Your web server asks Tillgate for a password before WordPress runs, so webhooks don’t arrive. Exclude /wp-json/tillgate/ from the password protection.', 'tillgate-for-woocommerce');
        }
        if ($status === 401) {
            return __('This shop rejected Tillgate’s signature. The client secret is wrong, or the clock is off.', 'tillgate-for-woocommerce');
        }
        if ($status === 403) {
            return __('This shop denied the request. A firewall or security plugin is blocking the REST API for visitors.', 'tillgate-for-woocommerce');
        }
        if ($status === 404) {
            return __('The webhook URL wasn’t found in this shop. Go to Settings → Permalinks and click “Save Changes”, and make sure the REST API isn’t blocked.', 'tillgate-for-woocommerce');
        }
        /* translators: %d: HTTP status */
        return sprintf(__('This shop responded to Tillgate with HTTP %d.', 'tillgate-for-woocommerce'), $status);
    }

    private static function credentialsMessage(ApiError $error): string
    {
        if ($error->status === 404) {
            return __('There’s no Tillgate API at this URL.', 'tillgate-for-woocommerce');
        }
        if ($error->status === 429) {
            return __('Too many attempts. Wait a minute and test again.', 'tillgate-for-woocommerce');
        }
        return sprintf(
            /* translators: %s: error message from Tillgate */
            __('Tillgate rejected the client ID or secret (%s). Check both, and that they belong to the chosen mode.', 'tillgate-for-woocommerce'),
            implode(' ', $error->messages)
        );
    }

    private static function unreachableMessage(ApiConnectionError $error): string
    {
        if ($error->kind === ApiConnectionError::REDIRECT) {
            /* translators: %s: URL */
            return sprintf(__('The Tillgate URL redirects to %s. Enter that URL.', 'tillgate-for-woocommerce'), $error->detail);
        }
        if ($error->kind === ApiConnectionError::INVALID_RESPONSE) {
            return __('This URL responds, but it isn’t Tillgate. Check the URL.', 'tillgate-for-woocommerce');
        }
        if ($error->kind === ApiConnectionError::SERVER_ERROR) {
            /* translators: %s: technical reason */
            return sprintf(__('The test failed: %s. Test again in a few minutes.', 'tillgate-for-woocommerce'), $error->getMessage());
        }
        /* translators: %s: technical reason */
        return sprintf(__('This server can’t reach Tillgate: %s', 'tillgate-for-woocommerce'), $error->getMessage());
    }

    /** @return array{ok: bool, text: string} */
    private static function pass(string $text): array
    {
        return ['ok' => true, 'text' => $text];
    }

    /** @return array{ok: bool, text: string} */
    private static function fail(string $text): array
    {
        return ['ok' => false, 'text' => $text];
    }
}
