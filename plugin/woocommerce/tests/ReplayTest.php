<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Http\WebhookRoute;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Orders;

/** Replays events to a shop whose orders were restored from a backup. */
final class ReplayTest extends TestCase
{
    private const REPLAY = '0d5f2a4e-6f3f-4d8f-9a57-4f0c8f0b1c11';

    private Services $services;
    private Attempt $attempt;

    /** @var string[] all events in chronological order */
    private array $bodies = [];

    protected function setUp(): void
    {
        $this->services = World::resetWithRefunds();
        $this->attempt = (new StartPayment($this->services))->run(7);
    }

    public function testRestoresPaymentRefundsAndNotesWithoutMovingMoney(): void
    {
        $this->pay();
        $this->refundAtTillgate('10.00');
        $this->refundAtTillgate('31.50');
        World::$tillgate->orders[$this->attempt->tillgateOrderId]['status'] = 'REFUNDED';
        $this->deliver('pos.order.refunded', $this->order());
        $before = $this->orderState();
        self::assertSame('refunded', $before['status']);
        self::assertSame(['10.00', '31.50'], array_column($before['refunds'], 0));
        $calls = $this->countMoneyRequests();
        $this->restoreBackup();
        self::assertNotEquals($before, $this->orderState());
        $this->replay();
        self::assertEquals($before, $this->orderState());
        $this->replay();
        self::assertEquals($before, $this->orderState());
        self::assertSame($calls, $this->countMoneyRequests());
        self::assertSame('refunded', $this->services->attempts->byId($this->attempt->id)->state);
    }

    /** @dataProvider unsignedReplays */
    public function testIgnoresAReplayHeaderWithoutAValidSignature(array $headers): void
    {
        $this->pay();
        $this->restoreBackup();
        $before = $this->orderState();
        self::assertSame('repeated', $this->send($this->bodies[0], false, $headers));
        self::assertEquals($before, $this->orderState());
    }

    public function unsignedReplays(): array
    {
        return [
            [['x-tillgate-replay' => self::REPLAY]],
            [['x-tillgate-replay' => self::REPLAY, 'x-tillgate-replay-signature' => self::sign('evt_2.1795305600.replay.' . self::REPLAY)]],
        ];
    }

    /** @dataProvider ends */
    public function testRestoresExpiredAndCancelledPayments(string $status): void
    {
        World::$tillgate->orders[$this->attempt->tillgateOrderId]['status'] = strtoupper($status);
        $this->deliver("pos.order.$status", $this->order());
        $before = $this->orderState();
        $this->restoreBackup();
        $this->replay();
        self::assertEquals($before, $this->orderState());
    }

    /** @return array<string, array{string}> */
    public static function ends(): array
    {
        return ['expired' => ['expired'], 'cancelled' => ['cancelled']];
    }

    public function testRestoresAShopRefundWithoutRefundingAgain(): void
    {
        $this->pay();
        wc_create_refund(['order_id' => 7, 'amount' => '10.00', 'refund_payment' => true, 'reason' => '']);
        $this->deliver('refund.completed', $this->refund('RF-20261121-000001'));
        $this->restoreBackup();
        $this->replay();
        self::assertSame([['10.00', 'RF-20261121-000001']], $this->orderState()['refunds']);
        self::assertCount(1, World::$tillgate->refunds);
        self::assertSame(1000, $this->services->refunds->sumCompleted(7));
    }

    public function testChangesNothingIfNothingWasLost(): void
    {
        $this->pay();
        $this->refundAtTillgate('10.00');
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true, 'reason' => '']);
        $this->deliver('refund.completed', $this->refund('RF-20261121-000002'));
        foreach (['processing', 'completed', 'on-hold'] as $status) {
            World::$orders[7]->status = $status;
            $before = $this->orderState();
            $this->replay();
            self::assertEquals($before, $this->orderState());
        }
    }

    public function testFlagsAnUnneededPaymentWithoutRefundingIt(): void
    {
        $this->pay();
        $this->restoreBackup();
        World::$orders[7]->status = 'completed';
        World::$orders[7]->transaction = 'cash';
        $this->replay();
        self::assertSame('cash', World::$orders[7]->transaction);
        self::assertStringContainsString('from a resent event', $this->services->health->read('last_error')['text']);
        unset(World::$orders[7]);
        $this->replay();
        self::assertSame([], World::$tillgate->refunds);
        self::assertStringContainsString('The order’s status is “Deleted”', $this->services->health->read('last_error')['text']);
    }

    public function testIgnoresARepeatedEventOutsideAReplay(): void
    {
        $this->pay();
        $this->restoreBackup();
        self::assertSame('repeated', $this->send($this->bodies[0], false));
        self::assertSame('pending', World::$orders[7]->status);
    }

    private function pay(): void
    {
        World::$tillgate->pay($this->attempt->tillgateOrderId);
        $this->deliver('pos.order.paid', $this->order());
    }

    private function refundAtTillgate(string $amount): void
    {
        $created = $this->services->settings->client()->createRefund([
            'transaction_id' => World::$tillgate->orders[$this->attempt->tillgateOrderId]['trx_id'],
            'amount' => $amount,
            'idempotency_key' => uniqid('', true),
        ]);
        $this->deliver('refund.completed', $this->refund($created['refund_id']));
    }

    private function order(): array
    {
        $order = World::$tillgate->orders[$this->attempt->tillgateOrderId];
        return ['amount' => $order['raw_amount'], 'refunded_amount' => 0, 'version' => 2] + $order;
    }

    private function refund(string $refundId): array
    {
        return World::$tillgate->refunds[$refundId] + ['order_id' => $this->attempt->tillgateOrderId];
    }

    private function deliver(string $event, array $data): void
    {
        $this->bodies[] = $body = (string) json_encode([
            'id' => 'evt_' . bin2hex(random_bytes(12)),
            'event' => $event,
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => $data,
        ]);
        $this->send($body, false);
    }

    private function replay(): void
    {
        foreach ($this->bodies as $body) {
            $this->send($body, true);
        }
    }

    /** @return string the outcome */
    private function send(string $body, bool $isReplay, array $headers = []): string
    {
        $time = (string) time();
        $headers += $isReplay
            ? ['x-tillgate-replay' => self::REPLAY, 'x-tillgate-replay-signature' => self::sign("evt_1.$time.replay." . self::REPLAY)]
            : [];
        $response = (new WebhookRoute($this->services))->receive(new \WP_REST_Request($headers + [
            'webhook-id' => 'evt_1',
            'webhook-timestamp' => $time,
            'webhook-signature' => self::sign("evt_1.$time.$body"),
        ], $body));
        self::assertSame(200, $response->status, (string) json_encode($response->data));
        return $response->data['outcome'];
    }

    private static function sign(string $text): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', $text, World::SECRET, true));
    }

    /** Restores the order as it was before the payment. */
    private function restoreBackup(): void
    {
        World::$orders[7]->status = 'pending';
        World::$orders[7]->transaction = '';
        World::$orders[7]->notes = [];
        World::$orders[7]->refunds = [];
    }

    private function orderState(): array
    {
        $order = World::$orders[7];
        return [
            'status' => $order->status,
            'transaction' => $order->transaction,
            'notes' => $order->notes,
            'refunds' => array_map(static function (\WC_Order_Refund $record): array {
                return [$record->amount, (string) $record->get_meta(Orders::REFUND_META)];
            }, $order->refunds),
        ];
    }

    private function countMoneyRequests(): int
    {
        return count(World::$tillgate->requestBodies('POST /refunds')) + World::$tillgate->orderCount();
    }
}
