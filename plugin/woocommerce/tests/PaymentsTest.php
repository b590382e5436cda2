<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Admin\BackgroundFindings;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Availability;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Gateway;
use Tillgate\WooCommerce\Shop\OrderChanges;

final class PaymentsTest extends TestCase
{
    private Services $services;
    private int $events = 0;

    protected function setUp(): void
    {
        $this->services = World::reset();
        World::order(7);
    }

    public function testReusesThePaymentOfAnUnchangedOrderAfterALostResponse(): void
    {
        World::$tillgate->failures = ['after', 'after'];
        try {
            $this->start();
            self::fail('The lost response was not reported.');
        } catch (\Tillgate\WooCommerce\Api\ApiConnectionError $error) {
            self::assertSame('timeout', $error->kind);
        }
        $first = $this->start();
        $second = $this->start();
        self::assertSame($first->tillgateOrderId, $second->tillgateOrderId);
        self::assertSame(1, World::$tillgate->orderCount());
        self::assertSame('pending', World::$orders[7]->status, 'Starting a payment changed the order.');
    }

    public function testSendsDescriptionAndLanguage(): void
    {
        $this->start();
        World::order(8);
        $GLOBALS['tillgate_locale'] = 'C';
        (new StartPayment($this->services))->run(8);
        unset($GLOBALS['tillgate_locale']);
        [$first, $second] = World::$tillgate->requestBodies('POST /orders');
        self::assertSame('2 × Stoneware mug', $first['description']);
        self::assertSame('de-DE', $first['locale']);
        self::assertArrayNotHasKey('locale', $second, 'An invalid language was sent.');
    }

    public function testReplacesThePaymentWhenTheTotalChanges(): void
    {
        $first = $this->start();
        World::$orders[7]->total = '60.00';
        $second = $this->start();
        self::assertSame('CANCELLED', World::$tillgate->orders[$first->tillgateOrderId]['status']);
        self::assertSame(6000, $second->amountMinor);
        self::assertSame('pending', World::$orders[7]->status);
    }

    /** The block checkout sends addresses in a separate request that saves the session's initial payment method. */
    public function testKeepsThePaymentIfALateRequestResetsThePaymentMethod(): void
    {
        World::$tillgate->duringCreate = static function (): void {
            World::$orders[7]->method = 'bacs';
        };
        $attempt = $this->start();
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
        self::assertSame('tillgate', World::$orders[7]->method);
    }

    public function testRejectsTotalsWithTooManyDecimals(): void
    {
        World::order(8, '5000.50', 'XAF');
        try {
            (new StartPayment($this->services))->run(8);
            self::fail('The payment was started.');
        } catch (PluginError $error) {
            self::assertStringContainsString('5000.50', (string) $error->customerMessage());
        }
        self::assertSame([], World::$tillgate->calls);
    }

    public function testStopsOfferingCurrenciesWithoutAWallet(): void
    {
        World::order(8, '10.00', 'USD');
        try {
            (new StartPayment($this->services))->run(8);
            self::fail('The payment was started.');
        } catch (PluginError $error) {
            self::assertStringContainsString('USD', (string) $error->customerMessage());
        }
        self::assertFalse($this->services->settings->hasWallet('USD'));
        self::assertFalse((new Availability($this->services))->supportsCurrency('USD'));
        self::assertNull($this->services->settings->hasWallet('EUR'));
    }

    public function testEmailsTheMerchantOncePerPayment(): void
    {
        World::$options['woocommerce_tillgate_settings']['payment_mail'] = 'books@shop.example';
        $attempt = $this->start();
        $trxId = World::$tillgate->pay($attempt->tillgateOrderId);
        $this->receive($this->event('pos.order.paid', $attempt));
        $this->receive($this->event('pos.order.paid', $attempt));
        self::assertSame(['books@shop.example'], array_column(World::$emails, 'to'));
        self::assertStringContainsString($trxId, World::$emails[0]['text']);
        self::assertStringStartsWith('Test mode: no real money is involved.', World::$emails[0]['text']);
    }

    public function testToleratesAFailingMailer(): void
    {
        World::$options['woocommerce_tillgate_settings']['payment_mail'] = 'books@shop.example';
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        $tries = 0;
        World::$mailer = static function () use (&$tries): void {
            $tries += 1;
            throw new \TypeError('a mail plugin');
        };
        self::assertSame('complete_payment', $this->receive($this->event('pos.order.paid', $attempt)));
        self::assertSame('known', $this->receive($this->event('pos.order.paid', $attempt)));
        self::assertSame([1, 'processing'], [$tries, World::$orders[7]->status]);
    }

    public function testAppliesARepeatedPaidEventOnce(): void
    {
        $attempt = $this->start();
        $trxId = World::$tillgate->pay($attempt->tillgateOrderId);
        $body = $this->event('pos.order.paid', $attempt);
        self::assertSame('complete_payment', $this->receive($body));
        self::assertSame('repeated', $this->receive($body));
        self::assertSame('known', $this->receive($this->event('pos.order.paid', $attempt)));
        self::assertSame([], World::$emails);
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame($trxId, World::$orders[7]->transaction);
        self::assertCount(1, World::$orders[7]->notes);
    }

    public function testFailsTheWebhookIfTheOrderKeepsItsStatus(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        World::$ignoredStatus = 'processing';
        try {
            $this->receive($this->event('pos.order.paid', $attempt));
            self::fail('The event was marked as processed.');
        } catch (PluginError $error) {
            self::assertTrue($error->is(PluginError::NOT_APPLIED));
        }
        self::assertSame('pending', $this->services->attempts->byId($attempt->id)->state);
        World::$ignoredStatus = null;
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame('processing', World::$orders[7]->status);
    }

    public function testFailsAndRestocksAnOrderWhosePaymentExpiredButLetsTheCustomerPayAgain(): void
    {
        $attempt = $this->start();
        World::$orders[7]->status = 'on-hold';
        World::$tillgate->orders[$attempt->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $attempt));
        self::assertSame('failed', World::$orders[7]->status);
        self::assertSame(1, World::$orders[7]->stockReturns);
        $next = $this->start();
        self::assertNotSame($attempt->tillgateOrderId, $next->tillgateOrderId);
        World::$tillgate->pay($next->tillgateOrderId);
        $this->receive($this->event('pos.order.paid', $next));
        self::assertSame('processing', World::$orders[7]->status);
        // A late event of the old payment only adds a note.
        $this->receive($this->event('pos.order.cancelled', $attempt));
        self::assertSame('processing', World::$orders[7]->status);
    }

    public function testAppliesAPaymentWhoseWebhookWasLost(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        (new ScheduledCheck($this->services))->run();
        self::assertSame('pending', World::$orders[7]->status, 'The payment was checked too early.');
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame(1, $this->services->health->read('last_sweep')['checked']);
    }

    public function testContinuesTheScheduledCheckAfterAFailure(): void
    {
        $gone = $this->start();
        World::order(8);
        $other = (new StartPayment($this->services))->run(8);
        World::$tillgate->pay($other->tillgateOrderId);
        unset(World::$tillgate->orders[$gone->tillgateOrderId]);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame('processing', World::$orders[8]->status);
        self::assertSame(1, $this->services->health->read('last_sweep')['failed']);
        self::assertSame(1, $this->services->attempts->byId($gone->id)->failedChecks);
    }

    public function testAbandonsChecksWithANoteUntilTheMerchantResumesThem(): void
    {
        $attempt = $this->start();
        unset(World::$tillgate->orders[$attempt->tillgateOrderId]);
        for ($check = 1; $check <= 60; $check += 1) {
            World::$now += 1800;
            (new ScheduledCheck($this->services))->run();
        }
        self::assertTrue($this->services->attempts->byId($attempt->id)->isAbandoned);
        self::assertCount(1, World::$orders[7]->notes);
        $this->services->attempts->resumeChecks($attempt->id);
        self::assertCount(1, $this->services->attempts->leaseDue(10, 90));
    }

    public function testKeepsThePaymentMethodDuringCartRequests(): void
    {
        $changes = new OrderChanges($this->services);
        $changes->addHooks();
        $order = World::$orders[7];
        // Simulates requests of one batch, which share the OrderChanges object.
        $writes = static function (string $route) use ($changes, $order): string {
            $order->method = 'bacs';
            $changes->detectCartRequest(null, [], new \WP_REST_Request([], '', $route));
            do_action('woocommerce_before_order_object_save', $order);
            return $order->method;
        };
        $cart = '/wc/store/v1/cart/update-customer';
        self::assertSame('bacs', $writes($cart), 'The method of an order without a payment was changed.');
        $attempt = $this->start();
        self::assertSame('tillgate', $writes($cart));
        self::assertSame('Wallet (QR code)', $order->methodTitle);
        $changes->trackOrder($order);
        $changes->processChanges();
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);

        // Another method that the customer chose is kept, even if the payment could not be cancelled yet.
        $order->methodTitle = 'Direct bank transfer';
        self::assertSame('bacs', $writes('/wc/store/v1/checkout'));
        $changes->trackOrder($order);
        World::$tillgate->failures = ['before'];
        $changes->processChanges();
        self::assertSame('bacs', $writes($cart));
    }

    public function testKeepsThePaymentMethodIfThePaymentStartsWhileACartRequestSavesTheOrder(): void
    {
        $changes = new OrderChanges($this->services);
        $changes->addHooks();
        $order = World::$orders[7];
        $changes->detectCartRequest(null, [], new \WP_REST_Request([], '', '/wc/store/v1/cart/update-customer'));
        do_action('woocommerce_before_order_object_save', $order);
        $attempt = $this->start();
        $order->method = 'bacs';
        do_action('woocommerce_after_order_object_save', $order);
        self::assertSame('tillgate', $order->method);
        $changes->processChanges();
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testKeepsAPaymentStartedAtCheckoutWhileACartRequestWritesAnotherMethod(): void
    {
        $changes = new OrderChanges($this->services);
        $changes->addHooks();
        do_action('woocommerce_after_order_object_save', World::$orders[7]);
        (new Gateway())->process_payment(7);
        World::$orders[7]->method = 'bacs';
        $changes->processChanges();
        $attempt = $this->services->attempts->current(7);
        // Another request reads the order before the cart request restores the method.
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
        World::$orders[7]->methodTitle = 'Direct bank transfer';
        $changes->trackOrder(World::$orders[7]);
        $changes->processChanges();
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testKeepsThePaymentMethodIfThePaymentStartsAfterACartRequestSavedTheOrder(): void
    {
        $changes = new OrderChanges($this->services);
        $changes->addHooks();
        $changes->detectCartRequest(null, [], new \WP_REST_Request([], '', '/wc/store/v1/cart/update-customer'));
        do_action('woocommerce_after_order_object_save', World::$orders[7]);
        $attempt = $this->start();
        World::$orders[7]->method = 'bacs';
        $changes->processChanges();
        self::assertSame('tillgate', World::$orders[7]->method);
        self::assertSame('PENDING', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testCancelsAnUnneededPaymentOrAppliesItIfAlreadyPaid(): void
    {
        $attempt = $this->start();
        [World::$orders[7]->method, World::$orders[7]->methodTitle] = ['bacs', 'Direct bank transfer'];
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
        self::assertSame('pending', World::$orders[7]->status);
        $notes = World::$orders[7]->notes;
        self::assertStringContainsString('another payment method was chosen', $notes[0]);
        $this->receive($this->event('pos.order.cancelled', $attempt));
        self::assertSame($notes, World::$orders[7]->notes, 'The event of the plugin’s own cancellation added a note.');

        World::order(8);
        $late = (new StartPayment($this->services))->run(8);
        World::$tillgate->pay($late->tillgateOrderId);
        World::$orders[8]->status = 'cancelled';
        (new CheckAttempt($this->services))->cancelIfStale($late->id);
        self::assertSame('processing', World::$orders[8]->status);
    }

    public function testAppliesALatePaymentOfAnOlderAttemptOrRefundsItIfTheOrderIsAlreadyPaid(): void
    {
        $old = $this->start();
        World::$tillgate->orders[$old->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $old));
        $new = $this->start();
        World::$tillgate->pay($old->tillgateOrderId);
        World::$tillgate->pay($new->tillgateOrderId);
        $this->receive($this->event('pos.order.paid', $new));
        self::assertSame('refund_payment', $this->receive($this->event('pos.order.paid', $old)));
        self::assertCount(1, World::$tillgate->refunds);
        self::assertSame(
            World::$tillgate->orders[$old->tillgateOrderId]['trx_id'],
            current(World::$tillgate->refunds)['transaction_id']
        );

        World::order(8);
        $late = (new StartPayment($this->services))->run(8);
        World::$tillgate->orders[$late->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $late));
        $open = (new StartPayment($this->services))->run(8);
        World::$tillgate->pay($late->tillgateOrderId);
        self::assertSame('complete_payment', $this->receive($this->event('pos.order.paid', $late)));
        self::assertSame('processing', World::$orders[8]->status);
        self::assertSame('CANCELLED', World::$tillgate->orders[$open->tillgateOrderId]['status']);
        self::assertCount(1, World::$tillgate->refunds);
    }

    public function testAppliesThePaymentToItsOwnOrderIfAPluginNumbersOrders(): void
    {
        World::order(812)->number = '7';
        $attempt = (new StartPayment($this->services))->run(812);
        self::assertSame('7', World::$tillgate->orders[$attempt->tillgateOrderId]['reference']);
        $trxId = World::$tillgate->pay($attempt->tillgateOrderId);
        self::assertSame('complete_payment', $this->receive($this->event('pos.order.paid', $attempt)));
        self::assertSame(['processing', $trxId], [World::$orders[812]->status, World::$orders[812]->transaction]);
        self::assertSame(['pending', '', []], [World::$orders[7]->status, World::$orders[7]->transaction, World::$orders[7]->notes]);
    }

    public function testDoesNotChangeTheOrderWhenAnEarlierPaymentOrThePaymentOfACompletedOrderExpires(): void
    {
        $first = $this->start();
        World::$orders[7]->total = '60.00';
        $second = $this->start();
        World::$tillgate->orders[$first->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $first));
        self::assertSame('pending', World::$orders[7]->status);
        World::$orders[7]->status = 'completed';
        World::$tillgate->orders[$second->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $second));
        self::assertSame('completed', World::$orders[7]->status, 'An order completed by hand was changed.');
    }

    public function testDoesNotChangeAnOrderPaidByAnotherGatewayWhenItsTillgatePaymentExpires(): void
    {
        $attempt = $this->start();
        [World::$orders[7]->method, World::$orders[7]->methodTitle] = ['card', 'Card'];
        World::$orders[7]->status = 'processing';
        World::$orders[7]->transaction = 'ch_1';
        World::$tillgate->orders[$attempt->tillgateOrderId]['status'] = 'EXPIRED';
        $this->receive($this->event('pos.order.expired', $attempt));
        self::assertSame(['processing', 'ch_1'], [World::$orders[7]->status, World::$orders[7]->transaction]);
    }

    public function testDoesNotRefundAPaymentAgainIfTheMerchantCancelsTheRefundedOrder(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        $this->receive($this->event('pos.order.paid', $attempt));
        World::$tillgate->orders[$attempt->tillgateOrderId]['status'] = 'REFUNDED';
        World::$orders[7]->status = 'cancelled';
        $event = $this->event('pos.order.paid', $attempt);
        $this->receive($event);
        $this->receive($event);
        self::assertSame(['cancelled', 0], [World::$orders[7]->status, count(World::$tillgate->refunds)]);
    }

    public function testKeepsUnpaidOrdersFromBeingCancelledWhileTheirPaymentIsOpen(): void
    {
        $changes = new OrderChanges($this->services);
        $order = World::$orders[7];
        self::assertTrue($changes->keepWhilePending(true, $order), 'An order without a payment was not cancelled.');
        $attempt = $this->start();
        self::assertFalse($changes->keepWhilePending(false, $order));
        World::$now += 5;
        self::assertFalse($changes->keepWhilePending(true, $order), 'Cancelled while being paid.');
        World::$now += 5;
        World::$tillgate->failures = ['before'];
        self::assertFalse($changes->keepWhilePending(true, $order), 'Cancelled although the outcome is unknown.');
        World::$now += 5;
        World::$tillgate->orders[$attempt->tillgateOrderId]['status'] = 'EXPIRED';
        self::assertTrue($changes->keepWhilePending(true, $order));
    }

    public function testReportsCheckingWhileTheOutcomeIsUnknownAndLimitsApiRequests(): void
    {
        $read = new PaymentStatus($this->services);
        self::assertSame(PaymentStatus::NONE, $read->refresh(7));
        $this->start();
        World::$now += 5;
        World::$tillgate->failures = ['before'];
        self::assertSame(PaymentStatus::CHECKING, $read->refresh(7));
        World::$now += 5;
        self::assertSame(PaymentStatus::PENDING, $read->refresh(7));
        $calls = count(World::$tillgate->calls);
        self::assertSame(PaymentStatus::PENDING, $read->refresh(7));
        self::assertCount($calls, World::$tillgate->calls, 'Every poll caused an API request.');
    }

    public function testCancelsThePaymentOfADeletedOrder(): void
    {
        $attempt = $this->start();
        unset(World::$orders[7]);
        (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
        self::assertSame('CANCELLED', World::$tillgate->orders[$attempt->tillgateOrderId]['status']);
    }

    public function testFlagsAPaymentOfADeletedOrderWithoutRefundingIt(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        unset(World::$orders[7]);
        self::assertSame('none', $this->receive($this->event('pos.order.paid', $attempt)));
        $delivery = $this->services->health->read('last_error');
        self::assertSame('missing_order', $delivery['cause']);
        self::assertStringContainsString('for order 7, which no longer exists in the shop. No money was refunded.', $delivery['text']);
        $findings = new BackgroundFindings($this->services);
        self::assertSame([$delivery['text'], ''], [$findings->attention()['text'], $findings->attention()['advice']], 'Links to a deleted order.');
        self::assertSame('', $findings->lastError()['advice']);
        self::assertSame('known', $this->receive($this->event('pos.order.paid', $attempt)));
        self::assertSame([], World::$tillgate->refunds);
    }

    public function testDoesNotRefundThePaymentOfADeletedOrderInTheScheduledCheck(): void
    {
        $attempt = $this->start();
        World::$tillgate->pay($attempt->tillgateOrderId);
        unset(World::$orders[7]);
        World::$now += 90;
        (new ScheduledCheck($this->services))->run();
        self::assertSame([], World::$tillgate->refunds);
        self::assertSame('paid', $this->services->attempts->byId($attempt->id)->state);
        self::assertSame('missing_order', $this->services->health->read('last_error')['cause']);
    }

    private function start(): Attempt
    {
        return (new StartPayment($this->services))->run(7);
    }

    private function receive(string $body): string
    {
        return (new ReceiveWebhook($this->services))->run($body, Credentials::all())['outcome'];
    }

    private function event(string $name, Attempt $attempt): string
    {
        $this->events += 1;
        $order = World::$tillgate->orders[$attempt->tillgateOrderId];
        return (string) json_encode([
            'id' => sprintf('evt_%024d', $this->events),
            'event' => $name,
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => [
                'order_id' => $order['order_id'],
                'amount' => $order['raw_amount'],
                'currency' => $order['currency'],
                'status' => $order['status'],
                'reference' => $order['reference'],
                'terminal_id' => null,
                'trx_id' => $order['trx_id'],
                'paid_at' => null,
                'order_number' => null,
                'custom' => null,
                'refunded_amount' => 0,
                'version' => $this->events,
            ],
        ]);
    }
}
