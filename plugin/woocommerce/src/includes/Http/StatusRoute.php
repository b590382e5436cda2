<?php

namespace Tillgate\WooCommerce\Http;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** The route is polled by the QR code page and authorized by the order key. */
final class StatusRoute
{
    use WithServices;

    private const ROUTE = '/orders/(?P<id>[1-9]\d{0,17})/payment';
    private const CACHE_TEST = '/cache-test';
    private const CACHE_TEST_SECONDS = 5;

    public function addHooks(): void
    {
        add_action('rest_api_init', [$this, 'registerRoute']);
    }

    public function registerRoute(): void
    {
        register_rest_route(WebhookRoute::NAMESPACE, self::ROUTE, [
            // POST, because some hosts cache GET responses regardless of their headers.
            'methods' => 'POST',
            'callback' => [$this, 'read'],
            'permission_callback' => [$this, 'hasValidKey'],
            'args' => ['key' => ['type' => 'string', 'required' => true]],
        ]);
        register_rest_route(WebhookRoute::NAMESPACE, self::CACHE_TEST, [
            'methods' => 'GET, POST',
            'callback' => static function (): \WP_REST_Response {
                return NoCache::response(['number' => wp_generate_uuid4()]);
            },
            'permission_callback' => static function (\WP_REST_Request $request): bool {
                return hash_equals(self::cacheTestToken(), (string) $request['token']);
            },
        ]);
    }

    /**
     * Whether the host caches responses: the test route returns a new random value each time, so two equal values show that it does.
     * @return bool|null null if the shop cannot call itself, or if something other than this plugin responds
     */
    public static function isCached(string $method): ?bool
    {
        $numbers = [];
        for ($call = 1; $call <= 2; $call += 1) {
            $response = self::requestOwnSite($method);
            $data = is_wp_error($response) ? null : json_decode(wp_remote_retrieve_body($response), true);
            $numbers[] = is_array($data) ? $data['number'] ?? null : null;
        }
        return in_array(null, $numbers, true) ? null : $numbers[0] === $numbers[1];
    }

    public static function needsServerPassword(): bool
    {
        $response = self::requestOwnSite('GET');
        return !is_wp_error($response)
            && wp_remote_retrieve_response_code($response) === 401
            && wp_remote_retrieve_header($response, 'www-authenticate') !== '';
    }

    /** @return array<string, mixed>|\WP_Error */
    private static function requestOwnSite(string $method)
    {
        $url = add_query_arg(['token' => self::cacheTestToken()], rest_url(WebhookRoute::NAMESPACE . self::CACHE_TEST));
        return wp_remote_request($url, [
            'method' => $method,
            'timeout' => self::CACHE_TEST_SECONDS,
            'redirection' => 0,
        ]);
    }

    /** Restricts the cache test to the shop itself. */
    private static function cacheTestToken(): string
    {
        return hash_hmac('sha256', self::CACHE_TEST, wp_salt('auth'));
    }

    public static function url(\WC_Order $order): string
    {
        $path = WebhookRoute::NAMESPACE . '/orders/' . $order->get_id() . '/payment';
        return add_query_arg(['key' => rawurlencode($order->get_order_key())], rest_url($path));
    }

    /** @return true|\WP_Error the same error for an unknown order and a wrong key */
    public function hasValidKey(\WP_REST_Request $request)
    {
        if (Orders::findByKey((int) $request['id'], (string) $request['key']) !== null) {
            return true;
        }
        return new \WP_Error('tillgate_not_found', __('Order not found.', 'tillgate-for-woocommerce'), ['status' => 404]);
    }

    public function read(\WP_REST_Request $request): \WP_REST_Response
    {
        $status = (new PaymentStatus($this->services))->refresh((int) $request['id']);
        return NoCache::response(['status' => $status]);
    }
}
