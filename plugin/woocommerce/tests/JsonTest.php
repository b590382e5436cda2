<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Api\Json;
use Tillgate\WooCommerce\Api\JsonNumber;

/** Parsing of API amounts without floats. */
final class JsonTest extends TestCase
{
    /** @return array<string, array{string, int|null}> */
    public static function amounts(): array
    {
        return [
            'two decimals' => ['41.50', 4150],
            'one decimal' => ['41.5', 4150],
            'no decimals' => ['41', 4100],
            'an exponent' => ['4.15e1', 4150],
            'a negative exponent' => ['4150E-2', 4150],
            'a number that a float rounds to ten' => ['10.000000000000000001', null],
            'a number beyond float precision' => ['90071992547409.93', null],
            'the maximum' => ['100000000000.00', 10000000000000],
            'above the maximum' => ['100000000000.01', null],
            'a third decimal' => ['41.505', null],
            'a negative amount' => ['-41.50', null],
            'zero' => ['0.00', null],
            'an exponent that is too large' => ['1e400', null],
            'an integer that is too large' => ['99999999999999999999', null],
        ];
    }

    /** @dataProvider amounts */
    public function testParsesAmountsWithoutFloats(string $text, ?int $amountMinor): void
    {
        $money = World::reset()->money;
        $read = Json::decode("{\"amount\": $text}");
        self::assertIsNotFloat($read['amount']);
        self::assertSame($amountMinor, $money->parseApiAmount($read['amount'], 'EUR'));
    }

    public function testDecodesEverythingExceptLargeOrDecimalNumbersLikeJsonDecode(): void
    {
        $text = '{"a":["1.5","\\"2.5\\"",null,true,{"b":7}],"c":"x 3.5 \\\\","d":-4}';
        self::assertSame(json_decode($text, true), Json::decode($text));
        foreach (['', 'no', '{"a":1.5', '[1.]', '{"\u0000number":"1.5"}'] as $none) {
            self::assertNull(Json::decode($none), $none);
        }
        self::assertEquals(['a' => [new JsonNumber('1.50')]], Json::decode('{"a":[1.50]}'));
    }

    public function testDecodesALongStringWithEscapesAndDigits(): void
    {
        $text = (string) json_encode(['a' => str_repeat('\\"1.5', 100000), 'b' => 1.5]);
        self::assertSame(str_repeat('\\"1.5', 100000), Json::decode($text)['a']);
    }
}
