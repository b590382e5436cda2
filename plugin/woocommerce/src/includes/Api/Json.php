<?php

namespace Tillgate\WooCommerce\Api;

/** Reads JSON of Tillgate's as PHP does, but for numbers: those that PHP would make a float of keep their own text. */
final class Json
{
    private const NUMBER = "\0number";
    /** Strings are passed over whole; each character is looked at once. */
    private const STRING_OR_NUMBER = '/"(?:[^"\\\\]++|\\\\.)*+"|-?\d++(?:\.\d++)?+(?:[eE][+-]?\d++)?+/s';
    /** Whole numbers of up to this many digits are ints everywhere. */
    private const MAX_INT_DIGITS = 15;

    /** @return mixed null where the text is no JSON */
    public static function decode(string $text)
    {
        if (json_decode($text) === null) {
            return null;
        }
        $marked = preg_replace_callback(self::STRING_OR_NUMBER, static function (array $found): string {
            $isInt = preg_match('/^-?\d{1,' . self::MAX_INT_DIGITS . '}$/D', $found[0]) === 1;
            return $found[0][0] === '"' || $isInt
                ? $found[0]
                : (string) json_encode([self::NUMBER => $found[0]]);
        }, $text);
        return $marked === null ? null : self::withNumbers(json_decode($marked, true));
    }

    /**
     * @param mixed $value
     * @return mixed
     */
    private static function withNumbers($value)
    {
        if (!is_array($value)) {
            return $value;
        }
        return isset($value[self::NUMBER]) && is_string($value[self::NUMBER])
            ? new WireNumber($value[self::NUMBER])
            : array_map([self::class, 'withNumbers'], $value);
    }
}
