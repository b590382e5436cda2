<?php

namespace Tillgate\WooCommerce\Admin;

/** Creates the URLs of merchant actions on an order, and verifies the nonce and the user's capability when such a URL is requested. */
final class OrderAction
{
    private const CAPABILITY = 'edit_shop_orders';

    /** @param string $query additional query, such as `&what=compare` */
    public static function url(\WC_Order $order, string $action, string $query = ''): string
    {
        $id = $order->get_id();
        return wp_nonce_url(admin_url("admin-post.php?action=$action&order_id=$id$query"), $action . $id);
    }

    /** Returns the requested order ID. Responds with 403 if the nonce is invalid or the user lacks the capability. */
    public static function requireOrderId(string $action): int
    {
        $orderId = isset($_GET['order_id']) ? absint(wp_unslash($_GET['order_id'])) : 0;
        check_admin_referer($action . $orderId);
        if (!current_user_can(self::CAPABILITY)) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
        return $orderId;
    }
}
