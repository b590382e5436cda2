<?php

namespace Tillgate\WooCommerce\Shop;

use Automattic\WooCommerce\Caches\OrderCache;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Rules\Rules;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Accesses orders through WooCommerce's CRUD objects, for compatibility with both order storages. */
final class Orders
{
    /** Meta key of a WooCommerce refund: ID of its Tillgate refund. */
    public const REFUND_META = '_tillgate_refund_id';
    /** Meta key of a WooCommerce refund: reference of its refund request. */
    public const REFERENCE_META = '_tillgate_refund_reference';

    /** More than any currency or shop uses. */
    private const MAX_DECIMALS = 8;
    /** Further digits of WooCommerce's floats are rounding errors. */
    private const MAX_SIGNIFICANT_DIGITS = 15;

    /** Disables WooCommerce's rounding to the shop's decimals, because the order's currency may have more. @return callable re-enables rounding */
    public static function withoutRounding(): callable
    {
        $decimals = static function (): int {
            return self::MAX_DECIMALS;
        };
        add_filter('wc_get_price_decimals', $decimals, PHP_INT_MAX);
        return static function () use ($decimals): void {
            remove_filter('wc_get_price_decimals', $decimals, PHP_INT_MAX);
        };
    }

    /** Loads the order from the database, bypassing all caches. */
    public static function find(int $orderId): ?\WC_Order
    {
        self::clearCache($orderId);
        $restoreRounding = self::withoutRounding();
        try {
            $order = wc_get_order($orderId);
        } finally {
            $restoreRounding();
        }
        return $order instanceof \WC_Order ? $order : null;
    }

    /** Loads the refund from the database, bypassing all caches. */
    public static function findRefund(int $recordId): ?\WC_Order_Refund
    {
        self::clearCache($recordId);
        $record = wc_get_order($recordId);
        return $record instanceof \WC_Order_Refund ? $record : null;
    }

    /** @throws PluginError NOT_FOUND */
    public static function get(int $orderId): \WC_Order
    {
        $order = self::find($orderId);
        if ($order === null) {
            throw new PluginError(PluginError::NOT_FOUND, "The shop has no order $orderId.");
        }
        return $order;
    }

    public static function ruleStatus(\WC_Order $order): string
    {
        return Rules::normalizeStatus($order->get_status(), $order->needs_payment(), $order->is_paid());
    }

    /** Returns the name in the current language. @param string $status without `wc-` */
    public static function statusName(string $status): string
    {
        $names = [
            'trash' => __('Trash', 'tillgate-for-woocommerce'),
            'deleted' => __('Deleted', 'tillgate-for-woocommerce'),
        ];
        return $names[$status] ?? wc_get_order_status_name($status);
    }

    /** Returns null both for an unknown order and for a wrong key. Keys are compared in constant time. */
    public static function findByKey(int $orderId, string $key): ?\WC_Order
    {
        $order = self::find($orderId);
        $isValid = hash_equals(
            hash('sha256', $order === null ? "\0" : $order->get_order_key()),
            hash('sha256', $key)
        );
        return $isValid ? $order : null;
    }

    /** @return string unrounded total with at least the shop's number of decimals; requires an order loaded by this class */
    public static function total(\WC_Order $order): string
    {
        $total = (float) $order->get_total('edit');
        $decimals = max(0, min(self::MAX_DECIMALS, self::MAX_SIGNIFICANT_DIGITS - strlen((string) floor(abs($total)))));
        [$whole, $fraction] = explode('.', number_format($total, $decimals, '.', '') . '.');
        $fraction = str_pad(rtrim($fraction, '0'), wc_get_price_decimals(), '0');
        return $fraction === '' ? $whole : "$whole.$fraction";
    }

    /** @param mixed $amount decimal string, returned as it is; or a float from another plugin, formatted with WooCommerce's rounding precision */
    public static function decimalText($amount): string
    {
        return is_float($amount) ? wc_format_decimal($amount) : trim((string) $amount);
    }

    /** Adds an order note unless the order already has it, so that retries don't duplicate the note. */
    public static function addNoteOnce(\WC_Order $order, string $text): void
    {
        foreach (wc_get_order_notes(['order_id' => $order->get_id()]) as $note) {
            if (self::toPlainText($note->content) === self::toPlainText($text)) {
                return;
            }
        }
        $order->add_order_note(esc_html($text));
    }

    public static function assignGateway(\WC_Order $order): void
    {
        if (self::setGateway($order)) {
            $order->save();
        }
    }

    /** @return bool whether the order was changed and must be saved */
    public static function setGateway(\WC_Order $order): bool
    {
        $gateway = self::gateway();
        if ($order->get_payment_method() === Plugin::GATEWAY_ID || $gateway === null) {
            return false;
        }
        $order->set_payment_method($gateway);
        return true;
    }

    /**
     * Whether the customer or the shop chose another payment method, in which case the order also has that method's title. A cart request
     * during checkout changes only the method, until {@see OrderChanges} restores it.
     */
    public static function hasOtherMethod(\WC_Order $order): bool
    {
        $gateway = self::gateway();
        return $order->get_payment_method() !== Plugin::GATEWAY_ID
            && ($gateway === null || $order->get_payment_method_title() !== $gateway->get_title());
    }

    private static function gateway(): ?\WC_Payment_Gateway
    {
        return WC()->payment_gateways()->payment_gateways()[Plugin::GATEWAY_ID] ?? null;
    }

    private static function toPlainText(string $text): string
    {
        return trim(preg_replace('/\s+/', ' ', html_entity_decode(wp_strip_all_tags($text), ENT_QUOTES)) ?? $text);
    }

    private static function clearCache(int $orderId): void
    {
        clean_post_cache($orderId);
        if (class_exists(OrderCache::class)) {
            wc_get_container()->get(OrderCache::class)->remove($orderId);
        }
        $store = \WC_Data_Store::load('order');
        if ($store->has_callable('clear_cached_data')) {
            $store->clear_cached_data([$orderId]);
        }
        $prefix = \WC_Cache_Helper::get_cache_prefix('orders');
        foreach (['refunds', 'total_refunded', 'total_tax_refunded', 'total_shipping_refunded'] as $name) {
            wp_cache_delete($prefix . $name . $orderId, 'orders');
        }
        wp_cache_delete(\WC_Order::generate_meta_cache_key($orderId, 'orders'), 'orders');
    }
}
