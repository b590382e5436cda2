<?php

namespace Tillgate\WooCommerce\Api;

/** Decodes JSON to arrays like `json_decode()`, except that numbers other than integers of up to 15 digits become JsonNumber. */
final class Json
{
    private const NUMBER = "\0number";
    private const NUMBER_START = '-0123456789';
    private const NUMBER_CHARACTERS = '-+.eE0123456789';
    private const MAX_INT_DIGITS = 15;

    /** @return mixed null if the text is not valid JSON */
    public static function decode(string $text)
    {
        if (json_decode($text) === null) {
            return null;
        }
        return self::restoreNumbers(json_decode(self::markNumbers($text), true));
    }

    /** Wraps each number other than a small integer in a marker object, in linear time. */
    private static function markNumbers(string $json): string
    {
        $marked = '';
        $length = strlen($json);
        for ($at = 0; $at < $length; $at += strlen($part)) {
            $part = self::tokenAt($json, $at);
            $isNumber = strpos(self::NUMBER_START, $part[0]) !== false;
            $marked .= !$isNumber || self::isSmallInt($part) ? $part : wp_json_encode([self::NUMBER => $part]);
        }
        return $marked;
    }

    /** Returns the string or number at this offset, or the text up to the next string or number. */
    private static function tokenAt(string $json, int $at): string
    {
        if ($json[$at] !== '"') {
            $number = strspn($json, self::NUMBER_CHARACTERS, $at);
            $isNumber = strpos(self::NUMBER_START, $json[$at]) !== false;
            return substr($json, $at, $isNumber ? $number : strcspn($json, '"' . self::NUMBER_START, $at));
        }
        $end = $at + 1;
        while (($json[$end += strcspn($json, '"\\', $end)] ?? '"') !== '"') {
            $end += 2;
        }
        return substr($json, $at, $end + 1 - $at);
    }

    private static function isSmallInt(string $number): bool
    {
        $digits = ltrim($number, '-');
        return strlen($digits) <= self::MAX_INT_DIGITS && ctype_digit($digits);
    }

    private static function restoreNumbers($value)
    {
        if (!is_array($value)) {
            return $value;
        }
        return isset($value[self::NUMBER]) && is_string($value[self::NUMBER])
            ? new JsonNumber($value[self::NUMBER])
            : array_map([self::class, 'restoreNumbers'], $value);
    }
}
