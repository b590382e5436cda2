<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\ConnectionTest;
use Tillgate\WooCommerce\Http\StatusRoute;
use Tillgate\WooCommerce\Services;

/** Hosts that cache, redirect or require a password. */
final class HostingTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testDetectsHostsThatCacheUncacheableResponses(): void
    {
        self::assertNull(StatusRoute::isCached('POST'), 'The shop can’t call itself.');
        $calls = 0;
        World::$tillgate->shop = static function (string $method) use (&$calls): array {
            $calls += $method === 'POST' ? 1 : 0;
            return ['status' => 200, 'headers' => [], 'body' => (string) json_encode(['number' => "$method $calls"])];
        };
        self::assertFalse(StatusRoute::isCached('POST'));
        self::assertTrue(StatusRoute::isCached('GET'));
        $texts = implode(' ', array_column((new ConnectionTest($this->services))->run(), 'text'));
        self::assertStringContainsString('Customers still see that they’ve paid', $texts);
        World::$tillgate->shop = static function (): array {
            return ['status' => 200, 'headers' => [], 'body' => '{"number": "1"}'];
        };
        $texts = implode(' ', array_column((new ConnectionTest($this->services))->run(), 'text'));
        self::assertStringContainsString('Exclude /wp-json/tillgate/', $texts);
        World::$tillgate->shop = static function (): array {
            return ['status' => 403, 'headers' => [], 'body' => '<h1>Forbidden</h1>'];
        };
        self::assertNull(StatusRoute::isCached('POST'));
    }

    public function testSendsNoCacheHeadersWithPaymentState(): void
    {
        $headers = (new StatusRoute($this->services))->read(new \WP_REST_Request([], ''))->headers;
        self::assertStringContainsString('no-store', $headers['Cache-Control']);
        self::assertSame('no-cache', $headers['X-LiteSpeed-Cache-Control']);
        self::assertSame('no-store', $headers['Surrogate-Control']);
        self::assertSame('no-store', $headers['CDN-Cache-Control']);
        self::assertTrue(defined('DONOTCACHEPAGE'));
    }

    public function testDistinguishesHttpAuthenticationFromAnInvalidSignature(): void
    {
        World::$tillgate->delivery = ['delivered' => false, 'http_status' => 401, 'error' => 'http_status'];
        $text = function (): string {
            return implode(' ', array_column((new ConnectionTest($this->services))->run(), 'text'));
        };
        self::assertStringContainsString('rejected Tillgate’s signature', $text());
        World::$tillgate->shop = static function (): array {
            return ['status' => 401, 'headers' => ['www-authenticate' => 'Basic realm="Staging"'], 'body' => ''];
        };
        self::assertStringContainsString('Exclude /wp-json/tillgate/ from the password protection', $text());
    }

    public function testExplainsARefusedConnection(): void
    {
        World::$tillgate->delivery = ['delivered' => false, 'http_status' => null, 'error' => 'connection'];
        $texts = implode(' ', array_column((new ConnectionTest($this->services))->run(), 'text'));
        self::assertStringContainsString('Tillgate couldn’t connect to this shop. The server or a firewall refuses the connection.', $texts);
    }

    public function testDoesNotBlameTheUrlForAServerErrorOfTillgate(): void
    {
        World::$tillgate->failures = [['status' => 503, 'headers' => [], 'body' => '']];
        $results = (new ConnectionTest($this->services))->run();
        self::assertSame(
            ['The test failed: POST /authentication/token: Tillgate responded with a server error (HTTP 503). Test again in a few minutes.'],
            array_column($results, 'text')
        );
    }

    public function testReportsRedirectTargets(): void
    {
        World::$tillgate->delivery = ['delivered' => false, 'http_status' => 301, 'error' => 'redirect', 'location' => 'https://www.shop.example/'];
        $texts = implode(' ', array_column((new ConnectionTest($this->services))->run(), 'text'));
        self::assertStringContainsString('to https://www.shop.example/. Set the site address', $texts);
        $redirect = ['status' => 301, 'headers' => ['location' => 'https://www.api.example/'], 'body' => ''];
        World::$tillgate->failures = [$redirect, $redirect];
        $results = (new ConnectionTest($this->services))->run();
        self::assertSame([['ok' => false, 'text' => 'The Tillgate URL redirects to https://www.api.example/. Enter that URL.']], $results);
    }
}
