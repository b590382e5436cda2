<?php

namespace Tillgate\WooCommerce\Api;

/** A JSON number that is no small whole one, by its own text: an amount never becomes a float on its way. */
final class JsonNumber
{
    /** A number with more places than this is no amount. */
    private const MAX_EXPONENT = 30;

    /** @var string as it was written */
    public $text;

    public function __construct(string $text)
    {
        $this->text = $text;
    }

    /** @return string|null the same number without an exponent, `41.5` for `4.15e1`; null where it is beyond all amounts */
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
