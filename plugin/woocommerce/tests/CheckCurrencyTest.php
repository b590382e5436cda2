<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\CheckCurrency;

final class CheckCurrencyTest extends TestCase
{
    /** Seconds; Tillgate's minimum for `expires_in`. */
    private const MIN_EXPIRY = 60;

    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testCancelsTheTestOrderImmediately(): void
    {
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
        self::assertTrue($this->services->settings->hasWallet('EUR'));
    }

    public function testCreatesNoOrderWithoutAWallet(): void
    {
        self::assertFalse((new CheckCurrency($this->services))->run('JPY'));
        self::assertSame([], $this->states());
        self::assertFalse($this->services->settings->hasWallet('JPY'));
    }

    public function testLetsAnUncancelledTestOrderExpireAfterAMinute(): void
    {
        $this->createUncancelled();
        self::assertSame(['PENDING'], $this->states());
        $order = current(World::$tillgate->orders);
        self::assertSame(World::$now + self::MIN_EXPIRY, strtotime($order['expires_at']));
    }

    public function testCancelsALeftoverTestOrderOnTheNextRun(): void
    {
        $this->createUncancelled();
        self::assertNull($this->services->settings->hasWallet('EUR'));
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
    }

    public function testAcceptsAnExpiredTestOrderAsProofOfAWallet(): void
    {
        $this->createUncancelled();
        $id = key(World::$tillgate->orders);
        World::$tillgate->orders[$id]['status'] = 'EXPIRED';
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['EXPIRED'], $this->states());
    }

    /** Simulates a crash before the cancellation request. */
    private function createUncancelled(): void
    {
        World::$tillgate->failures = ['', 'before'];
        try {
            (new CheckCurrency($this->services))->run('EUR');
            self::fail('The order was cancelled.');
        } catch (ApiConnectionError $error) {
            self::assertStringContainsString('/cancel', World::$tillgate->calls[1]);
        }
    }

    /** @return string[] */
    private function states(): array
    {
        return array_column(array_values(World::$tillgate->orders), 'status');
    }
}
