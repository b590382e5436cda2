<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\TestMode;
use Tillgate\WooCommerce\WithServices;

/** The column works with both of WooCommerce's order storages. */
final class OrderColumn
{
    use WithServices;

    private const COLUMN = 'tillgate_payment';


    public function addHooks(): void
    {
        foreach (['manage_edit-shop_order_columns', 'manage_woocommerce_page_wc-orders_columns'] as $filter) {
            add_filter($filter, [$this, 'addColumn']);
        }
        foreach (
            ['manage_shop_order_posts_custom_column', 'manage_woocommerce_page_wc-orders_custom_column'] as $action
        ) {
            add_action($action, [$this, 'show'], 10, 2);
        }
    }

    /**
     * @param array<string, string> $columns
     * @return array<string, string>
     */
    public function addColumn(array $columns): array
    {
        $position = array_search('order_status', array_keys($columns), true);
        $offset = $position === false ? count($columns) : $position + 1;
        return array_slice($columns, 0, $offset, true)
            + [self::COLUMN => __('Tillgate', 'tillgate-for-woocommerce')]
            + array_slice($columns, $offset, null, true);
    }

    /**
     * @param string          $column
     * @param int|\WC_Order   $orderOrId depends on the order storage
     */
    public function show($column, $orderOrId): void
    {
        if ($column !== self::COLUMN) {
            return;
        }
        $order = $orderOrId instanceof \WC_Order ? $orderOrId : wc_get_order($orderOrId);
        if (!$order instanceof \WC_Order) {
            return;
        }
        $attempt = $this->services->attempts->findForDisplay($order->get_id(), (string) $order->get_transaction_id());
        if ($attempt === null || $order->get_payment_method() !== Plugin::GATEWAY_ID) {
            echo '<span aria-hidden="true">–</span>';
            return;
        }
        printf(
            '<span class="tillgate-state" title="%s">%s</span>',
            esc_attr((string) $attempt->tillgateOrderId),
            esc_html(self::stateText($attempt))
        );
        if (TestMode::isActive($attempt->mode)) {
            echo wp_kses_post(TestMode::badge());
        }
    }

    public static function stateText(Attempt $attempt): string
    {
        if ($attempt->isAbandoned && $attempt->isOpen()) {
            return __('unknown, please check', 'tillgate-for-woocommerce');
        }
        $texts = [
            'creating' => __('starting', 'tillgate-for-woocommerce'),
            'pending' => __('waiting for payment', 'tillgate-for-woocommerce'),
            PaymentStatus::PAID => __('paid', 'tillgate-for-woocommerce'),
            PaymentStatus::EXPIRED => __('expired', 'tillgate-for-woocommerce'),
            PaymentStatus::CANCELLED => __('cancelled', 'tillgate-for-woocommerce'),
            PaymentStatus::REFUNDED => __('refunded', 'tillgate-for-woocommerce'),
            'refused' => __('rejected', 'tillgate-for-woocommerce'),
        ];
        return $texts[$attempt->state] ?? $attempt->state;
    }
}
