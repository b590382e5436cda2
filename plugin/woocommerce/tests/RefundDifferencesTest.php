<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\OrderNotice;
use Tillgate\WooCommerce\Admin\RefundDifferences;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;

/** Compares refund totals of shop and Tillgate. */
final class RefundDifferencesTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::resetWithRefunds();
        World::payOrder($this->services);
    }

    public function testReportsAnExtraRefundRecordUntilItIsDeleted(): void
    {
        $this->refund('32.50');
        $this->sweepLater();
        self::assertTrue($this->finding()['ok']);
        $second = $this->recordByHand('5.00');
        $this->sweepLater();
        $finding = $this->finding();
        self::assertFalse($finding['ok']);
        self::assertSame('order 7: 37.50 EUR in the shop, 32.50 EUR in Tillgate', $finding['text']);
        self::assertStringContainsString('delete the duplicate', $finding['advice']);
        $note = end(World::$orders[7]->notes);
        self::assertStringContainsString('37.50 EUR in the shop, but 32.50 EUR was refunded', $note);
        self::assertStringContainsString('37.50 EUR', $this->services->health->read('last_error')['text']);
        $this->sweepLater(600);
        self::assertSame(1, count(array_keys(World::$orders[7]->notes, $note, true)), 'The note was added more than once.');
        $this->delete($second);
        $this->sweepLater(600);
        self::assertTrue($this->finding()['ok']);
    }

    public function testRecordsARefundWhoseWebhookWasLost(): void
    {
        $this->refundAtTillgate('3.00');
        $this->refund('5.00');
        $this->sweepLater();
        self::assertSame(800, $this->shopSum());
        self::assertTrue($this->finding()['ok']);
    }

    public function testReportsARefundThatDoesNotFitTheOrderAndRecordsItOnceItFits(): void
    {
        $this->recordByHand('40.00');
        $this->refundAtTillgate('32.50');
        $this->sweepLater();
        self::assertSame('order 7: 40.00 EUR in the shop, 32.50 EUR in Tillgate', $this->finding()['text']);
        $this->delete(World::$orders[7]->refunds[0]);
        $this->sweepLater();
        self::assertSame(3250, $this->shopSum(), 'Recorded once enough of the order is left.');
        self::assertTrue($this->finding()['ok']);
    }

    public function testHidesAnAcceptedDifferenceUntilItChanges(): void
    {
        $this->recordByHand('5.00');
        $this->sweepLater();
        self::assertFalse($this->finding()['ok']);
        $this->services->comparisons->acceptDifference($this->services->attempts->current(7)->id);
        self::assertTrue($this->finding()['ok']);
        $this->services->comparisons->schedule(7, 0);
        $this->sweepLater();
        self::assertTrue($this->finding()['ok'], 'The accepted difference was reported again.');
        $this->recordByHand('1.00');
        $this->sweepLater();
        self::assertSame('order 7: 6.00 EUR in the shop, 0.00 EUR in Tillgate', $this->finding()['text']);
    }

    public function testTellsTheMerchantWhetherTheRefundsStillDiffer(): void
    {
        $second = $this->recordByHand('5.00');
        $this->sweepLater();
        self::assertSame(OrderNotice::DIFFERENT, $this->perform('compare'));
        self::assertSame(OrderNotice::ACCEPTED, $this->perform('accept'));
        $this->delete($second);
        self::assertSame(OrderNotice::CHECKED, $this->perform('compare'));
        World::$tillgate->failures = ['before', 'before'];
        self::assertSame(OrderNotice::FAILED, $this->perform('compare'));
    }

    public function testDoesNotReportARefundStillBeingRecorded(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            $this->services->comparisons->schedule($orderId, 0);
            (new ScheduledCheck($this->services))->run();
            self::assertTrue($this->finding()['ok']);
            return (new RequestRefund($this->services))->run($orderId, $amount, $reason);
        };
        $this->refund('5.00');
        $this->sweepLater();
        self::assertTrue($this->finding()['ok']);
        self::assertNull($this->services->health->read('last_error'));
    }

    public function testDoesNotTreatInvalidAmountsAsZero(): void
    {
        World::$orders[7]->refunds[] = $broken = new \WC_Order_Refund(9500, 'abc');
        $broken->createdAt -= 61;
        $this->services->comparisons->schedule(7, 0);
        $this->sweepLater();
        self::assertStringContainsString('"abc" in the shop is not valid', $this->services->health->read('last_error')['text']);
        self::assertNull($this->services->attempts->current(7)->shopRefundedMinor);
        $this->expectExceptionMessage('is not valid');
        $this->services->money->sum(['1.00', ''], 'EUR');
    }

    public function testAbandonsAFailingComparisonUntilTheNextRefund(): void
    {
        $this->refund('5.00');
        for ($try = 1; $try <= 60; $try += 1) {
            self::assertCount(1, World::$wpdb->get_results('SELECT 1 FROM wp_tillgate_attempts WHERE compare_at > 0', ARRAY_A));
            // Unlike a timeout, this response is not retried.
            World::$tillgate->failures = [['status' => 403, 'headers' => [], 'body' => '{"message":{"error":["Forbidden"]}}']];
            $this->sweepLater(1800);
        }
        self::assertStringContainsString('abandoned', $this->services->health->read('last_error')['text']);
        self::assertCount(0, World::$wpdb->get_results('SELECT 1 FROM wp_tillgate_attempts WHERE compare_at > 0', ARRAY_A));
        World::$tillgate->failures = [];
        $this->refund('1.00');
        $this->sweepLater();
        self::assertSame(600, $this->services->attempts->current(7)->tillgateRefundedMinor);
        self::assertSame(0, $this->services->attempts->current(7)->failedChecks);
    }

    public function testSumsAmountsExactly(): void
    {
        self::assertSame(30, $this->services->money->sum(['0.1', '0.20'], 'EUR'));
        self::assertSame(10000000000001, $this->services->money->sum(['99999999999.99', '0.02', '0', '0.00', '.0', '-0', '-0.00'], 'EUR'));
        self::assertSame('1.1', Orders::decimalText(1.1));
        self::assertSame('4.999', Orders::decimalText('4.999'), 'An amount was rounded.');
    }

    private function perform(string $what): string
    {
        return (new RefundDifferences($this->services))->perform(World::$orders[7], $what);
    }

    private function finding(): array
    {
        return (new RefundDifferences($this->services))->finding();
    }

    private function sweepLater(int $seconds = 120): void
    {
        World::$now += $seconds;
        (new ScheduledCheck($this->services))->run();
    }

    private function shopSum(): int
    {
        return $this->services->money->sum(array_column(World::$orders[7]->refunds, 'amount'), 'EUR');
    }

    private function refund(string $amount): void
    {
        self::assertInstanceOf(
            \WC_Order_Refund::class,
            wc_create_refund(['order_id' => 7, 'amount' => $amount, 'refund_payment' => true])
        );
    }

    private function recordByHand(string $amount): \WC_Order_Refund
    {
        return wc_create_refund(['order_id' => 7, 'amount' => $amount, 'refund_payment' => false]);
    }

    private function delete(\WC_Order_Refund $record): void
    {
        World::$orders[7]->refunds = array_values(array_filter(
            World::$orders[7]->refunds,
            static function (\WC_Order_Refund $other) use ($record): bool {
                return $other !== $record;
            }
        ));
        do_action('woocommerce_refund_deleted', $record->get_id(), 7);
    }

    private function refundAtTillgate(string $amount): void
    {
        $this->services->settings->client()->createRefund([
            'transaction_id' => World::$orders[7]->transaction,
            'amount' => $amount,
            'idempotency_key' => uniqid('', true),
        ]);
    }
}
