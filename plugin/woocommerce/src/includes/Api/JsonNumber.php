<?php

namespace Tillgate\WooCommerce\Api;

/** A JSON number other than a small integer, kept as text so that no amount becomes a float. */
final class JsonNumber
{
    /** Larger exponents are not parsed, because no amount has them. */
    private const MAX_EXPONENT = 30;

    public string $text;

    public function __construct(string $text)
    {
        $this->text = $text;
    }

    /** @return string|null decimal without exponent: `41.5` for `4.15e1`, `41.` for `41`; null if the exponent is out of range */
    public function toDecimal(): ?string
    {
        if (preg_match('/^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/D', $this->text, $parts) !== 1) {
            return null;
        }
        $exponent = (int) ($parts[4] ?? 0);
        if (abs($exponent) > self::MAX_EXPONENT) {
            return null;
        }
        $digits = $parts[2] . ($parts[3] ?? '');
        $point = strlen($parts[2]) + $exponent;
        $digits = str_pad(str_repeat('0', max(0, -$point)) . $digits, max(0, $point), '0');
        $point = max(0, $point);
        return $parts[1] . substr($digits, 0, $point) . '.' . substr($digits, $point);
    }
}
