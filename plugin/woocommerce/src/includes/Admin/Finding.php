<?php

namespace Tillgate\WooCommerce\Admin;

/** A line of the status page. */
final class Finding
{
    /**
     * @param int[] $orderIds IDs of the orders to link to
     * @return array{name: string, ok: bool, title: string, text: string, advice: string, code: string, orders: int[]}
     */
    public static function create(
        string $name,
        bool $ok,
        string $text,
        string $advice = '',
        string $code = '',
        array $orderIds = []
    ): array {
        return [
            'name' => $name,
            'ok' => $ok,
            'title' => self::title($name),
            'text' => $text,
            'advice' => $advice,
            'code' => $code,
            'orders' => $orderIds,
        ];
    }

    /** Returns the title in the current language. */
    public static function title(string $name): string
    {
        $titles = [
            'settings' => __('Settings', 'tillgate-for-woocommerce'),
            'currency' => __('Currency', 'tillgate-for-woocommerce'),
            'contact' => __('Connection to Tillgate', 'tillgate-for-woocommerce'),
            'starts' => __('Payments that couldn’t be started', 'tillgate-for-woocommerce'),
            'decimals' => __('Decimals', 'tillgate-for-woocommerce'),
            'webhook' => __('Last webhook from Tillgate', 'tillgate-for-woocommerce'),
            'refused' => __('Webhooks rejected in the past 24 hours', 'tillgate-for-woocommerce'),
            'clock' => __('Clock', 'tillgate-for-woocommerce'),
            'permalinks' => __('Permalinks', 'tillgate-for-woocommerce'),
            'refunds' => __('Refunds that differ from Tillgate', 'tillgate-for-woocommerce'),
            'books' => __('Differences from Tillgate', 'tillgate-for-woocommerce'),
            'sweep' => __('Last check of open payments', 'tillgate-for-woocommerce'),
            'cron' => __('Background tasks', 'tillgate-for-woocommerce'),
            'pending' => __('Payments in progress', 'tillgate-for-woocommerce'),
            'mismatches' => __('Orders that don’t match their payment', 'tillgate-for-woocommerce'),
            'unpaid' => __('Orders paid here but not in Tillgate', 'tillgate-for-woocommerce'),
            'attention' => __('Orders that need attention', 'tillgate-for-woocommerce'),
            'error' => __('Last error in the past 24 hours', 'tillgate-for-woocommerce'),
        ];
        return $titles[$name];
    }

    public static function ago(int $time): string
    {
        /* translators: %s: a time span, like "3 mins" */
        return sprintf(__('%s ago', 'tillgate-for-woocommerce'), human_time_diff($time, time()));
    }
}
