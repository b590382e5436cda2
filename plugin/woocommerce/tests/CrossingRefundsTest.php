<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Payments\RefundKey;
use Tillgate\WooCommerce\Payments\RequestRefund;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\ShopRefunds;

/** Concurrent refunds in the shop and in Tillgate: each is made once and has one record. */
final class CrossingRefundsTest extends TestCase
{
    private Services $services;
    private string $tillgateOrderId;

    protected function setUp(): void
    {
        $this->createPaidOrder();
    }

    /** Creates a shop with a paid order; the given Tillgate may know orders of an earlier shop. */
    private function createPaidOrder(?FakeTillgate $tillgate = null): void
    {
        $this->services = World::resetWithRefunds();
        World::$tillgate = $tillgate ?? World::$tillgate;
        $this->services->refundedOrders->addHooks();
        $this->tillgateOrderId = World::payOrder($this->services);
    }

    /** @return array<string, array{bool}> */
    public static function storages(): array
    {
        return ['orders in custom tables' => [false], 'orders as posts' => [true]];
    }

    /** @dataProvider storages */
    public function testDoesNotMatchAConcurrentTillgateRefundWithTheShopsRecord(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->beforeGatewayCall(function (): void {
            $this->refundAtTillgate('3.00');
            $this->receive('refund.completed', 'RF-20261121-000001');
        });
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        $this->receive('refund.completed', 'RF-20261121-000002');
        (new ScheduledCheck($this->services))->run();
        $this->assertOneRecordPerRefund(['RF-20261121-000001', 'RF-20261121-000002']);
    }

    /** @dataProvider storages */
    public function testSendsConcurrentShopRefundsOfTheSameAmountAsTwoRefunds(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->beforeGatewayCall(function (): void {
            self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        });
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertSame([5.0, 5.0], array_column(World::$tillgate->refunds, 'raw_amount'));
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->receive('refund.completed', 'RF-20261121-000002');
        $this->assertOneRecordPerRefund(['RF-20261121-000001', 'RF-20261121-000002']);
    }

    /** @dataProvider storages */
    public function testRejectsTheSecondOfTwoConcurrentRefundsThatExceedThePayment(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->beforeGatewayCall(function (): void {
            self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('30.00'));
        });
        World::$orders[7]->total = '83.00';
        self::assertSame('Tillgate: Refund exceeds original amount', $this->refund('30.00')->get_error_message());
        self::assertCount(1, World::$tillgate->refunds);
        $this->assertOneRecordPerRefund(['RF-20261121-000001']);
    }

    /** @dataProvider storages */
    public function testSetsTheOrderToRefundedIfTwoConcurrentRefundsCompleteItsTotal(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->beforeGatewayCall(function (): void {
            self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('20.00'));
        });
        $this->refund('21.50');
        self::assertSame('refunded', World::$orders[7]->status);
        $this->assertOneRecordPerRefund(['RF-20261121-000001', 'RF-20261121-000002']);
    }

    /** With posts, WordPress saves the fields of a record one by one. */
    public function testReloadsARefundRecordThatWasStillBeingSaved(): void
    {
        World::$orders[7]->refunds = [new \WC_Order_Refund(9500, '41.50')];
        $early = new \WC_Order_Refund(9500, '');
        foreach ([$early, World::$orders[7]->refunds[0]] as $record) {
            $record->update_meta_data(Orders::REFUND_META, 'RF-20261121-000001');
            $record->save_meta_data();
        }
        $order = new class (7) extends \WC_Order {
            /** @var \WC_Order_Refund[] */
            public $cached = [];

            public function get_refunds()
            {
                return $this->cached;
            }
        };
        $order->cached = [$early];
        self::assertSame(4150, (new ShopRefunds($order))->sum($this->services->money));
        World::$orders[7]->refunds = [$early];
        self::assertTrue((new ShopRefunds($order))->hasUnfinished());
    }

    public function testDoesNotSetTheOrderToRefundedForARecordThatWooCommerceDeletes(): void
    {
        $this->refund('21.50');
        World::$gateway = function (int $orderId) {
            World::$orders[$orderId]->refunds[0]->isPaidBack = true;
            $this->services->refundedOrders->updateStatus(World::$orders[$orderId]);
            return new \WP_Error('refused', 'No money moved.');
        };
        $this->refund('20.00');
        self::assertSame('processing', World::$orders[7]->status);
    }

    /**
     * The amounts add up to 41.50, but to slightly more as floats.
     *
     * @dataProvider lastRefunds
     */
    public function testCreatesNoRemainderRefundForAFullyRefundedOrder(bool $lastIsTheShops): void
    {
        add_action('woocommerce_order_status_refunded', 'wc_order_fully_refunded');
        $ids = [];
        foreach (['6.57', '9.56', '9.56', '15.81'] as $number => $amount) {
            $ids[] = sprintf('RF-20261121-%06d', $number + 1);
            if ($number < 3 || $lastIsTheShops) {
                self::assertInstanceOf(\WC_Order_Refund::class, $this->refund($amount));
            } else {
                $this->refundAtTillgate($amount);
                $this->receive('refund.completed', $ids[$number]);
            }
        }
        self::assertSame('refunded', World::$orders[7]->status);
        $this->assertOneRecordPerRefund($ids);
    }

    /** @return array<string, array{bool}> */
    public static function lastRefunds(): array
    {
        return ['the last refund is made in the shop' => [true], 'the last refund is made in Tillgate' => [false]];
    }

    public function testDoesNotLinkRefundRecordsCreatedByOtherPlugins(): void
    {
        World::order(8)->method = 'bacs';
        add_action('woocommerce_create_refund', static function ($record, $arguments): void {
            if ($arguments['order_id'] === 7) {
                wc_create_refund(['order_id' => 8, 'amount' => '1.00']);
            }
        });
        $this->refundAtTillgate('3.00');
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->assertOneRecordPerRefund(['RF-20261121-000001']);
        self::assertArrayNotHasKey(Orders::REFUND_META, World::$orders[8]->refunds[0]->meta);
    }

    public function testLetsWooCommerceRecordTheRemainderOnceWhenTheMerchantSetsTheOrderToRefunded(): void
    {
        add_action('woocommerce_order_status_refunded', 'wc_order_fully_refunded');
        $this->refund('1.50');
        World::$orders[7]->update_status('refunded');
        World::$orders[7]->update_status('processing');
        World::$orders[7]->update_status('refunded');
        self::assertSame(['1.50', '40'], array_column(World::$orders[7]->refunds, 'amount'));
    }

    public function testRetriesARefundWithoutRefundingTwice(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        self::assertStringContainsString('Don’t refund again', $this->refund('5.00')->get_error_message());
        $this->refundAtTillgate('3.00');
        $this->receive('refund.completed', 'RF-20261121-000002');
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertSame([5.0, 3.0], array_column(World::$tillgate->refunds, 'raw_amount'));
        $this->assertOneRecordPerRefund(['RF-20261121-000001', 'RF-20261121-000002']);
    }

    public function testLinksTheRecordOfAnInterruptedRequestAndReportsItOnRetry(): void
    {
        $record = new \WC_Order_Refund(9500, '5.00');
        World::$orders[7]->refunds[] = $record;
        $row = $this->services->refunds->createRequest(7, 'a key', '7 a reference', World::$orders[7]->transaction, 500, 'EUR', '');
        $record->update_meta_data(Orders::REFERENCE_META, $row->reference);
        $record->save_meta_data();
        $result = $this->refund('5.00');
        self::assertStringContainsString('was already requested', $result->get_error_message());
        self::assertCount(1, World::$tillgate->refunds);
        self::assertSame([9500], array_map(static function (\WC_Order_Refund $record): int {
            return $record->get_id();
        }, World::$orders[7]->refunds));
        $this->assertOneRecordPerRefund(['RF-20261121-000001']);
    }

    public function testDefersARefundEventWhileAnUnfinishedRecordLeavesTooLittleToRefund(): void
    {
        $this->beforeGatewayCall(function (): void {
            $this->refundAtTillgate('30.00');
            try {
                $this->receive('refund.completed', 'RF-20261121-000001');
                self::fail('The refund was recorded as exceeding the order.');
            } catch (PluginError $error) {
                self::assertTrue($error->is(PluginError::BUSY));
            }
        });
        self::assertSame('Tillgate: Refund exceeds original amount', $this->refund('30.00')->get_error_message());
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->assertOneRecordPerRefund(['RF-20261121-000001']);
    }

    public function testRecreatesTheRefundRecordThatWooCommerceDeleted(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            self::assertTrue((new RequestRefund($this->services))->run($orderId, $amount, $reason));
            return new \WP_Error('another', 'Another plugin fails after the money moved.');
        };
        $this->refund('5.00');
        self::assertSame([], World::$orders[7]->refunds);
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->assertOneRecordPerRefund(['RF-20261121-000001']);
    }

    public function testDoesNotUseShopTotalsInIdempotencyKeys(): void
    {
        World::$orders[7]->refunds[] = new \WC_Order_Refund(9500, '0.1');
        World::$orders[7]->refunds[] = new \WC_Order_Refund(9501, '0.2');
        $this->refund('5.00');
        $keys = array_column(World::$tillgate->requestBodies('POST /refunds'), 'idempotency_key');
        $trxId = World::$orders[7]->transaction;
        self::assertSame([RefundKey::generate('https://shop.example', 7, $trxId, 0, 500, 0)], $keys);
    }

    public function testUsesNewIdempotencyKeysInARebuiltShop(): void
    {
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        $earlier = World::$orders[7]->transaction;
        $this->createPaidOrder(World::$tillgate);
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        $refunded = array_column(World::$tillgate->refunds, 'transaction_id');
        self::assertSame([$earlier, World::$orders[7]->transaction], $refunded);
        self::assertNotSame($earlier, World::$orders[7]->transaction);
        self::assertCount(2, array_unique(array_column(World::$tillgate->requestBodies('POST /refunds'), 'idempotency_key')));
    }

    public function testRetriesARefundWithTheStoredIdempotencyKey(): void
    {
        // A row of a plugin version whose keys did not include the transaction.
        $key = hash('sha256', implode("\n", ['https://shop.example', 7, 0, 500]));
        $trxId = World::$orders[7]->transaction;
        $row = $this->services->refunds->createRequest(7, $key, RefundKey::reference('7', $key), $trxId, 500, 'EUR', '');
        $this->services->settings->client()->createRefund(RequestRefund::buildRequest($row, $this->services->money));
        $this->services->refunds->markUnknown($row->id, 60);
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertSame([$key, $key], array_column(World::$tillgate->requestBodies('POST /refunds'), 'idempotency_key'));
        self::assertCount(1, World::$tillgate->refunds);
    }

    /** @param string[] $refundIds */
    private function assertOneRecordPerRefund(array $refundIds): void
    {
        $named = [];
        $sum = 0;
        foreach (World::$orders[7]->refunds as $record) {
            self::assertCount(1, $record->meta[Orders::REFUND_META] ?? [], 'The refund ID was written more than once.');
            $named[] = $record->meta[Orders::REFUND_META][0];
            $sum += $this->services->money->sum([$record->get_amount()], 'EUR');
        }
        sort($named);
        self::assertSame($refundIds, $named);
        $moved = array_filter(World::$tillgate->refunds, static function (array $refund): bool {
            return $refund['status'] === 'completed';
        });
        self::assertSame((int) round(100 * array_sum(array_column($moved, 'raw_amount'))), $sum);
    }

    private function useGateway(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            return (new RequestRefund($this->services))->run($orderId, $amount, $reason);
        };
    }

    /** Runs the callback after the shop has saved its record, before the gateway is called. */
    private function beforeGatewayCall(callable $happens): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) use ($happens) {
            $this->useGateway();
            // Another request has its own service container.
            $pending = $this->services->pendingRefundRecords->take($orderId);
            $happens();
            $this->services->pendingRefundRecords->add($orderId, $pending);
            return (World::$gateway)($orderId, $amount, $reason);
        };
    }

    private function refund(string $amount)
    {
        return wc_create_refund(['order_id' => 7, 'amount' => $amount, 'refund_payment' => true]);
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
