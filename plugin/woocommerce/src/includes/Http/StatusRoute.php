<?php

namespace Tillgate\WooCommerce\Http;

use Tillgate\WooCommerce\Payments\ReadPayment;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** The state of an order's payment, for the page that shows its QR code. A caller with the order's key may ask. */
final class StatusRoute
{
    use WithServices;

    private const ROUTE = '/orders/(?P<id>[1-9]\d{0,17})/payment';


    public function addHooks(): void
    {
        add_action('rest_api_init', [$this, 'registerRoute']);
    }

    public function registerRoute(): void
    {
        register_rest_route(WebhookRoute::NAMESPACE, self::ROUTE, [
            'methods' => 'GET',
            'callback' => [$this, 'read'],
            'permission_callback' => [$this, 'knowsKey'],
            'args' => ['key' => ['type' => 'string', 'required' => true]],
        ]);
    }

    public static function address(\WC_Order $order): string
    {
        $path = WebhookRoute::NAMESPACE . '/orders/' . $order->get_id() . '/payment';
        return add_query_arg(['key' => rawurlencode($order->get_order_key())], rest_url($path));
    }

    /** @return true|\WP_Error the same answer for an unknown order and a wrong key */
    public function knowsKey(\WP_REST_Request $request)
    {
        if (Orders::findWithKey((int) $request['id'], (string) $request['key']) !== null) {
            return true;
        }
        return new \WP_Error('tillgate_not_found', __('Order not found.', 'tillgate-for-woocommerce'), ['status' => 404]);
    }

    public function read(\WP_REST_Request $request): \WP_REST_Response
    {
        $status = (new ReadPayment($this->services))->of((int) $request['id']);
        $response = new \WP_REST_Response(['status' => $status]);
        $response->header('Cache-Control', 'no-store');
        return $response;
    }
}
