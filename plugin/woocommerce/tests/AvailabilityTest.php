<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Availability;
use Tillgate\WooCommerce\Shop\Gateway;

/** When the payment method is offered, and how customers see it. */
final class AvailabilityTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    /** @dataProvider amounts */
    public function testRespectsMinimumAndMaximumAmount(string $min, string $max, float $total, bool $isAccepted): void
    {
        $this->set(['min_amount' => $min, 'max_amount' => $max]);
        self::assertSame($isAccepted, (new Availability($this->services))->isWithinLimits($total, 'DE'));
        World::$cart = (object) ['total' => $total];
        self::assertSame($isAccepted, (new Gateway())->is_available());
    }

    public function amounts(): array
    {
        return [
            'below the minimum' => ['5', '', 4.99, false],
            'at the minimum' => ['5', '', 5.0, true],
            'above the minimum' => ['5', '', 5.01, true],
            'below the maximum' => ['', '100.50', 100.49, true],
            'at the maximum' => ['', '100.50', 100.5, true],
            'above the maximum' => ['', '100.50', 100.51, false],
            'no limit' => ['', '', 1000000.0, true],
            'invalid limits' => ['0', 'many', 7.0, true],
            'an unknown amount' => ['5', '', 0.0, true],
        ];
    }

    public function testRespectsTheCountrySetting(): void
    {
        $offer = new Availability($this->services);
        self::assertTrue($offer->isWithinLimits(7, 'FR'));
        $this->set(['countries' => ['DE', 'CM']]);
        self::assertSame([true, false, true], [$offer->isWithinLimits(7, 'CM'), $offer->isWithinLimits(7, 'FR'), $offer->isWithinLimits(7, '')]);
    }

    public function testSupportsOnlyAllowedCurrenciesWithAWalletAndOnlyIfTheSetupIsComplete(): void
    {
        $offer = new Availability($this->services);
        self::assertTrue($offer->supportsCurrency('XAF'));
        $this->set(['currencies' => ['EUR', 'JPY']]);
        self::assertSame([true, false], [$offer->supportsCurrency('EUR'), $offer->supportsCurrency('XAF')]);
        $this->services->settings->saveHasWallet('JPY', false);
        self::assertFalse($offer->supportsCurrency('JPY'), 'The account has no wallet in this currency.');
        $this->set(['client_id' => '']);
        self::assertFalse($offer->supportsCurrency('EUR'), 'The setup is incomplete.');
    }

    public function testDescribesTheDecimalsOfTheShopAndItsCurrency(): void
    {
        $availability = new Availability($this->services);
        self::assertSame('The shop’s number of decimals is 2; EUR has 2.', $availability->decimalsText());
        $GLOBALS['tillgate_currency'] = 'ZZZ';
        $text = $availability->decimalsText();
        unset($GLOBALS['tillgate_currency']);
        self::assertSame('The shop’s number of decimals is 2; ZZZ isn’t supported.', $text);
    }

    public function testShowsTestModeInTheMethodsDescription(): void
    {
        $this->set(['description' => 'From your wallet.']);
        self::assertSame("From your wallet.\n\nTest mode: no real money is involved.", (new Gateway())->get_description());
        $this->set(['mode' => 'live']);
        self::assertSame('From your wallet.', (new Gateway())->get_description());
    }

    public function testRedirectsToThePaymentPageOnPhonesOrIfConfigured(): void
    {
        World::order(7);
        $onDesktop = (new Gateway())->process_payment(7)['redirect'];
        World::$isMobile = true;
        $onPhone = (new Gateway())->process_payment(7)['redirect'];
        self::assertSame('https://pay.example/pay/POS-20261121-000001', $onPhone);
        self::assertNotSame($onPhone, $onDesktop);
        $this->set(['show_as' => 'popup']);
        self::assertSame($onPhone, (new Gateway())->process_payment(7)['redirect'], 'A pop-up would show its QR code on the phone.');
        World::$isMobile = false;
        self::assertSame($onDesktop, (new Gateway())->process_payment(7)['redirect']);
        $this->set(['show_as' => 'page']);
        self::assertSame($onPhone, (new Gateway())->process_payment(7)['redirect']);
    }

    /** @dataProvider failures */
    public function testExplainsFailedPaymentStartsToCustomersWithoutNamingTillgate(array $settings, array $order, array $failures, string $text): void
    {
        World::order(7, ...$order);
        $this->set($settings + ['title' => '<b>Pay by phone</b>']);
        World::$tillgate->failures = $failures;
        self::assertSame('failure', (new Gateway())->process_payment(7)['result']);
        self::assertCount(1, World::$notices);
        self::assertStringContainsString($text, World::$notices[0]);
        self::assertStringNotContainsString('Tillgate', World::$notices[0]);
    }

    public function failures(): array
    {
        return [
            'Tillgate is unreachable' => [[], ['41.50'], ['before', 'before'], 'error: We can’t start a payment with Pay by phone right now.'],
            'incomplete setup' => [['client_id' => ''], ['41.50'], [], 'error: Pay by phone isn’t available for this payment right now.'],
            'a currency without a wallet' => [[], ['41', 'JPY'], [], 'This payment method doesn’t support orders in JPY.'],
            'more decimals than the currency has' => [[], ['41.50', 'XAF'], [], 'The total of 41.50 has more decimals than XAF allows (0)'],
            'an unknown currency' => [[], ['41.50', 'XYZ'], [], 'This payment method doesn’t support orders in XYZ.'],
            'an amount that is too large' => [[], ['99999999999999.99'], [], 'can’t be paid with this payment method.'],
        ];
    }

    public function testShowsTheConfiguredOrDefaultIcon(): void
    {
        self::assertStringEndsWith('/assets/tillgate.svg', (new Gateway())->icon);
        $this->set(['icon' => 'https://shop.example/wallet.png']);
        self::assertSame('https://shop.example/wallet.png', (new Gateway())->icon);
    }

    public function testSupportsProductsAndRefundsOnly(): void
    {
        self::assertSame(['products', 'refunds'], (new Gateway())->supports);
        foreach (['subscriptions', 'subscription_cancellation', 'pre-orders', 'tokenization', 'add_payment_method'] as $feature) {
            self::assertFalse((new Gateway())->supports($feature), $feature);
        }
    }

    private function set(array $settings): void
    {
        World::$options['woocommerce_tillgate_settings'] = $settings + World::$options['woocommerce_tillgate_settings'];
    }
}
