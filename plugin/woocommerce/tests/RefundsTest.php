<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Payments\AskRefund;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Payments\Sweep;
use Tillgate\WooCommerce\Problem;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\RefundRecords;

final class RefundsTest extends TestCase
{
    /** @var Services */
    private $services;

    /** @var string */
    private $tillgateOrderId;

    protected function setUp(): void
    {
        $this->services = World::begin();
        (new RefundRecords($this->services))->addHooks();
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            return (new AskRefund($this->services))->of($orderId, $amount, $reason);
        };
        World::order(7);
        $attempt = (new StartPayment($this->services))->of(7);
        $this->tillgateOrderId = $attempt->tillgateOrderId;
        World::$tillgate->pay($this->tillgateOrderId);
        (new CheckAttempt($this->services))->of($attempt);
        World::$orders[7]->notes = [];
    }

    /** @return array<string, array{bool}> */
    public static function storages(): array
    {
        return ['in tables of their own' => [false], 'as posts' => [true]];
    }

    /** @dataProvider storages */
    public function testARefundOfTheShopMovesTheMoneyOnceAndItsEventMakesNoSecondRecord(bool $ordersArePosts): void
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
    public function testEqualPartialRefundsAreDifferentWishes(bool $ordersArePosts): void
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

    public function testATimeoutIsRepeatedOnceWithTheSameKey(): void
    {
        World::$tillgate->failures = ['after'];
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertCount(1, World::$tillgate->refunds);
    }

    public function testAnUnknownOutcomeIsSettledByTheSweepAndNeverTwice(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        $answer = $this->refund('5.00');
        self::assertStringContainsString('do not refund again', $answer->get_error_message());
        self::assertSame([], World::$orders[7]->refunds, 'The shop shows money that may not have moved.');
        World::$now += 120;
        (new Sweep($this->services))->run();
        self::assertCount(1, World::$tillgate->refunds);
        self::assertCount(1, World::$orders[7]->refunds);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testAnOwnerWhoRefundsAgainAnywayMovesNoMoneyTwice(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        $this->refund('5.00');
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertCount(1, World::$tillgate->refunds);
        World::$now += 120;
        (new Sweep($this->services))->run();
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testAnEventThatComesWhileTheRefundIsBeingMadeWaits(): void
    {
        World::$gateway = function (int $orderId, string $amount, string $reason) {
            World::$tillgate->failures = ['after', 'after'];
            $answer = (new AskRefund($this->services))->of($orderId, $amount, $reason);
            try {
                $this->receive('refund.completed', 'RF-20261121-000001');
                self::fail('It linked a record that WooCommerce is about to delete.');
            } catch (Problem $problem) {
                self::assertTrue($problem->is(Problem::BUSY));
            }
            return $answer;
        };
        $this->refund('5.00');
        self::assertSame([], World::$orders[7]->refunds);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testARefundThatWaitsForApprovalIsShownOnlyOnceItIsApproved(): void
    {
        World::$tillgate->refundStatus = 'pending';
        $answer = $this->refund('5.00');
        self::assertStringContainsString('RF-20261121-000001', $answer->get_error_message());
        self::assertSame([], World::$orders[7]->refunds);
        World::$tillgate->refunds['RF-20261121-000001']['status'] = 'completed';
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
    }

    public function testARefundThatWasTurnedDownCanBeAskedForAgain(): void
    {
        World::$tillgate->refundStatus = 'pending';
        $this->refund('5.00');
        World::$tillgate->refunds['RF-20261121-000001']['status'] = 'failed';
        $this->receive('refund.failed', 'RF-20261121-000001');
        World::$tillgate->refundStatus = 'completed';
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
        self::assertArrayHasKey('RF-20261121-000002', World::$tillgate->refunds);
    }

    public function testARefusalIsShownAndLeavesNoTrace(): void
    {
        World::$tillgate->refundStatus = 'completed';
        World::$tillgate->orders[$this->tillgateOrderId]['raw_amount'] = 1.0;
        self::assertSame('Tillgate: Refund exceeds original amount', $this->refund('5.00')->get_error_message());
        World::$tillgate->orders[$this->tillgateOrderId]['raw_amount'] = 41.5;
        self::assertInstanceOf(\WC_Order_Refund::class, $this->refund('5.00'));
    }

    public function testARefundMadeAtTillgateAppearsInTheShopWithoutAskingTheGateway(): void
    {
        World::$gateway = static function (): void {
            self::fail('The gateway was asked for the money once more.');
        };
        $this->refundAtTillgate('41.50');
        $this->receive('refund.completed', 'RF-20261121-000001');
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertSame('refunded', World::$orders[7]->status);
    }

    /** @dataProvider storages */
    public function testARequestThatDiesWhileItRecordsARefundLeavesNoneWithoutAName(bool $ordersArePosts): void
    {
        World::$ordersArePosts = $ordersArePosts;
        $this->refundAtTillgate('5.00');
        $die = static function (): void {
            throw new \RuntimeException('The process is killed.');
        };
        add_action('woocommerce_create_refund', $die);
        try {
            $this->receive('refund.completed', 'RF-20261121-000001');
            self::fail('It lived on.');
        } catch (\RuntimeException $killed) {
            self::assertSame('The process is killed.', $killed->getMessage());
        }
        remove_action('woocommerce_create_refund', $die);
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertSame('RF-20261121-000001', World::$orders[7]->refunds[0]->get_meta(Orders::REFUND_META));
    }

    public function testARefundWithoutRoomInTheShopIsNotedAndNotRepeatedForEver(): void
    {
        World::$orders[7]->refunds[] = new \WC_Order_Refund(1, '41.50');
        $this->refundAtTillgate('5.00');
        $this->receive('refund.completed', 'RF-20261121-000001');
        self::assertCount(1, World::$orders[7]->refunds);
        self::assertStringContainsString('no room', World::$orders[7]->notes[0]);
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
        (new ReceiveWebhook($this->services))->of((string) json_encode([
            'id' => 'evt_' . bin2hex(random_bytes(12)),
            'event' => $event,
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => World::$tillgate->refunds[$refundId] + ['order_id' => $this->tillgateOrderId],
        ]));
    }
}
