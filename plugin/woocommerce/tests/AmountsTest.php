<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\StatusReport;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Gateway;
use Tillgate\WooCommerce\Shop\Orders;

/** Amounts in the decimals of the order's currency, independent of the shop's number of decimals. */
final class AmountsTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    /** A multi-currency plugin sets two decimals for the customer only; background tasks and webhooks load the order with none. */
    public function testAppliesPaymentsAndRefundsWithExactAmountsWhenTheShopDisplaysNoDecimals(): void
    {
        $attempt = $this->start('123.45', 'USD');
        World::$decimals = 0;
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);

        $trxId = World::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        self::assertSame(['processing', $trxId], [World::$orders[7]->status, World::$orders[7]->transaction]);

        $refundId = $this->services->settings->client()->createRefund(['transaction_id' => $trxId, 'idempotency_key' => 'one'])['refund_id'];
        World::receive($this->services, 'refund.completed', World::$tillgate->refunds[$refundId] + ['order_id' => $attempt->tillgateOrderId]);
        self::assertSame(['123.45'], array_column(World::$orders[7]->refunds, 'amount'));
        self::assertSame('refunded', World::$orders[7]->status);
    }

    /** @dataProvider shops */
    public function testReadsUnroundedOrderTotals(string $stored, int $decimals, string $total): void
    {
        World::$decimals = $decimals;
        World::order(7, $stored, 'EUR');
        self::assertSame($total, Orders::total(Orders::get(7)));
    }

    public function shops(): array
    {
        return [
            'no decimals' => ['123.45', 0, '123.45'],
            'as many decimals as the currency' => ['41.5', 2, '41.50'],
            'yen with two decimals' => ['1000', 2, '1000.00'],
            'four decimals' => ['41.5', 4, '41.5000'],
            'more decimals than the currency has' => ['41.505', 4, '41.5050'],
            'more digits than a float displays' => ['99999999999.99', 2, '99999999999.99'],
        ];
    }

    /** @dataProvider totals */
    public function testOffersTheMethodUnlessTheTotalHasMoreDecimalsThanTheCurrency(float $total, string $currency, bool $isOffered): void
    {
        $GLOBALS['tillgate_currency'] = $currency;
        World::$cart = (object) ['total' => $total];
        self::assertSame($isOffered, (new Gateway())->is_available());
        unset($GLOBALS['tillgate_currency']);
    }

    public function totals(): array
    {
        return [
            'whole yen' => [1000.0, 'JPY', true],
            'half a yen' => [1000.5, 'JPY', false],
            'a cent' => [41.51, 'EUR', true],
            'half a cent' => [41.505, 'EUR', false],
            'a float with a rounding error' => [0.1 + 0.2, 'EUR', true],
            'an unknown total' => [0.0, 'EUR', true],
        ];
    }

    public function testAdvisesTheMerchantIfTheShopHasMoreDecimalsThanTheCurrency(): void
    {
        self::assertTrue($this->finding('decimals')['ok']);
        World::$decimals = 4;
        $finding = $this->finding('decimals');
        self::assertFalse($finding['ok']);
        self::assertStringContainsString('Number of decimals', $finding['advice']);
        self::assertStringContainsString('2', $finding['advice']);
        self::assertStringContainsString($finding['advice'], (new StatusReport($this->services))->test()['description']);
    }

    private function start(string $total, string $currency): Attempt
    {
        World::$tillgate->heldCurrencies[] = $currency;
        World::order(7, $total, $currency);
        return (new StartPayment($this->services))->run(7);
    }

    private function finding(string $name): array
    {
        return array_column((new HealthFindings($this->services))->all(), null, 'name')[$name];
    }
}
