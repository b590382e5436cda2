<?php

namespace Tillgate\WooCommerce;

use Tillgate\WooCommerce\Api\WireNumber;

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
    public function digitsOf(string $currency): ?int
    {
        return $this->digits[$currency] ?? null;
    }

    /**
     * Reads a total of the shop exactly. WooCommerce writes it with the shop's current number of decimals, so zeros beyond the
     * currency's own are no difference. One finer than the currency is rejected: rounding would charge another amount than shown.
     *
     * @param string $total decimal text with the shop's number of decimals
     * @return int minor units
     * @throws Problem NOT_PAYABLE, with a text for the shopper
     */
    public function readTotal(string $total, string $currency): int
    {
        $digits = $this->digitsOf($currency);
        if ($digits === null) {
            throw new Problem(
                Problem::NOT_PAYABLE,
                "The order's currency $currency is not known.",
                /* translators: %s: currency code */
                sprintf(__('This payment method doesn’t support orders in %s.', 'tillgate-for-woocommerce'), $currency)
            );
        }
        $decimals = self::decimalsOf($total);
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
            throw new Problem(Problem::NOT_PAYABLE, $text, $text);
        }
        $minor = $this->read($total, $digits);
        if ($minor === null) {
            $text = sprintf(
                /* translators: 1: order total, 2: currency code */
                __('%1$s %2$s can’t be paid with this payment method.', 'tillgate-for-woocommerce'),
                $total,
                $currency
            );
            throw new Problem(Problem::NOT_PAYABLE, $text, $text);
        }
        return $minor;
    }

    /**
     * Reads what an owner asks to be refunded, exactly.
     *
     * @param string $amount decimal text
     * @return int minor units
     * @throws Problem NOT_PAYABLE, with the reason in words for the shop's owner
     */
    public function readRefund(string $amount, string $currency): int
    {
        $minor = $this->tryWire($amount, $currency);
        if ($minor !== null) {
            return $minor;
        }
        $digits = $this->digitsOf($currency);
        if (preg_match('/^[0.]*$/D', $amount) === 1) {
            $text = __('Tillgate: enter an amount greater than zero to refund.', 'tillgate-for-woocommerce');
        } elseif ($digits !== null && self::decimalsOf($amount) > $digits) {
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
        throw new Problem(Problem::NOT_PAYABLE, $text);
    }

    /**
     * Adds up amounts of the shop. Zero counts as zero, also the "-0" that WooCommerce's floats come to; a text that is no amount is never taken for it.
     *
     * @param string[] $amounts decimal texts
     * @return int minor units
     * @throws Problem UNREADABLE
     */
    public function sum(array $amounts, string $currency): int
    {
        $digits = $this->digitsOf($currency);
        $sum = 0;
        foreach ($amounts as $amount) {
            $minor = $digits === null ? null : (self::isZero($amount) ? 0 : $this->read($amount, $digits));
            if ($minor === null) {
                throw new Problem(Problem::UNREADABLE, "A record of the shop over \"$amount\" is no amount in $currency.");
            }
            $sum += $minor;
        }
        return $sum;
    }

    /** Whether an amount of the shop is zero, also written as the "-0" that WooCommerce's floats come to: a record that only restocks. */
    public static function isZero(string $amount): bool
    {
        return preg_match('/^-?(?:0+(?:\.0*)?|\.0+)$/D', $amount) === 1;
    }

    /** @return int|null minor units; null where the text is no amount of the currency */
    public function tryTotal(string $total, string $currency): ?int
    {
        $digits = $this->digitsOf($currency);
        return $digits === null ? null : $this->read($total, $digits);
    }

    /**
     * Reads an amount of an event or an answer. Zeros at the end of the decimals do not count.
     *
     * @param mixed $amount a JSON number (an int, or a WireNumber with its own text) or decimal text
     * @return int|null minor units; null where it is no amount of the currency
     */
    public function tryWire($amount, string $currency): ?int
    {
        $digits = $this->digitsOf($currency);
        $text = $amount instanceof WireNumber ? $amount->decimal() : $amount;
        if ($digits === null || !(is_int($text) || is_string($text))) {
            return null;
        }
        return $this->read((string) $text, $digits);
    }

    /** @return string `41.50`, in exactly the currency's digits */
    public function decimal(int $minor, string $currency): string
    {
        $digits = $this->digitsOf($currency) ?? 0;
        $text = str_pad((string) abs($minor), $digits + 1, '0', STR_PAD_LEFT);
        $sign = $minor < 0 ? '-' : '';
        return $digits === 0 ? $sign . $text : $sign . substr($text, 0, -$digits) . '.' . substr($text, -$digits);
    }

    /** @return string `41.50 EUR` */
    public function text(int $minor, string $currency): string
    {
        return $this->decimal($minor, $currency) . ' ' . $currency;
    }

    /**
     * A part of an order, which WooCommerce calculates finer than its currency, rounded half up. Also of less than zero: a discount.
     *
     * @param string $amount decimal text
     * @return int minor units; 0 for a text that is no amount
     */
    public function rounded(string $amount, string $currency): int
    {
        $digits = $this->digitsOf($currency) ?? 0;
        if (preg_match('/^(-?)(\d{0,14})(?:\.(\d*))?$/D', $amount, $parts) !== 1) {
            return 0;
        }
        $fraction = str_pad($parts[3] ?? '', $digits + 1, '0');
        $minor = (int) ($parts[2] . substr($fraction, 0, $digits)) + ($fraction[$digits] >= '5' ? 1 : 0);
        return $parts[1] === '-' ? -$minor : $minor;
    }

    /** Whether an amount of the shop has decimals that the currency does not have. */
    public function isFiner(string $amount, string $currency): bool
    {
        $digits = $this->digitsOf($currency);
        return $digits !== null && self::decimalsOf($amount) > $digits;
    }

    /** Decimals of an amount, without the zeros at its end. */
    private static function decimalsOf(string $amount): int
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
        $minor = ltrim($whole . str_pad($fraction, $digits, '0'), '0');
        if (strlen($minor) > 14 || (int) $minor > self::MAX_MINOR_UNITS) {
            return null;
        }
        return (int) $minor;
    }
}
