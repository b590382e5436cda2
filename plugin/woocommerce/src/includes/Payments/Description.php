<?php

namespace Tillgate\WooCommerce\Payments;

/** Test vectors: `plugin/vectors/descriptions.json`. */
final class Description
{
    /** Maximum of `POST /orders`, in characters. */
    private const MAX_LENGTH = 500;

    public static function forOrder(\WC_Order $order): string
    {
        $items = [];
        foreach ($order->get_items() as $item) {
            $items[] = ['name' => $item->get_name(), 'quantity' => $item->get_quantity()];
        }
        return self::fromItems($items, (string) $order->get_order_number());
    }

    /**
     * @param array<int, array{name: string, quantity: int|float}> $items
     * @return string "2 × Stoneware mug, 1 × Tea bowl", truncated if too long; "Order" and the order number if no item has a name
     */
    public static function fromItems(array $items, string $orderNumber): string
    {
        $texts = [];
        foreach ($items as ['name' => $name, 'quantity' => $quantity]) {
            $name = self::toPlainText($name);
            if ($name !== '') {
                $texts[] = "$quantity × $name";
            }
        }
        if ($texts === []) {
            /* translators: %s: order number */
            return sprintf(__('Order %s', 'tillgate-for-woocommerce'), $orderNumber);
        }
        $text = implode(', ', $texts);
        return mb_strlen($text) <= self::MAX_LENGTH ? $text : mb_substr($text, 0, self::MAX_LENGTH - 1) . '…';
    }

    private static function toPlainText(string $name): string
    {
        $text = preg_replace('~<[^\s<>][^<>]*>~', '', $name) ?? '';
        $text = strtr($text, ['&amp;' => '&', '&lt;' => '<', '&gt;' => '>', '&quot;' => '"', '&#039;' => "'"]);
        return trim(preg_replace('~[\s\p{Cc}]+~u', ' ', $text) ?? '');
    }
}
