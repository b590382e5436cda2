<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Api\Unreachable;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\HeldCurrency;

final class HeldCurrencyTest extends TestCase
{
    /** Seconds: the shortest life that Tillgate gives an order. */
    private const SHORTEST_LIFE = 60;

    /** @var Services */
    private $services;

    protected function setUp(): void
    {
        $this->services = World::begin();
    }

    public function testATrialOrderIsCancelledAtOnce(): void
    {
        self::assertTrue((new HeldCurrency($this->services))->learn('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
        self::assertTrue($this->services->settings->holds('EUR'));
    }

    public function testACurrencyWithoutAWalletLeavesNoOrder(): void
    {
        self::assertFalse((new HeldCurrency($this->services))->learn('JPY'));
        self::assertSame([], $this->states());
        self::assertFalse($this->services->settings->holds('JPY'));
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
        self::assertNull($this->services->settings->holds('EUR'));
        self::assertTrue((new HeldCurrency($this->services))->learn('EUR'));
        self::assertSame(['CANCELLED'], $this->states());
    }

    public function testATrialOrderThatEndedByItselfStillTellsWhatItWasMadeFor(): void
    {
        $this->leaveUncancelled();
        $id = key(World::$tillgate->orders);
        World::$tillgate->orders[$id]['status'] = 'EXPIRED';
        self::assertTrue((new HeldCurrency($this->services))->learn('EUR'));
        self::assertSame(['EXPIRED'], $this->states());
    }

    /** As if the process ended between the two calls: the second never reaches Tillgate. */
    private function leaveUncancelled(): void
    {
        World::$tillgate->failures = ['', 'before'];
        try {
            (new HeldCurrency($this->services))->learn('EUR');
            self::fail('The order was cancelled.');
        } catch (Unreachable $error) {
            self::assertStringContainsString('/cancel', World::$tillgate->calls[1]);
        }
    }

    /** @return string[] */
    private function states(): array
    {
        return array_column(array_values(World::$tillgate->orders), 'status');
    }
}
