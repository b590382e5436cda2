<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\HealthPanel;
use Tillgate\WooCommerce\Admin\HealthSummary;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Gateway;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Schedule;

/** Summary at the top of the status page. */
final class HealthSummaryTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        $this->services->health->recordCheck(['checked' => 0, 'failed' => 0, 'given_up' => 0]);
    }

    public function testReportsAHealthyShop(): void
    {
        self::assertSame('Customers can pay. No problems with webhooks. No known differences from Tillgate.', $this->text());
    }

    public function testReportsFailingPaymentStarts(): void
    {
        World::order(7);
        for ($start = 1; $start <= 3; $start += 1) {
            World::$tillgate->failures = ['before', 'before'];
            (new Gateway())->process_payment(7);
        }
        self::assertStringContainsString('Some or all customers can’t pay with Tillgate', $this->text());
        ob_start();
        (new HealthPanel($this->services))->show();
        $page = (string) ob_get_clean();
        self::assertStringContainsString('3 of the last 3', $page);
        self::assertLessThan(strpos($page, 'data-tillgate-health="settings"'), strpos($page, 'data-tillgate-health="starts"'), 'Problems are not listed first.');
        for ($start = 1; $start <= 4; $start += 1) {
            World::$tillgate->failures = [];
            (new Gateway())->process_payment(7);
        }
        self::assertStringContainsString('Customers can pay.', $this->text(), 'More payments started than failed since then.');
    }

    public function testReportsAnUnreachableTillgateAndRejectedKeys(): void
    {
        World::$tillgate->failures = ['before'];
        (new Schedule($this->services))->checkContact();
        self::assertStringContainsString('customers can’t pay with Tillgate', $this->text());
        (new Schedule($this->services))->checkContact();
        self::assertStringContainsString('Customers can pay.', $this->text());
        World::$tillgate->clients = [];
        (new Schedule($this->services))->checkContact();
        self::assertStringContainsString('customers can’t pay with Tillgate', $this->text(), 'The keys are no longer accepted.');
    }

    public function testReportsAPaymentProblemIfTheShopHasMoreDecimalsThanTheCurrency(): void
    {
        World::$decimals = 3;
        self::assertStringContainsString('Some or all customers can’t pay with Tillgate', $this->text());
    }

    public function testSummarizesPaymentsWebhooksAndOrdersSeparately(): void
    {
        $this->services->health->recordRejectedWebhook(Health::CAUSE_SECRET, 'Webhook rejected: bad_signature');
        $this->services->health->flagOrder(7, Health::CAUSE_ATTENTION, 'please compare');
        self::assertSame('Customers can pay. There are problems with webhooks. Some orders don’t match Tillgate or need attention.', $this->text());
        World::$options['woocommerce_tillgate_settings']['enabled'] = 'no';
        self::assertStringContainsString('Tillgate is turned off', $this->text());
        World::$options['woocommerce_tillgate_settings'] = ['enabled' => 'yes', 'client_id' => ''] + World::$options['woocommerce_tillgate_settings'];
        self::assertStringContainsString('Some or all customers can’t pay with Tillgate', $this->text());
    }

    private function text(): string
    {
        return (new HealthSummary($this->services))->summarize((new HealthFindings($this->services))->all())['text'];
    }
}
