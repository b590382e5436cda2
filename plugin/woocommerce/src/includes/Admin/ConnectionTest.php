<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Unreachable;
use Tillgate\WooCommerce\Http\StatusRoute;
use Tillgate\WooCommerce\Shop\HeldCurrency;
use Tillgate\WooCommerce\Shop\LearnAccount;
use Tillgate\WooCommerce\Shop\Offer;
use Tillgate\WooCommerce\Shop\Scripts;
use Tillgate\WooCommerce\WithServices;

/** "Test the connection": the credentials, the currency, and a signed report from Tillgate to this shop and back. */
final class ConnectionTest
{
    use WithServices;

    public const ACTION = 'tillgate_test_connection';
    private const SCRIPT = 'tillgate-settings';
    public const CAPABILITY = 'manage_woocommerce';
    private const CLOCK_TOLERANCE_SECONDS = 120;

    public function addHooks(): void
    {
        add_action('wp_ajax_' . self::ACTION, [$this, 'answer']);
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
                    <?php esc_html_e('Test the connection', 'tillgate-for-woocommerce'); ?>
                </button>
                <span class="description"><?php esc_html_e('Tests the saved settings.', 'tillgate-for-woocommerce'); ?></span>
            </p>
            <ul data-tillgate-results role="status" aria-live="polite"></ul>
        </div>
        <?php
    }

    public function answer(): void
    {
        check_ajax_referer(self::ACTION, 'nonce');
        if (!current_user_can(self::CAPABILITY)) {
            wp_send_json_error(null, 403);
        }
        wp_send_json_success($this->run());
    }

    /** @return array<int, array{ok: bool, text: string}> what was tested, in words */
    public function run(): array
    {
        $missing = $this->services->settings->whatIsMissing();
        if ($missing !== null) {
            return [self::bad($missing)];
        }
        $client = $this->services->settings->client();
        try {
            $client->checkCredentials();
        } catch (ApiError $error) {
            return [self::bad(self::credentialsText($error))];
        } catch (Unreachable $error) {
            return [self::bad(self::unreachableText($error))];
        }
        (new LearnAccount($this->services))->ifUnknown();
        $results = [self::good(__('Client ID and secret are right for this mode.', 'tillgate-for-woocommerce'))];
        $results[] = $this->clock((int) $client->clockOffset());
        $results[] = $this->currency();
        $results[] = $this->webhook();
        $cache = StatusRoute::isCached('POST') ?? false;
        if ($cache || StatusRoute::isCached('GET') === true) {
            $text = $cache
                ? __('Your host caches this shop’s REST API, so shoppers don’t see that they paid.', 'tillgate-for-woocommerce')
                : __('Your host caches pages that must not be cached. Shoppers still see that they paid, but may return to an old page.', 'tillgate-for-woocommerce');
            $results[] = self::bad($text . ' ' . __('Exclude /wp-json/tillgate/ and /wc-api/tillgate_return/ from the cache of your host, CDN or cache plugin.', 'tillgate-for-woocommerce'));
        }
        return $results;
    }

    /** @return array{ok: bool, text: string} */
    private function clock(int $offset): array
    {
        $this->services->health->clockSeen($offset);
        return abs($offset) <= self::CLOCK_TOLERANCE_SECONDS
            ? self::good(__("The server's clock is right.", 'tillgate-for-woocommerce'))
            : self::bad(sprintf(
                /* translators: %d: seconds */
                __("The server's clock is %d seconds off. Reports are refused from 300 seconds on: ask your host to set it.", 'tillgate-for-woocommerce'),
                abs($offset)
            ));
    }

    /** @return array{ok: bool, text: string} */
    private function currency(): array
    {
        $currency = get_woocommerce_currency();
        try {
            $isHeld = (new HeldCurrency($this->services))->learn($currency);
        } catch (\Throwable $error) {
            return self::bad($error->getMessage());
        }
        if (!$isHeld) {
            /* translators: %s: currency code */
            return self::bad(sprintf(__('Your account has no wallet in %s, the currency of the shop.', 'tillgate-for-woocommerce'), $currency));
        }
        $offer = new Offer($this->services);
        $advice = $offer->decimalsAdvice();
        if ($advice !== null) {
            return self::bad($offer->decimalsText() . ' ' . $advice);
        }
        /* translators: %s: currency code */
        return self::good(sprintf(__('Your account takes payments in %s.', 'tillgate-for-woocommerce'), $currency));
    }

    /** @return array{ok: bool, text: string} */
    private function webhook(): array
    {
        $address = $this->services->settings->callbackUrl();
        try {
            $outcome = $this->services->settings->client()->testWebhook($address);
        } catch (\Throwable $error) {
            return self::bad(sprintf(
                /* translators: %s: why */
                __('Whether reports reach this shop could not be tested: %s', 'tillgate-for-woocommerce'),
                $error->getMessage()
            ));
        }
        if (($outcome['delivered'] ?? false) === true) {
            return self::good(sprintf(
                /* translators: %d: milliseconds */
                __('Tillgate reaches this shop: a signed report arrived and was verified (%d ms).', 'tillgate-for-woocommerce'),
                (int) ($outcome['latency_ms'] ?? 0)
            ));
        }
        $status = (int) ($outcome['http_status'] ?? 0);
        if (($outcome['error'] ?? '') === 'redirect' && is_string($outcome['location'] ?? null)) {
            return self::bad(sprintf(
                /* translators: 1: address of this shop, 2: address that it redirects to */
                __('This shop redirects Tillgate from %1$s to %2$s. Set the site address to the one with the right https and www.', 'tillgate-for-woocommerce'),
                $address,
                $outcome['location']
            ));
        }
        return self::bad(self::deliveryText((string) ($outcome['error'] ?? ''), $status) . ' ' . $address);
    }

    private static function deliveryText(string $error, int $status): string
    {
        $texts = [
            'dns' => __('Tillgate does not find this shop: its name is not known on the internet.', 'tillgate-for-woocommerce'),
            'tls' => __('Tillgate does not trust the certificate of this shop: renew it, or install its whole chain.', 'tillgate-for-woocommerce'),
            'timeout' => __('This shop did not answer Tillgate in time: a firewall may drop the call, or the server is too slow.', 'tillgate-for-woocommerce'),
            'redirect' => __('This shop answers Tillgate with a redirect: set the site address to the one with the right https and www.', 'tillgate-for-woocommerce'),
            'html_answer' => __('This shop answers Tillgate with a web page: a security or cache plugin, or a maintenance page, stands in front of the REST API.', 'tillgate-for-woocommerce'),
            'refused_address' => __('Tillgate does not call private addresses: the shop must be reachable from the internet.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$error])) {
            return $texts[$error];
        }
        if ($status === 401) {
            return __('The signature of Tillgate was refused by this shop: the client secret is another, or the clock is off.', 'tillgate-for-woocommerce');
        }
        if ($status === 403) {
            return __('This shop forbids the call: a firewall or a security plugin blocks the REST API for visitors.', 'tillgate-for-woocommerce');
        }
        if ($status === 404) {
            return __('This shop does not know the address: save the permalinks once, or allow the REST API.', 'tillgate-for-woocommerce');
        }
        /* translators: %d: HTTP status */
        return sprintf(__('This shop answered Tillgate with HTTP %d.', 'tillgate-for-woocommerce'), $status);
    }

    private static function credentialsText(ApiError $error): string
    {
        if ($error->status === 404) {
            return __('There is no Tillgate API at this address.', 'tillgate-for-woocommerce');
        }
        if ($error->status === 429) {
            return __('Too many tries. Wait a minute and test again.', 'tillgate-for-woocommerce');
        }
        return sprintf(
            /* translators: %s: Tillgate's own sentence */
            __('Tillgate refuses the client ID or the secret (%s). Check both, and that they are of the chosen mode.', 'tillgate-for-woocommerce'),
            implode(' ', $error->messages)
        );
    }

    private static function unreachableText(Unreachable $error): string
    {
        if ($error->kind === Unreachable::REDIRECT) {
            /* translators: %s: address */
            return sprintf(__('The address of Tillgate redirects to %s. Enter that address.', 'tillgate-for-woocommerce'), $error->detail);
        }
        if ($error->kind === Unreachable::ANSWER) {
            return __('Something answers at this address, but it is not Tillgate. Check the address.', 'tillgate-for-woocommerce');
        }
        /* translators: %s: technical reason */
        return sprintf(__('Tillgate cannot be reached from this server: %s', 'tillgate-for-woocommerce'), $error->getMessage());
    }

    /** @return array{ok: bool, text: string} */
    private static function good(string $text): array
    {
        return ['ok' => true, 'text' => $text];
    }

    /** @return array{ok: bool, text: string} */
    private static function bad(string $text): array
    {
        return ['ok' => false, 'text' => $text];
    }
}
