<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;

final class RefundsTest extends TestCase
{
    private Services $services;
    private string $tillgateOrderId;

    protected function setUp(): void
    {
        $this->services = World::resetWithRefunds();
        $this->tillgateOrderId = World::payOrder($this->services);
    }

    /** @return array<string, array{bool}> */
    public static function storages(): array
    {
        return ['orders in custom tables' => [false], 'orders as posts' => [true]];
    }

    /** @dataProvider storages */
    public function testRefundsOnceAndMatchesTheEventWithTheRecord(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertSame([5.0], array_column(World::$tillgate->refunds, 'raw_amount'));
        self::assertSame('RF-20261121-000001', World::$orders[7]->refunds[0]->get_meta(Orders::REFUND_META));
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertCount(1, World::$orders[7]->notes);
    }

    /** @dataProvider storages */
    public function testTreatsRepeatedPartialRefundsAsSeparateRequests(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->refund('5.00');
        $this->refund('5.00');
        self::assertSame([5.0, 5.0], array_column(World::$tillgate->refunds, 'raw_amount'));
        self::assertCount(2, World::$orders[7]->refunds);
        foreach (array_values(World::$tillgate->refunds) as $index => $refund) {
            $record = World::$orders[7]->refunds[$index];
            self::assertSame($refund['refund_id'], $record->get_meta(Orders::REFUND_META));
            self::assertSame($refund['reference'], $record->get_meta(Orders::REFERENCE_META));
            $this->receive('refund.completed', $refund['refund_id']);
        }
        self::assertCount(2, World::$orders[7]->refunds);
    }

    public function testRetriesATimeoutOnceWithTheSameKey(): void
    {
        World::$tillgate->failures = ['after'];
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        $keys = array_column(World::$tillgate->requestBodies('POST /refunds'), 'idempotency_key');
        self::assertSame([$keys[0], $keys[0]], $keys);
        self::assertCount(1, World::$tillgate->refunds);
    }

    public function testResolvesAnUnknownRefundOutcomeInTheScheduledCheck(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        $result = $this->refund('5.00');
        self::assertStringContainsString('Don’t refund again', $result->get_error_message());
        self::assertSame([], World::$orders[7]->refunds, 'The shop records a refund with an unknown outcome.');
        World::$now += 120;
        (new ScheduledCheck($this->services))->run();
        self::assertCount(1, World::$tillgate->refunds);
        self::assertCount(1, World::$orders[7]->refunds);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testDoesNotRefundTwiceIfTheMerchantRetries(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        $this->refund('5.00');
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertCount(1, World::$tillgate->refunds);
        World::$now += 120;
        (new ScheduledCheck($this->services))->run();
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testDefersAnEventWhileTheRefundIsInProgress(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            World::$tillgate->failures = ['after', 'after'];
            $result = (new RequestRefund($this->services))->run($orderId, $amount, $reason);
            try {
                $this->receive('refund.completed', 'RF-20261121-000001');
                self::fail('The event was matched with the record that WooCommerce is about to delete.');
            } catch (PluginError $error) {
                self::assertTrue($error->is(PluginError::BUSY));
            }
            return $result;
        };
        // A full refund: until WooCommerce deletes its record, nothing is left for the new one.
        $this->refund('41.50');
        self::assertSame([], World::$orders[7]->refunds);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testRecordsARefundWhoseEventArrivesBeforeWooCommerceDeletesItsOwnRecord(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            World::$tillgate->failures = ['after', 'after'];
            $result = (new RequestRefund($this->services))->run($orderId, $amount, $reason);
            $this->receive('refund.completed', 'RF-20261121-000001');
            return $result;
        };
        $this->refund('5.00');
        self::assertSame(['RF-20261121-000001'], $this->recordRefundIds());
    }

    public function testRecordsAPendingRefundAfterApproval(): void
    {
        World::$tillgate->refundStatus = 'pending';
        $result = $this->refund('5.00');
        self::assertStringContainsString('RF-20261121-000001', $result->get_error_message());
        self::assertSame([], World::$orders[7]->refunds);
        World::$tillgate->refunds['RF-20261121-000001']['status'] = 'completed';
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testAllowsANewRequestAfterAFailedRefund(): void
    {
        World::$tillgate->refundStatus = 'pending';
        $this->refund('5.00');
        World::$tillgate->refunds['RF-20261121-000001']['status'] = 'failed';
        $this->receive('refund.failed', 'RF-20261121-000001');
        World::$tillgate->refundStatus = 'completed';
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertArrayHasKey('RF-20261121-000002', World::$tillgate->refunds);
    }

    public function testShowsARejectionAndAllowsANewRequest(): void
    {
        World::$tillgate->refundStatus = 'completed';
        World::$tillgate->orders[$this->tillgateOrderId]['raw_amount'] = 1.0;
        self::assertSame('Tillgate: Refund exceeds original amount', $this->refund('5.00')->get_error_message());
        self::assertSame([], $this->services->refunds->forOrder(7));
        World::$tillgate->orders[$this->tillgateOrderId]['raw_amount'] = 41.5;
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
    }

    /** @return array<string, array{string, string}> */
    public static function rejectedAmounts(): array
    {
        return [
            'zero' => ['0', 'greater than zero'],
            'zero with decimals' => ['0.00', 'greater than zero'],
            'no amount' => ['', 'greater than zero'],
            'a third decimal' => ['4.999', 'EUR has 2 decimals'],
            'a negative amount' => ['-1.00', '-1.00 EUR isn’t a valid refund amount'],
            'an exponent' => ['1e1', '1e1 EUR isn’t a valid refund amount'],
            'an amount that is too large' => ['100000000000.01', '100000000000.01 EUR isn’t a valid refund amount'],
        ];
    }

    /** @dataProvider rejectedAmounts */
    public function testExplainsRejectedAmounts(string $amount, string $reason): void
    {
        $result = (new RequestRefund($this->services))->run(7, $amount, '');
        self::assertStringContainsString($reason, $result->get_error_message());
        self::assertSame([], World::$tillgate->requestBodies('POST /refunds'));
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('0.01'), 'The smallest amount was rejected.');
    }

    public function testSanitizesRefundReasons(): void
    {
        $this->refund('1.00', "Broken <b>cup</b>\n<script>alert(1)</script>\u{202E}" . str_repeat('x', 600));
        $sent = World::$tillgate->requestBodies('POST /refunds')[0]['reason'];
        self::assertSame('Broken cup alert(1)' . str_repeat('x', 481), $sent);
        self::assertSame(500, mb_strlen($sent));
        $this->services->settings->client()->createRefund([
            'transaction_id' => World::$orders[7]->transaction,
            'amount' => '2.00',
            'reason' => "<img src=x onerror=alert(1)>Asked\n by phone\u{202E}",
            'idempotency_key' => 'a key',
        ]);
        $this->receive('refund.completed', 'RF-20261121-000002');
        self::assertSame('Asked by phone', World::$orders[7]->refunds[1]->reason);
    }

    public function testRecordsTillgateRefundsWithoutCallingTheGateway(): void
    {
        World::$gateway = static function (): void {
            self::fail('The gateway was called again.');
        };
        $this->refundAtTillgate('41.50');
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertSame('refunded', World::$orders[7]->status);
    }

    /** @dataProvider storages */
    public function testRecordsARefundOnceIfTheProcessDiesAfterTheFirstSave(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->refundAtTillgate('5.00');
        $die = static function (): void {
            throw new \RuntimeException('The process is killed.');
        };
        add_action('woocommerce_create_refund', $die);
        try {
            $this->receive('refund.completed', 'RF-20261121-000001');
            self::fail('The process was not killed.');
        } catch (\RuntimeException $killed) {
            self::assertSame('The process is killed.', $killed->getMessage());
        }
        remove_action('woocommerce_create_refund', $die);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertSame('RF-20261121-000001', World::$orders[7]->refunds[0]->get_meta(Orders::REFUND_META));
    }

    /** @dataProvider spreads */
    public function testSplitsTillgateRefundsAcrossItemsTaxAndShipping(string $amount, array $settings, array $lines, bool $isRestocked): void
    {
        World::$options['woocommerce_tillgate_settings'] = $settings + World::$options['woocommerce_tillgate_settings'];
        World::$orders[7]->items = [
            11 => new \FakeItem('line_item', '30.672269', [1 => '5.827731'], 2),
            13 => new \FakeItem('fee', '0'),
            12 => new \FakeItem('shipping', '4.201681', [1 => '0.798319']),
        ];
        $this->refundAtTillgate($amount);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertSame($lines, World::$orders[7]->refunds[0]->lines);
        self::assertSame($isRestocked, World::$orders[7]->refunds[0]->isRestocked);
    }

    public function spreads(): array
    {
        $whole = [
            11 => ['qty' => 2, 'refund_total' => '30.67', 'refund_tax' => [1 => '5.83']],
            13 => ['qty' => 0, 'refund_total' => '0.00', 'refund_tax' => []],
            12 => ['qty' => 0, 'refund_total' => '4.20', 'refund_tax' => [1 => '0.80']],
        ];
        return [
            'full refund' => ['41.50', [], $whole, false],
            'full refund, restocked' => ['41.50', ['restock' => 'yes'], $whole, true],
            'partial refund, never restocked' => ['4.15', ['restock' => 'yes'], [
                11 => ['qty' => 0, 'refund_total' => '3.07', 'refund_tax' => [1 => '0.58']],
                13 => ['qty' => 0, 'refund_total' => '0.00', 'refund_tax' => []],
                12 => ['qty' => 0, 'refund_total' => '0.42', 'refund_tax' => [1 => '0.08']],
            ], false],
            'without line items' => ['41.50', ['refund_lines' => 'no'], [], false],
        ];
    }

    public function testReportsBusyIfAConcurrentRefundLeavesTooLittleToRefund(): void
    {
        $this->refundAtTillgate('41.50');
        $isTaken = false;
        add_action('fake_refund_start', static function (\WC_Order $order) use (&$isTaken): void {
            if (!$isTaken) {
                $isTaken = true;
                $order->refunds[] = new \WC_Order_Refund(8001, '41.50', 7);
            }
        });
        try {
            $this->receive('refund.completed', 'RF-20261121-000001');
            self::fail('The refund was recorded.');
        } catch (PluginError $error) {
            self::assertTrue($error->is(PluginError::BUSY), $error->getMessage());
        }
    }

    public function testAddsOneNoteInsteadOfARecordForARefundThatExceedsTheOrdersRemainingAmount(): void
    {
        World::$orders[7]->refunds[] = new \WC_Order_Refund(1, '41.50');
        World::$orders[7]->refunds[0]->createdAt -= 61;
        $this->refundAtTillgate('5.00');
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertStringContainsString('not recorded separately', World::$orders[7]->notes[0]);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->notes);
    }

    private function refund(string $amount, string $reason = '')
    {
        return wc_create_refund(['order_id' => 7, 'amount' => $amount, 'refund_payment' => true, 'reason' => $reason]);
    }

    /** @return string[] */
    private function recordRefundIds(): array
    {
        return array_map(static function (\WC_Order_Refund $record): string {
            return (string) $record->get_meta(Orders::REFUND_META);
        }, World::$orders[7]->refunds);
    }

    private function refundAtTillgate(string $amount): void
    {
        $this->services->settings->client()->createRefund([
            'transaction_id' => World::$orders[7]->transaction,
            'amount' => $amount,
            'idempotency_key' => uniqid('', true),
        ]);
    }

    private function receive(string $event, string $refundId): void
    {
        World::receive($this->services, $event, World::$tillgate->refunds[$refundId] + ['order_id' => $this->tillgateOrderId]);
    }
}
