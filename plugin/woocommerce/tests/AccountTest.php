<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Accounts;
use Tillgate\WooCommerce\Shop\FetchAccount;

/** The Tillgate account of manually entered API keys. */
final class AccountTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testFetchesTheAccountOfPastedKeysOnce(): void
    {
        World::$tillgate->account = ['merchant_name' => 'Kiln', 'mode' => 'sandbox', 'console_url' => 'https://console.example/m/m-1'];
        $learn = new FetchAccount($this->services);
        $learn->ifUnknown();
        $learn->ifUnknown();
        self::assertSame(['GET /account'], World::$tillgate->calls);
        self::assertSame('Kiln', $this->services->settings->accountName());
        self::assertSame('https://console.example/m/m-1/sandbox/orders/POS-1', Accounts::consoleUrl(World::CLIENT, 'sandbox', 'orders/POS-1'));
    }

    public function testRetriesFetchingTheAccountUnlessTillgateLacksTheEndpoint(): void
    {
        $learn = new FetchAccount($this->services);
        World::$tillgate->failures = ['before'];
        $learn->ifUnknown();
        self::assertFalse(Accounts::isKnown(World::CLIENT), 'An account that could not be fetched was marked as known.');
        $learn->ifUnknown();
        $learn->ifUnknown();
        self::assertSame(['GET /account', 'GET /account'], World::$tillgate->calls);
        self::assertNull(Accounts::consoleUrl(World::CLIENT, 'sandbox', 'orders/POS-1'));
    }

    public function testIgnoresAnInvalidMerchantNameAndConsoleUrl(): void
    {
        World::$tillgate->account = ['merchant_name' => ['Kiln'], 'console_url' => 'javascript:alert(1)'];
        (new FetchAccount($this->services))->ifUnknown();
        self::assertSame('', $this->services->settings->accountName());
        self::assertNull(Accounts::consoleUrl(World::CLIENT, 'sandbox', 'orders/POS-1'));
    }
}
