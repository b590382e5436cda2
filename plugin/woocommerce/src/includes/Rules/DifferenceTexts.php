<?php

namespace Tillgate\WooCommerce\Rules;

use Tillgate\WooCommerce\Shop\Orders;

/** The texts come from comparison.json, and are in the current language. */
final class DifferenceTexts
{
    /** @var array<string, mixed> */
    private array $file;

    /** @throws \UnexpectedValueException if the file is unreadable or of another version */
    public function __construct(string $path)
    {
        $this->file = Rules::readFile($path);
    }

    /** Returns the translated text or, if this version does not recognize the kind of difference, Tillgate's English text. @param array<string, mixed> $difference */
    public function text(array $difference): string
    {
        if (!isset($this->file['differences'][$difference['kind']])) {
            return (string) ($difference['text'] ?? $difference['kind']);
        }
        $fields = $difference['fields'];
        $phrases = $this->file['phrases'];
        foreach (array_keys($fields, $phrases['amount_unreadable'], true) as $name) {
            $fields[$name] = self::translate($phrases['amount_unreadable']);
        }
        if (isset($fields['store_refund'])) {
            // Tillgate lists the shop's refunds as "#1042, #1043".
            $fields['store_refund'] = preg_replace('/#(\d+)/', str_replace('{store_refund}', '$1', self::translate($phrases['record'])), $fields['store_refund']);
        }
        if (isset($fields['status'])) {
            $fields['status'] = Orders::statusName($fields['status']);
        }
        if (isset($fields['remote_status'])) {
            $fields['remote_status'] = self::paymentStatusName($fields['remote_status']);
        }
        return (string) preg_replace_callback('/\{(\w+)\}/', static function (array $placeholder) use ($fields): string {
            return $fields[$placeholder[1]] ?? __('unknown', 'tillgate-for-woocommerce');
        }, self::translate($this->file['differences'][$difference['kind']]['text']));
    }

    /** @param array<string, mixed> $difference */
    public function advice(array $difference): string
    {
        $advice = $this->file['differences'][$difference['kind']]['advice'] ?? null;
        return $advice === null ? (string) ($difference['advice'] ?? '') : self::translate($advice);
    }

    /** Returns the translated label of a repair, or null if there is no repair or this version does not recognize it. */
    public function label(?string $repair): ?string
    {
        $label = $this->file['repairs'][(string) $repair]['label'] ?? null;
        return $label === null ? null : self::translate($label);
    }

    /** Only these statuses occur in differences. */
    private static function paymentStatusName(string $status): string
    {
        $names = [
            'expired' => __('expired', 'tillgate-for-woocommerce'),
            'cancelled' => __('cancelled', 'tillgate-for-woocommerce'),
            'refunded' => __('refunded', 'tillgate-for-woocommerce'),
        ];
        return $names[$status] ?? $status;
    }

    private static function translate(string $text): string
    {
        // phpcs:ignore WordPress.WP.I18n.NonSingularStringLiteralText -- The build collects the texts of the rules.
        return __($text, 'tillgate-for-woocommerce');
    }
}
