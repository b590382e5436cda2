<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\OrderBox;
use Tillgate\WooCommerce\Admin\OrderNotice;
use Tillgate\WooCommerce\Admin\PaymentActions;
use Tillgate\WooCommerce\Admin\RefundList;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Accounts;
use Tillgate\WooCommerce\Shop\CustomerPages;
use Tillgate\WooCommerce\Shop\Receipt;

/** The order screen, and the customer's receipt. */
final class OrderScreenTest extends TestCase
{
    private Services $services;
    private PaymentActions $actions;

    protected function setUp(): void
    {
        $this->services = World::resetWithRefunds();
        $this->actions = new PaymentActions($this->services);
    }

    public function testOffersOnlyAvailableActions(): void
    {
        self::assertSame(['send', 'renew'], $this->availableActions(), 'Unpaid order without a payment.');
        $this->start();
        self::assertSame(['check', 'send', 'renew', 'cancel'], $this->availableActions());
        World::$orders[7]->email = '';
        self::assertSame(['check', 'renew', 'cancel'], $this->availableActions(), 'No billing e-mail.');
        World::$orders[7]->method = 'bacs';
        self::assertSame([], $this->availableActions(), 'Paid with another method.');
        World::$orders[7]->method = 'tillgate';
        $this->pay();
        self::assertSame([], $this->availableActions());
        World::order(8)->method = '';
        World::$options['woocommerce_tillgate_settings']['client_id'] = '';
        self::assertSame([], $this->availableActions(8), 'The setup is incomplete.');
    }

    public function testRedirectsFromThePaymentPageOfAPaidOrder(): void
    {
        $pages = new CustomerPages($this->services);
        self::assertNull($pages->paidOrderUrl(World::$orders[7]), 'No payment was started.');
        $this->start();
        self::assertNull($pages->paidOrderUrl(World::$orders[7]), 'Redirected although it can still be paid.');
        $this->pay();
        $received = 'https://shop.example/checkout/order-received/7';
        self::assertSame($received, $pages->paidOrderUrl(World::$orders[7]));
        World::$cart = $this->cart('cart of 7');
        self::assertSame($received, $pages->paidOrderUrl(World::$orders[7]), 'The cart of this order has to be emptied.');
        World::$cart = $this->cart('another cart');
        self::assertSame('https://shop.example/my-account/view-order/7', $pages->paidOrderUrl(World::$orders[7]));
        World::$user = 0;
        self::assertNull($pages->paidOrderUrl(World::$orders[7]), 'A guest’s cart of another order was emptied.');
        World::$orders[7]->status = 'refunded';
        World::$cart = null;
        self::assertSame($received, $pages->paidOrderUrl(World::$orders[7]));
        World::$orders[7]->status = 'failed';
        self::assertNull($pages->paidOrderUrl(World::$orders[7]), 'The order needs payment again.');
    }

    private function cart(string $hash): object
    {
        return new class ($hash) {
            /** @var string */
            private $hash;

            public function __construct(string $hash)
            {
                $this->hash = $hash;
            }

            public function is_empty(): bool
            {
                return false;
            }

            public function get_cart_hash(): string
            {
                return $this->hash;
            }
        };
    }

    public function testAddsTheActionsToWooCommercesOrderActions(): void
    {
        $this->start();
        $listed = $this->actions->addOrderActions(['send_order_details' => 'x'], World::$orders[7]);
        self::assertSame(['send_order_details', 'tillgate_check', 'tillgate_send', 'tillgate_renew', 'tillgate_cancel'], array_keys($listed));
        $this->actions->addHooks();
        do_action('woocommerce_order_action_tillgate_cancel', World::$orders[7]);
        self::assertSame(OrderNotice::CANCELLED, get_transient('tillgate_answer_7'));
    }

    public function testCancelsThePaymentWithoutChangingTheOrdersStatus(): void
    {
        $attempt = $this->start();
        self::assertSame(OrderNotice::CANCELLED, $this->perform('cancel'));
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
        self::assertSame(PaymentStatus::EXPIRED, (new PaymentStatus($this->services))->refresh(7), 'Not shown as payable again.');
        self::assertStringStartsWith('The shop cancelled', PaymentStatus::expiredMessage($this->services->attempts->byId($attempt->id)));
        self::assertStringStartsWith('This payment has expired', PaymentStatus::expiredMessage($attempt));
        self::assertSame('pending', World::$orders[7]->status);
        self::assertStringContainsString('was cancelled because it was cancelled in the shop', implode(World::$orders[7]->notes));
        World::receive($this->services, 'pos.order.cancelled', $this->remote($attempt->tillgateOrderId));
        self::assertSame('pending', World::$orders[7]->status, 'The webhook cancelled the order.');
        self::assertCount(1, World::$orders[7]->notes);
    }

    public function testAppliesThePaymentIfTheCancellationIsTooLate(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        self::assertSame(OrderNotice::TOO_LATE, $this->perform('cancel'));
        self::assertSame('processing', World::$orders[7]->status);
    }

    public function testReplacesThePaymentWhenANewLinkIsCreated(): void
    {
        $first = $this->start();
        self::assertSame(OrderNotice::LINK_CREATED, $this->perform('renew'));
        $second = $this->services->attempts->current(7);
        self::assertNotSame($first->tillgateOrderId, $second->tillgateOrderId);
        self::assertSame('CANCELLED', World::$tillgate->orders[$first->tillgateOrderId]['status']);
        self::assertSame(['pending', 4150], [$second->state, $second->amountMinor]);
        World::$tillgate->pay($second->tillgateOrderId);
        self::assertSame(OrderNotice::TOO_LATE, $this->perform('renew'), 'A paid order got another link.');
        self::assertSame(2, World::$tillgate->orderCount());
    }

    public function testCreatesAndSendsALinkForAManualOrder(): void
    {
        World::$options['woocommerce_tillgate_settings']['title'] = 'Clover Pay';
        $order = World::order(9);
        [$order->method, $order->methodTitle] = ['', ''];
        self::assertSame(OrderNotice::LINK_CREATED, $this->actions->perform($order, 'renew'));
        self::assertSame(['tillgate', 'Clover Pay'], [$order->method, $order->methodTitle]);
        self::assertSame(OrderNotice::LINK_SENT, $this->actions->perform($order, 'send'));
        self::assertSame(['ada@example.com'], array_column(World::$emails, 'to'));
    }

    public function testReportsAFailedCancellationAndLeavesThePaymentOpen(): void
    {
        $this->start();
        World::$tillgate->failures = ['before', 'before'];
        self::assertSame(OrderNotice::FAILED, $this->perform('cancel'));
        self::assertSame('pending', $this->services->attempts->current(7)->state);
        self::assertSame(OrderNotice::OPEN, $this->perform('check'));
        self::assertSame(OrderNotice::OPEN, $this->perform('no such action'));
    }

    public function testShowsStateLinkAndTestModeInTheMetaBox(): void
    {
        Accounts::save(World::CLIENT, ['merchant_name' => 'Kiln', 'console_url' => 'https://console.example/m/m-1']);
        $attempt = $this->start();
        $html = $this->renderBox();
        self::assertStringContainsString("https://console.example/m/m-1/sandbox/orders/{$attempt->tillgateOrderId}", $html);
        self::assertStringContainsString('waiting for payment', $html);
        self::assertStringContainsString((string) $attempt->paymentUrl, $html);
        self::assertStringContainsString('Test mode', $html);
        self::assertStringContainsString('data-tillgate-action="cancel"', $html);
        $this->pay();
        self::assertStringContainsString('TRX-', $this->renderBox());
        self::assertStringNotContainsString('data-tillgate-action', $this->renderBox());
    }

    public function testListsMatchedAndUnmatchedRefunds(): void
    {
        $this->start();
        $this->pay();
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        World::$tillgate->refundStatus = 'pending';
        wc_create_refund(['order_id' => 7, 'amount' => '3.00', 'refund_payment' => true]);
        wc_create_refund(['order_id' => 7, 'amount' => '1.00']);
        $ofShop = array_column(World::$orders[7]->refunds, 'id');
        self::assertSame([
            ['amount' => '5.00 EUR', 'refund' => 'RF-20261121-000001', 'state' => 'refunded', 'record' => $ofShop[0]],
            ['amount' => '3.00 EUR', 'refund' => 'RF-20261121-000002', 'state' => 'pending approval', 'record' => null],
            ['amount' => '1.00 EUR', 'refund' => null, 'state' => 'not in Tillgate', 'record' => $ofShop[1]],
        ], (new RefundList($this->services))->lines(World::$orders[7]));
        self::assertStringContainsString('not recorded in the shop', $this->renderBox());
    }

    public function testShowsPaymentAndRefundsToTheCustomer(): void
    {
        $receipt = new Receipt($this->services);
        World::$orders[7]->methodTitle = 'Clover Pay';
        self::assertSame([], $receipt->lines(World::$orders[7]), 'No payment was started.');
        $this->start();
        self::assertSame(['Clover Pay', 'waiting for your payment'], $receipt->lines(World::$orders[7])[0]);
        self::assertSame('', $this->renderEmail($receipt), 'The e-mail contains an unpaid payment.');
        $this->pay();
        wc_create_refund(['order_id' => 7, 'amount' => '5.00', 'refund_payment' => true]);
        $amount = "41.50\u{a0}EUR";
        self::assertSame([
            ['Clover Pay', 'paid'],
            ['Amount', $amount],
            ['Paid on', '24 November 2026'],
            ['Transaction', World::$orders[7]->transaction],
            ['Refunded', "5.00\u{a0}EUR (RF-20261121-000001)"],
            ['Note', 'Test mode: no real money is involved.'],
        ], $receipt->lines(World::$orders[7]));
        self::assertStringContainsString("Amount: $amount\n", $this->renderEmail($receipt, true));
        self::assertStringContainsString("Amount: <strong>$amount</strong>", $this->renderEmail($receipt));
        World::$orders[7]->method = 'bacs';
        self::assertSame([], $receipt->lines(World::$orders[7]));
    }

    private function renderEmail(Receipt $receipt, bool $isPlain = false): string
    {
        ob_start();
        $receipt->showInEmail(World::$orders[7], false, $isPlain);
        return (string) ob_get_clean();
    }

    private function renderBox(): string
    {
        ob_start();
        (new OrderBox($this->services))->show(World::$orders[7]);
        return (string) ob_get_clean();
    }

    /** @return string[] */
    private function availableActions(int $orderId = 7): array
    {
        return array_keys($this->actions->available(World::$orders[$orderId]));
    }

    private function perform(string $name): string
    {
        return $this->actions->perform(World::$orders[7], $name);
    }

    private function start(): \Tillgate\WooCommerce\Records\Attempt
    {
        return (new StartPayment($this->services))->run(7);
    }

    private function pay(): void
    {
        $attempt = $this->services->attempts->current(7);
        World::$tillgate->pay((string) $attempt->tillgateOrderId);
        (new CheckAttempt($this->services))->run($attempt);
        World::$orders[7]->notes = [];
    }

    private function remote(string $id): array
    {
        $order = World::$tillgate->orders[$id];
        return ['amount' => $order['raw_amount'], 'terminal_id' => null, 'paid_at' => null, 'order_number' => null, 'custom' => null,
            'refunded_amount' => 0, 'version' => 2] + $order;
    }
}
