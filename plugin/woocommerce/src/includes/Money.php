<?php

namespace Tillgate\WooCommerce;

use Tillgate\WooCommerce\Api\JsonNumber;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** Amounts as integer minor units of a currency. A total is never rounded. */
final class Money
{
    /** No amount of the wire has more minor units than this. */
    private const MAX_MINOR_UNITS = 10000000000000;
    /** A JSON number of up to this many significant digits survives every parser unchanged, also those of others. */
    private const MAX_SIGNIFICANT_DIGITS = 15;

    /** @var array<string, int> digits of the minor unit, by currency code */
    private $digits;

    /** @param array<string, int> $digits */
    public function __construct(array $digits)
    {
        $this->digits = $digits;
    }

    /** @throws \UnexpectedValueException where the table of currencies cannot be read */
    public static function load(string $path): self
    {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        $text = is_readable($path) ? file_get_contents($path) : false;
        $digits = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($digits)) {
            throw new \UnexpectedValueException('The table of currencies cannot be read.');
        }
        return new self($digits);
    }

    /** @return int|null digits of the currency's minor unit; null for a code that is no active ISO 4217 currency */
    public function digits(string $currency): ?int
    {
        return $this->digits[$currency] ?? null;
    }

    /**
     * Reads a total of the shop exactly. WooCommerce writes it with the shop's current number of decimals, so zeros beyond the
     * currency's own are no difference. One finer than the currency is rejected: rounding would charge another amount than shown.
     *
     * @param string $total decimal text with the shop's number of decimals
     * @return int minor units
     * @throws PluginError NOT_PAYABLE, with a text for the shopper
     */
    public function readTotal(string $total, string $currency): int
    {
        $digits = $this->digits($currency);
        if ($digits === null) {
            throw new PluginError(
                PluginError::NOT_PAYABLE,
                "The order's currency $currency is not known.",
                /* translators: %s: currency code */
                sprintf(__('This payment method doesn’t support orders in %s.', 'tillgate-for-woocommerce'), $currency)
            );
        }
        $decimals = self::countDecimals($total);
        if ($decimals > $digits) {
            $text = sprintf(
                /* translators: 1: order total, 2: its number of decimals, 3: currency code, 4: decimals of the currency */
                __(
                    'The total of %1$s has %2$d decimals, but %3$s allows %4$d, so this payment method can’t be used. Please choose another one. (Shop owner: set the number of decimals to %4$d.)',
                    'tillgate-for-woocommerce'
                ),
                $total,
                $decimals,
                $currency,
                $digits
            );
            throw new PluginError(PluginError::NOT_PAYABLE, $text, $text);
        }
        $amountMinor = $this->read($total, $digits);
        if ($amountMinor === null) {
            $text = sprintf(
                /* translators: 1: order total, 2: currency code */
                __('%1$s %2$s can’t be paid with this payment method.', 'tillgate-for-woocommerce'),
                $total,
                $currency
            );
            throw new PluginError(PluginError::NOT_PAYABLE, $text, $text);
        }
        return $amountMinor;
    }

    /**
     * Reads what an owner asks to be refunded, exactly.
     *
     * @param string $amount decimal text
     * @return int minor units
     * @throws PluginError NOT_PAYABLE, with the reason in words for the shop's owner
     */
    public function readRefund(string $amount, string $currency): int
    {
        $amountMinor = $this->parseApiAmount($amount, $currency);
        if ($amountMinor !== null) {
            return $amountMinor;
        }
        $digits = $this->digits($currency);
        if (preg_match('/^[0.]*$/D', $amount) === 1) {
            $text = __('Tillgate: enter an amount greater than zero to refund.', 'tillgate-for-woocommerce');
        } elseif ($digits !== null && self::countDecimals($amount) > $digits) {
            $text = sprintf(
                /* translators: 1: amount, 2: currency code, 3: decimals of the currency */
                __('Tillgate can’t refund %1$s: %2$s has %3$d decimals.', 'tillgate-for-woocommerce'),
                $amount,
                $currency,
                $digits
            );
        } else {
            $text = sprintf(
                /* translators: 1: amount, 2: currency code */
                __('Tillgate can’t refund %1$s %2$s.', 'tillgate-for-woocommerce'),
                $amount,
                $currency
            );
        }
        throw new PluginError(PluginError::NOT_PAYABLE, $text);
    }

    /**
     * Adds up amounts of the shop. Zero counts as zero, also the "-0" that WooCommerce's floats come to; a text that is no amount is never taken for it.
     *
     * @param string[] $amounts decimal texts
     * @return int minor units
     * @throws PluginError UNREADABLE
     */
    public function sum(array $amounts, string $currency): int
    {
        $digits = $this->digits($currency);
        $sum = 0;
        foreach ($amounts as $amount) {
            $amountMinor = $digits === null ? null : (self::isZero($amount) ? 0 : $this->read($amount, $digits));
            if ($amountMinor === null) {
                throw new PluginError(PluginError::UNREADABLE, "A record of the shop over \"$amount\" is no amount in $currency.");
            }
            $sum += $amountMinor;
        }
        return $sum;
    }

    /** Whether an amount of the shop is zero, also written as the "-0" that WooCommerce's floats come to: a record that only restocks. */
    public static function isZero(string $amount): bool
    {
        return preg_match('/^-?(?:0+(?:\.0*)?|\.0+)$/D', $amount) === 1;
    }

    /** @return int|null minor units; null where the text is no amount of the currency */
    public function parseTotal(string $total, string $currency): ?int
    {
        $digits = $this->digits($currency);
        return $digits === null ? null : $this->read($total, $digits);
    }

    /**
     * Reads an amount of an event or an answer. Zeros at the end of the decimals do not count.
     *
     * @param mixed $amount a JSON number (an int, or a JsonNumber with its own text) or decimal text
     * @return int|null minor units; null where it is no amount of the currency
     */
    public function parseApiAmount($amount, string $currency): ?int
    {
        $digits = $this->digits($currency);
        $text = $amount instanceof JsonNumber ? $amount->toDecimal() : $amount;
        if ($digits === null || !(is_int($text) || is_string($text))) {
            return null;
        }
        return $this->read((string) $text, $digits);
    }

    /** @return string `41.50`, in exactly the currency's digits */
    public function toDecimal(int $amountMinor, string $currency): string
    {
        $digits = $this->digits($currency) ?? 0;
        $text = str_pad((string) abs($amountMinor), $digits + 1, '0', STR_PAD_LEFT);
        $sign = $amountMinor < 0 ? '-' : '';
        return $digits === 0 ? $sign . $text : $sign . substr($text, 0, -$digits) . '.' . substr($text, -$digits);
    }

    /** @return string `41.50 EUR` */
    public function format(int $amountMinor, string $currency): string
    {
        return $this->toDecimal($amountMinor, $currency) . ' ' . $currency;
    }

    /**
     * A part of an order, which WooCommerce calculates finer than its currency, rounded half up. Also of less than zero: a discount.
     *
     * @param string $amount decimal text
     * @return int minor units; 0 for a text that is no amount
     */
    public function parseRounded(string $amount, string $currency): int
    {
        $digits = $this->digits($currency) ?? 0;
        if (preg_match('/^(-?)(\d{0,14})(?:\.(\d*))?$/D', $amount, $parts) !== 1) {
            return 0;
        }
        $fraction = str_pad($parts[3] ?? '', $digits + 1, '0');
        $amountMinor = (int) ($parts[2] . substr($fraction, 0, $digits)) + ($fraction[$digits] >= '5' ? 1 : 0);
        return $parts[1] === '-' ? -$amountMinor : $amountMinor;
    }

    /** Whether an amount of the shop has decimals that the currency does not have. */
    public function hasExtraDecimals(string $amount, string $currency): bool
    {
        $digits = $this->digits($currency);
        return $digits !== null && self::countDecimals($amount) > $digits;
    }

    /** Decimals of an amount, without the zeros at its end. */
    private static function countDecimals(string $amount): int
    {
        return strlen(rtrim(self::fractionOf($amount), '0'));
    }

    private static function fractionOf(string $amount): string
    {
        return preg_match('/^\d*\.(\d+)$/D', $amount, $parts) === 1 ? $parts[1] : '';
    }

    private function read(string $text, int $digits): ?int
    {
        if (strlen($text) > 64 || preg_match('/^\+?(\d*)(?:\.(\d*))?$/D', $text, $parts) !== 1) {
            return null;
        }
        $whole = ltrim($parts[1], '0');
        $fraction = rtrim($parts[2] ?? '', '0');
        if ($parts[1] . ($parts[2] ?? '') === '' || strlen($fraction) > $digits) {
            return null;
        }
        $significant = $fraction === '' ? rtrim($whole, '0') : ltrim($whole . $fraction, '0');
        if ($significant === '' || strlen($significant) > self::MAX_SIGNIFICANT_DIGITS || strlen($whole) > 18) {
            return null;
        }
        $amountMinor = ltrim($whole . str_pad($fraction, $digits, '0'), '0');
        if (strlen($amountMinor) > 14 || (int) $amountMinor > self::MAX_MINOR_UNITS) {
            return null;
        }
        return (int) $amountMinor;
    }
}
