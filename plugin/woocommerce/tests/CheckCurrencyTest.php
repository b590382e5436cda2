<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\CheckCurrency;

final class CheckCurrencyTest extends TestCase
{
    /** Seconds: the shortest life that Tillgate gives an order. */
    private const SHORTEST_LIFE = 60;

    /** @var Services */
    private $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testATrialOrderIsCancelledAtOnce(): void
    {
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
        self::assertTrue($this->services->settings->hasWallet('EUR'));
    }

    public function testACurrencyWithoutAWalletLeavesNoOrder(): void
    {
        self::assertFalse((new CheckCurrency($this->services))->run('JPY'));
        self::assertSame([], $this->states());
        self::assertFalse($this->services->settings->hasWallet('JPY'));
    }

    public function testATrialOrderThatWasLeftUncancelledEndsByItselfSoon(): void
    {
        $this->leaveUncancelled();
        self::assertSame(['PENDING'], $this->states());
        $order = current(World::$tillgate->orders);
        self::assertSame(World::$now + self::SHORTEST_LIFE, strtotime($order['expires_at']));
    }

    public function testTheNextTryCancelsATrialOrderThatWasLeft(): void
    {
        $this->leaveUncancelled();
        self::assertNull($this->services->settings->hasWallet('EUR'));
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
    }

    public function testATrialOrderThatEndedByItselfStillTellsWhatItWasMadeFor(): void
    {
        $this->leaveUncancelled();
        $id = key(World::$tillgate->orders);
        World::$tillgate->orders[$id]['status'] = 'EXPIRED';
        self::assertTrue((new CheckCurrency($this->services))->run('EUR'));
        self::assertSame(['EXPIRED'], $this->states());
    }

    /** As if the process ended between the two calls: the second never reaches Tillgate. */
    private function leaveUncancelled(): void
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
