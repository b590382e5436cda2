<?php

namespace Tillgate\WooCommerce;

use Tillgate\WooCommerce\Api\JsonNumber;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Parses and formats amounts. Order totals are never rounded. */
final class Money
{
    /** Largest amount that the API accepts. */
    private const MAX_MINOR_UNITS = 10000000000000;
    /** JSON numbers with up to this many significant digits survive parsers that use doubles. */
    private const MAX_SIGNIFICANT_DIGITS = 15;

    /** @var array<string, int> digits of the minor unit, by currency code */
    private array $digits;

    /** @param array<string, int> $digits */
    public function __construct(array $digits)
    {
        $this->digits = $digits;
    }

    /** @throws \UnexpectedValueException if the currency table is unreadable */
    public static function load(string $path): self
    {
        // phpcs:ignore WordPress.WP.AlternativeFunctions.file_get_contents_file_get_contents -- A file of this plugin.
        $text = is_readable($path) ? file_get_contents($path) : false;
        $digits = is_string($text) ? json_decode($text, true) : null;
        if (!is_array($digits)) {
            throw new \UnexpectedValueException('The currency table could not be read.');
        }
        return new self($digits);
    }

    /** @return int|null decimals of the currency; null for an unknown code */
    public function digits(string $currency): ?int
    {
        return $this->digits[$currency] ?? null;
    }

    /**
     * Parses an order total. Accepts extra decimals that are zeros, because WooCommerce pads totals to the shop's number of decimals. Rejects
     * other extra decimals, because rounding would charge a different amount than the shop shows.
     * @return int minor units
     * @throws PluginError NOT_PAYABLE, with a message for the customer
     */
    public function readTotal(string $total, string $currency): int
    {
        $digits = $this->digits($currency);
        if ($digits === null) {
            throw new PluginError(
                PluginError::NOT_PAYABLE,
                "The order currency $currency is unknown.",
                /* translators: %s: currency code */
                sprintf(__('This payment method doesn’t support orders in %s.', 'tillgate-for-woocommerce'), $currency)
            );
        }
        if (self::countDecimals($total) > $digits) {
            $text = sprintf(
                /* translators: 1: order total, 2: currency code, 3: decimals of the currency */
                __(
                    'The total of %1$s has more decimals than %2$s allows (%3$d), so this payment method can’t be used. Please choose another one. (Shop owner: set the number of decimals to %3$d.)',
                    'tillgate-for-woocommerce'
                ),
                $total,
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

    /** Parses a refund amount without rounding. @return int minor units @throws PluginError NOT_PAYABLE, with a message for the merchant */
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
                __('Tillgate: %1$s %2$s isn’t a valid refund amount. Nothing was refunded. Check the amount and try again.', 'tillgate-for-woocommerce'),
                $amount,
                $currency
            );
        }
        throw new PluginError(PluginError::NOT_PAYABLE, $text);
    }

    /**
     * Adds amounts. Zero is valid, even as "-0", which WooCommerce's floating-point arithmetic can produce.
     * @param string[] $amounts decimal strings
     * @return int minor units
     * @throws PluginError UNREADABLE if an amount or the currency is invalid
     */
    public function sum(array $amounts, string $currency): int
    {
        $digits = $this->digits($currency);
        $sum = 0;
        foreach ($amounts as $amount) {
            $amountMinor = $digits === null ? null : (self::isZero($amount) ? 0 : $this->read($amount, $digits));
            if ($amountMinor === null) {
                throw new PluginError(PluginError::UNREADABLE, "The amount \"$amount\" in the shop is not valid in $currency.");
            }
            $sum += $amountMinor;
        }
        return $sum;
    }

    /** Returns whether an amount is zero, which includes "-0". Refunds that only restock items have the amount zero. */
    public static function isZero(string $amount): bool
    {
        return preg_match('/^-?(?:0+(?:\.0*)?|\.0+)$/D', $amount) === 1;
    }

    /** @return int|null minor units; null if zero or invalid in the currency */
    public function parseTotal(string $total, string $currency): ?int
    {
        $digits = $this->digits($currency);
        return $digits === null ? null : $this->read($total, $digits);
    }

    /**
     * @param mixed $amount int, JsonNumber or decimal string
     * @return int|null minor units; null if zero or invalid in the currency
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

    /** @return string such as `41.50`, with the currency's decimals; the number of minor units if the currency is unknown */
    public function toDecimal(int $amountMinor, string $currency): string
    {
        $digits = $this->digits($currency) ?? 0;
        $text = str_pad((string) abs($amountMinor), $digits + 1, '0', STR_PAD_LEFT);
        $sign = $amountMinor < 0 ? '-' : '';
        return $digits === 0 ? $sign . $text : $sign . substr($text, 0, -$digits) . '.' . substr($text, -$digits);
    }

    /** @return string such as `41.50 EUR` */
    public function format(int $amountMinor, string $currency): string
    {
        return $this->toDecimal($amountMinor, $currency) . ' ' . $currency;
    }

    /** Rounds half away from zero. @return int minor units; 0 if the amount is invalid or has more than 14 digits before the decimal point */
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

    public function hasExtraDecimals(string $amount, string $currency): bool
    {
        $digits = $this->digits($currency);
        return $digits !== null && self::countDecimals($amount) > $digits;
    }

    /** Counts the decimal places, ignoring trailing zeros. */
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
