<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Http\ReturnRoute;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\ReceiptPage;
use Tillgate\WooCommerce\Shop\TestMode;

/** The shop's payment page: QR code, pop-up, and fallback without scripts. */
final class ReceiptPageTest extends TestCase
{
    private const PAYMENT = 'https://pay.example/pay/POS-20261121-000001';
    private const LINK = '<a class="button alt wp-element-button" href="' . self::PAYMENT . '">';

    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::order(7);
        (new StartPayment($this->services))->run(7);
    }

    public function testShowsTheQrCodeAndCollapsesItOnPhones(): void
    {
        $page = $this->page('qr');
        self::assertStringContainsString(self::PAYMENT . '/qr.svg', $page);
        self::assertStringContainsString('Scan to pay', $page);
        self::assertStringContainsString('<p class="tillgate-test-mode">' . TestMode::text(), $page);
        self::assertStringContainsString(self::LINK, $page);
        self::assertStringNotContainsString('<tillgate-pay', $page);
        self::assertSame(['tillgate-receipt'], array_keys(World::$scripts));
        World::$isMobile = true;
        $page = $this->page('qr');
        self::assertSame(1, preg_match('~<details><summary>QR code for another device</summary>.*/qr\.svg.*</details>~s', $page), 'A phone can’t scan its own screen.');
    }

    public function testCountsDownByTillgatesClock(): void
    {
        $expiresAt = (int) $this->services->attempts->current(7)->expiresAt;
        $left = $expiresAt - time();
        self::assertSame($left, $this->secondsLeft());
        // The server's own clock is two minutes behind Tillgate's.
        $this->services->health->recordClockOffset(120);
        self::assertSame($left - 120, $this->secondsLeft());
        $this->services->health->recordClockOffset($left + 5);
        self::assertSame(0, $this->secondsLeft());
    }

    private function secondsLeft(): int
    {
        self::assertSame(1, preg_match('/data-seconds-left="(\d+)"/', $this->page('qr'), $found));
        return (int) $found[1];
    }

    public function testOpensThePopUpWithALinkAsFallback(): void
    {
        $page = $this->page('popup');
        $element = '<tillgate-pay open payment-url="' . self::PAYMENT . '" return-url="';
        self::assertStringContainsString($element, $page);
        $inside = strstr(strstr($page, $element), '</tillgate-pay>', true);
        self::assertStringContainsString(self::LINK, $inside, 'The fallback link is missing.');
        self::assertStringNotContainsString('/qr.svg', $page, 'The pop-up shows its own QR code.');
        self::assertSame('https://pay.example/tillgate.js', World::$scripts['tillgate-pay']);
        self::assertArrayHasKey('tillgate-receipt', World::$scripts, 'The status script is missing.');
    }

    public function testShowsNoCodeWithoutAnOpenPayment(): void
    {
        World::order(8);
        foreach (['qr', 'popup'] as $way) {
            $page = $this->page($way, 8);
            self::assertStringContainsString('No payment has been started yet.', $page);
            self::assertStringNotContainsString('<tillgate-pay', $page);
            self::assertStringNotContainsString('/qr.svg', $page);
        }
        self::assertSame([], World::$scripts);
        self::assertSame('', $this->page('qr', 9), 'Order not found.');
    }

    public function testOffersToPayAgainOnlyWhileTheOrderCanBePaid(): void
    {
        $attempt = $this->services->attempts->current(7);
        World::$tillgate->orders[$attempt->tillgateOrderId]['status'] = 'EXPIRED';
        (new CheckAttempt($this->services))->run($attempt);
        self::assertStringContainsString('Pay now', $this->page('qr'));
        World::order(8);
        $cancelled = (new StartPayment($this->services))->run(8);
        World::$tillgate->orders[$cancelled->tillgateOrderId]['status'] = 'CANCELLED';
        (new CheckAttempt($this->services))->run($cancelled);
        $page = $this->page('qr', 8);
        self::assertSame('cancelled', World::$orders[8]->status);
        self::assertStringContainsString('Payment cancelled.', $page);
        self::assertStringNotContainsString('Pay now', $page, 'WooCommerce would reject the payment.');
        self::assertStringContainsString('Continue', $page);
    }

    public function testSaysThatTheCustomerCanStillPayOnlyWhileTheOrderCanBePaid(): void
    {
        $attempt = $this->services->attempts->current(7);
        $this->services->attempts->setCancelReason($attempt->id, 'its total was changed');
        $this->services->attempts->complete($attempt->id, 'cancelled', null);
        $return = function (): array {
            World::$notices = [];
            $state = (new PaymentStatus($this->services))->refresh(7);
            return [(new ReturnRoute($this->services))->redirectUrl($state, World::$orders[7]), implode(World::$notices)];
        };
        [$url, $notice] = $return();
        self::assertSame('https://shop.example/checkout/order-pay/7?choose', $url);
        self::assertStringContainsString('You can still pay.', $notice);
        World::$orders[7]->status = 'cancelled';
        self::assertSame(['https://shop.example/shop/', 'notice: Payment cancelled. You haven’t been charged.'], $return());
    }

    private function page(string $showAs, int $orderId = 7): string
    {
        World::$options['woocommerce_tillgate_settings']['show_as'] = $showAs;
        ob_start();
        (new ReceiptPage($this->services))->show($orderId);
        return (string) ob_get_clean();
    }
}
