<?php

namespace Tillgate\WooCommerce\Shop;

use Automattic\WooCommerce\Caches\OrderCache;
use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Rules\Rules;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** The shop's orders, by WooCommerce's own objects only, so that every order storage works. */
final class Orders
{
    /** Where the shop's refund record says which Tillgate refund it is. */
    public const REFUND_META = '_tillgate_refund_id';
    /** Where a refund that is being asked for says which wish it is. */
    public const REFERENCE_META = '_tillgate_refund_reference';

    /** More than any currency or shop has. */
    private const MAX_DECIMALS = 8;
    /** WooCommerce calculates in floats: digits beyond these are noise. */
    private const MAX_SIGNIFICANT_DIGITS = 15;

    /**
     * WooCommerce rounds totals to the shop's current number of decimals when it loads an order and when it creates a refund, also where the
     * order's currency has more.
     *
     * @return callable ends it
     */
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

    /** Reads an order as it is now, not as an earlier step of this request found it. */
    public static function find(int $orderId): ?\WC_Order
    {
        self::clearCache($orderId);
        $round = self::withoutRounding();
        try {
            $order = wc_get_order($orderId);
        } finally {
            $round();
        }
        return $order instanceof \WC_Order ? $order : null;
    }

    /** Reads a refund record as it is now. */
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

    /** An unknown order and a wrong key are one answer; the comparison takes the same time wherever the key differs. */
    public static function findByKey(int $orderId, string $key): ?\WC_Order
    {
        $order = self::find($orderId);
        $isRight = hash_equals(
            hash('sha256', $order === null ? "\0" : $order->get_order_key()),
            hash('sha256', $key)
        );
        return $isRight ? $order : null;
    }

    /** @return string the total as the database has it, with at least the shop's number of decimals; only of an order that was read here */
    public static function total(\WC_Order $order): string
    {
        $total = (float) $order->get_total('edit');
        $decimals = max(0, min(self::MAX_DECIMALS, self::MAX_SIGNIFICANT_DIGITS - strlen((string) floor(abs($total)))));
        [$whole, $fraction] = explode('.', number_format($total, $decimals, '.', '') . '.');
        $fraction = str_pad(rtrim($fraction, '0'), wc_get_price_decimals(), '0');
        return $fraction === '' ? $whole : "$whole.$fraction";
    }

    /**
     * An amount of WooCommerce's as text, with every decimal that it has: nothing is rounded here.
     *
     * @param mixed $amount WooCommerce's own amounts are decimal texts; other plugins hand floats over
     */
    public static function decimalText($amount): string
    {
        return is_float($amount) ? wc_format_decimal($amount) : trim((string) $amount);
    }

    /** Writes a note that is not there yet: a repeat after a crash leaves one note. */
    public static function addNoteOnce(\WC_Order $order, string $text): void
    {
        foreach (wc_get_order_notes(['order_id' => $order->get_id()]) as $note) {
            if (self::toPlainText($note->content) === self::toPlainText($text)) {
                return;
            }
        }
        $order->add_order_note(esc_html($text));
    }

    /** The order carries this method from now on, under the name that the owner gave it. */
    public static function assignGateway(\WC_Order $order): void
    {
        if (self::setGateway($order)) {
            $order->save();
        }
    }

    /** @return bool whether it is another than before, and has to be saved */
    public static function setGateway(\WC_Order $order): bool
    {
        $gateway = WC()->payment_gateways()->payment_gateways()[RuleContext::PAYMENT_METHOD] ?? null;
        if ($order->get_payment_method() === RuleContext::PAYMENT_METHOD || $gateway === null) {
            return false;
        }
        $order->set_payment_method($gateway);
        return true;
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
