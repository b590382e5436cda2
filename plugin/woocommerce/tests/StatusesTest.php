<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\NoteText;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\OrderChanges;
use Tillgate\WooCommerce\Shop\PaidStatus;

/** Custom order statuses, and the configured status after payment. */
final class StatusesTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::order(7)->status = 'quoted';
    }

    /** @dataProvider plugins */
    public function testMarksOrdersInPayableCustomStatusesAsPaid(bool $isCompletable): void
    {
        $this->allow('woocommerce_valid_order_statuses_for_payment', 'quoted');
        if ($isCompletable) {
            $this->allow('woocommerce_valid_order_statuses_for_payment_complete', 'quoted');
        }
        $attempt = $this->start();
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
        $trxId = $this->pay($attempt);
        self::assertSame(['processing', $trxId], [World::$orders[7]->status, World::$orders[7]->transaction]);
    }

    public function plugins(): array
    {
        return ['payment_complete() supports the status' => [true], 'payment_complete() does not support the status' => [false]];
    }

    public function testStartsNoPaymentForAnOrderThatNeedsNone(): void
    {
        $this->expectException(PluginError::class);
        $this->start();
    }

    public function testMarksAnOnHoldOrderAsPaidIfPayable(): void
    {
        World::$orders[7]->status = 'on-hold';
        $this->allow('woocommerce_valid_order_statuses_for_payment', 'on-hold');
        $this->pay($this->start());
        self::assertSame('processing', World::$orders[7]->status);
    }

    public function testCancelsTheOpenPaymentOfAnOrderPaidAnotherWay(): void
    {
        World::$orders[7]->status = 'pending';
        $attempt = $this->start();
        $this->allow('woocommerce_order_is_paid_statuses', 'shipped');
        World::$orders[7]->status = 'shipped';
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    /** @dataProvider choices */
    public function testSetsTheConfiguredStatusAfterPaymentUnlessThatStatusIsUnpaidOrRemoved(bool $isVirtual, string $setting, string $chosen, string $status): void
    {
        (new PaidStatus($this->services))->addHooks();
        World::$orders[7]->status = 'pending';
        World::$orders[7]->isVirtual = $isVirtual;
        World::$options['woocommerce_tillgate_settings'][$setting] = $chosen;
        $this->pay($this->start());
        self::assertSame($status, World::$orders[7]->status);
    }

    public function choices(): array
    {
        return [
            'default' => [false, 'paid_status', '', 'processing'],
            'a status of another plugin' => [false, 'paid_status', 'packed', 'packed'],
            'virtual goods, with a status set only for physical goods' => [true, 'paid_status', 'packed', 'completed'],
            'virtual goods' => [true, 'paid_status_virtual', 'processing', 'processing'],
            'an unpaid status' => [false, 'paid_status', 'on-hold', 'processing'],
            'a removed status' => [false, 'paid_status', 'gone', 'processing'],
        ];
    }

    /** The order's transaction ID shows that it was paid, regardless of its status. */
    public function testRecordsRefundsOfOrdersInCustomStatuses(): void
    {
        World::$orders[7]->status = 'pending';
        $attempt = $this->start();
        $trxId = $this->pay($attempt);
        World::$orders[7]->status = 'packed';
        $refundId = $this->services->settings->client()->createRefund(['transaction_id' => $trxId, 'amount' => '5.00', 'idempotency_key' => 'one'])['refund_id'];
        World::receive($this->services, 'refund.completed', World::$tillgate->refunds[$refundId] + ['order_id' => $attempt->tillgateOrderId]);
        self::assertSame(['5.00'], array_column(World::$orders[7]->refunds, 'amount'));
    }

    public function testKeepsOrdersFlaggedUntilResolved(): void
    {
        foreach ([7, 8] as $orderId) {
            World::order($orderId)->status = 'pending';
            $attempt = (new StartPayment($this->services))->run($orderId);
            $trxId = World::$tillgate->pay((string) $attempt->tillgateOrderId);
            World::$orders[$orderId]->total = '60.00';
            // The order change may be processed before or after the payment.
            $orderId === 7 ? (new CheckAttempt($this->services))->cancelIfStale($attempt->id) : (new CheckAttempt($this->services))->run($attempt);
            self::assertSame(['on-hold', $trxId], [World::$orders[$orderId]->status, World::$orders[$orderId]->transaction]);
        }
        World::$now += 100000;
        (new ScheduledCheck($this->services))->run();
        self::assertSame([8, 7], array_keys($this->services->health->flaggedOrders()));
        World::$orders[7]->status = 'completed';
        $changes = new OrderChanges($this->services);
        $changes->trackOrderId(7);
        $changes->processChanges();
        self::assertSame([8], array_keys($this->services->health->flaggedOrders()));
        World::$orders[8]->total = '41.50';
        World::$orders[8]->status = 'processing';
        (new ScheduledCheck($this->services))->run();
        self::assertSame([], $this->services->health->flaggedOrders());
    }

    public function testUsesTheShopsStatusNamesInTexts(): void
    {
        foreach (['cancelled' => 'Cancelled', 'packed' => 'Packed', 'trash' => 'Trash', 'deleted' => 'Deleted'] as $status => $name) {
            self::assertSame("is “{$name}”", NoteText::render('is “{status}”', ['status' => $status]));
            $text = $this->services->differenceTexts->text(['kind' => 'unpaid_shop_paid', 'fields' => ['status' => $status]]);
            self::assertStringContainsString("The order’s status in the shop is “{$name}”", $text);
        }
    }

    private function start(): Attempt
    {
        return (new StartPayment($this->services))->run(7);
    }

    private function pay(Attempt $attempt): string
    {
        $trxId = World::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        return $trxId;
    }

    private function allow(string $hook, string $status): void
    {
        add_filter($hook, static function (array $statuses) use ($status): array {
            return array_merge($statuses, [$status]);
        });
    }
}
