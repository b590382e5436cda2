<?php

namespace Tillgate\WooCommerce\Tests;

use PHPUnit\Framework\TestCase;
use Tillgate\WooCommerce\Http\WebhookRoute;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Credentials;

final class WebhookRouteTest extends TestCase
{
    private Services $services;

    protected function setUp(): void
    {
        $this->services = World::reset();
    }

    public function testRejectsAnInvalidOrStaleSignatureBeforeParsing(): void
    {
        $response = $this->send('{not json', 'another secret');
        self::assertSame(401, $response->status);
        self::assertSame('secret', $this->services->health->read('last_refused')['cause']);
        self::assertSame(401, $this->send('{}', World::SECRET, time() - 301)->status);
        self::assertSame('clock', $this->services->health->read('last_refused')['cause']);
    }

    public function testDoesNotAcceptXTillgateSignatureInPlaceOfWebhookSignature(): void
    {
        $headers = ['x-tillgate-signature' => 'sha256=' . hash_hmac('sha256', '{}', World::SECRET)];
        self::assertSame(401, $this->handle(new \WP_REST_Request($headers, '{}'))->status);
    }

    public function testAcceptsATestEvent(): void
    {
        $body = '{"id":"evt_01JD3V8Q2M5X7Y9Z1A2B3C4D5E","event":"tillgate.test","timestamp":"x","data":{}}';
        self::assertSame(200, $this->send($body)->status);
        self::assertSame('tillgate.test', $this->services->health->read('last_webhook')['event']);
    }

    public function testRespondsWith404ForUnknownOrdersAnd500OnFailure(): void
    {
        self::assertSame(404, $this->send($this->paid('POS-20261121-NOBODY'))->status);
        World::$wpdb->query('DROP TABLE wp_tillgate_attempts');
        self::assertSame(500, $this->send($this->paid('POS-20261121-NOBODY'))->status);
    }

    public function testRespondsWith503WhileTheOrderIsLocked(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        World::$tillgate->pay($attempt->tillgateOrderId);
        $body = $this->paid($attempt->tillgateOrderId);
        $token = $this->services->locks->acquire('order:7');
        $response = $this->send($body);
        self::assertSame(503, $response->status);
        self::assertArrayHasKey('Retry-After', $response->headers);
        $this->services->locks->release('order:7', $token);
        $response = $this->send($body);
        self::assertSame(200, $response->status);
        self::assertSame(['outcome' => 'complete_payment', 'order_status' => 'processing'], $response->data);
        self::assertSame('processing', World::$orders[7]->status);
        World::$orders[7]->status = 'completed';
        self::assertSame(['outcome' => 'repeated', 'order_status' => 'completed'], $this->send($body)->data);
    }

    public function testAcceptsARotatedSecretForADay(): void
    {
        $body = '{"id":"evt_01JD3V8Q2M5X7Y9Z1A2B3C4D5E","event":"tillgate.test","timestamp":"x","data":{}}';
        Credentials::save('sandbox', World::CLIENT, 'the next secret', World::ADDRESS);
        self::assertSame(200, $this->send($body)->status);
        self::assertSame(200, $this->send($body, 'the next secret')->status);
        self::assertSame('the next secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
        World::$options[Credentials::OPTION][0]['retired_at'] -= 86401;
        self::assertSame(401, $this->send($body)->status);
        self::assertSame(200, $this->send($body, 'the next secret')->status);
    }

    public function testRejectsASandboxSignatureForALivePayment(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        World::$tillgate->pay($attempt->tillgateOrderId);
        World::$wpdb->query("UPDATE wp_tillgate_attempts SET mode = 'live', client_id = 'tg_live_1'");
        Credentials::save('live', 'tg_live_1', 'tgs_live_secret', World::ADDRESS);
        $calls = count(World::$tillgate->calls);
        $response = $this->send($this->paid($attempt->tillgateOrderId));
        self::assertSame(401, $response->status);
        self::assertSame('pending', World::$orders[7]->status);
        self::assertCount($calls, World::$tillgate->calls, 'An unverified webhook caused an API request.');
        self::assertSame('unproved', $this->services->health->read('last_refused')['cause']);
    }

    public function testRejectsTheSignatureOfAnotherClient(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        World::$tillgate->pay($attempt->tillgateOrderId);
        Credentials::save('sandbox', 'tg_test_2', 'tgs_test_other', World::ADDRESS);
        self::assertSame(401, $this->send($this->paid($attempt->tillgateOrderId), 'tgs_test_other')->status);
        self::assertSame('pending', World::$orders[7]->status);
    }

    public function testConfirmsAPaymentEventSignedWithARetiredSecret(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        Credentials::save('sandbox', World::CLIENT, 'the next secret', World::ADDRESS);
        $forged = $this->paid($attempt->tillgateOrderId, ['trx_id' => 'TRX-000000000666']);
        // Tillgate rejects the new secret, so the event is checked with the old secret.
        self::assertSame(401, $this->send($forged)->status);
        self::assertSame('pending', World::$orders[7]->status);
        $trxId = World::$tillgate->pay($attempt->tillgateOrderId);
        World::$tillgate->failures = ['before'];
        self::assertSame(500, $this->send($forged)->status, 'The API is unavailable, so the webhook must be delivered again.');
        self::assertSame('pending', World::$orders[7]->status);
        // The API's data is applied, not the webhook's.
        self::assertSame(200, $this->send($forged)->status);
        self::assertSame('processing', World::$orders[7]->status);
        self::assertSame($trxId, World::$orders[7]->transaction);
    }

    public function testConfirmsARefundEventSignedWithARetiredSecret(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        $trxId = World::$tillgate->pay($attempt->tillgateOrderId);
        self::assertSame(200, $this->send($this->paid($attempt->tillgateOrderId))->status);
        $this->services->settings->client()->createRefund([
            'transaction_id' => $trxId,
            'amount' => '5.00',
            'idempotency_key' => 'a key',
        ]);
        $refund = World::$tillgate->refunds['RF-20261121-000001'];
        Credentials::save('sandbox', World::CLIENT, 'the next secret', World::ADDRESS);
        $forged = ['refund_id' => 'RF-20261121-FORGED'] + $refund;
        self::assertSame(401, $this->send($this->refund($attempt->tillgateOrderId, $forged))->status);
        self::assertSame([], World::$orders[7]->refunds);
        $dearer = ['raw_amount' => 41.5, 'amount' => '41.50 EUR'] + $refund;
        self::assertSame(200, $this->send($this->refund($attempt->tillgateOrderId, $dearer))->status);
        self::assertSame('5.00', World::$orders[7]->refunds[0]->get_amount());
    }

    public function testRejectsWebhooksSignedWithARevokedSecret(): void
    {
        World::order(7);
        $attempt = (new StartPayment($this->services))->run(7);
        World::$tillgate->pay($attempt->tillgateOrderId);
        Credentials::save('sandbox', World::CLIENT, 'the next secret', World::ADDRESS);
        [$old] = Credentials::retired();
        self::assertFalse(Credentials::revoke('another'));
        self::assertTrue(Credentials::revoke($old->id));
        self::assertFalse(Credentials::revoke($old->id));
        self::assertSame(401, $this->send($this->paid($attempt->tillgateOrderId))->status);
        self::assertSame('pending', World::$orders[7]->status);
        self::assertSame('the next secret', Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
    }

    public function testDoesNotRevokeTheCurrentSecret(): void
    {
        [$current] = Credentials::all();
        self::assertFalse(Credentials::revoke($current->id));
        self::assertSame(World::SECRET, Credentials::currentSecret('sandbox', World::CLIENT, World::ADDRESS));
    }

    private function send(string $body, string $secret = World::SECRET, ?int $time = null): \WP_REST_Response
    {
        $time = (string) ($time ?? time());
        $signature = base64_encode(hash_hmac('sha256', "evt_1.$time.$body", $secret, true));
        return $this->handle(new \WP_REST_Request([
            'webhook-id' => 'evt_1',
            'webhook-timestamp' => $time,
            'webhook-signature' => "v1,$signature",
        ], $body));
    }

    /** Handles a request as WordPress does: early filter, permission callback, route callback. */
    private function handle(\WP_REST_Request $request): \WP_REST_Response
    {
        $route = new WebhookRoute($this->services);
        $early = $route->rejectUnverified(null, new \WP_REST_Server(), $request);
        self::assertSame($early === null, $route->isVerified($request));
        return $early ?? $route->receive($request);
    }

    private function refund(string $tillgateOrderId, array $refund): string
    {
        return (string) json_encode([
            'id' => 'evt_' . bin2hex(random_bytes(12)),
            'event' => 'refund.completed',
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => $refund + ['order_id' => $tillgateOrderId],
        ]);
    }

    /** @param array<string, mixed> $changes */
    private function paid(string $tillgateOrderId, array $changes = []): string
    {
        $order = World::$tillgate->orders[$tillgateOrderId] ?? ['raw_amount' => 1, 'reference' => null, 'trx_id' => 'TRX-1'];
        return (string) json_encode([
            'id' => 'evt_01JD3V8Q2M5X7Y9Z1A2B3C4D5E',
            'event' => 'pos.order.paid',
            'timestamp' => '2026-11-21T00:00:00+00:00',
            'data' => $changes + [
                'order_id' => $tillgateOrderId,
                'amount' => $order['raw_amount'],
                'currency' => 'EUR',
                'status' => 'PAID',
                'reference' => $order['reference'],
                'trx_id' => $order['trx_id'],
                'refunded_amount' => 0,
                'version' => 2,
            ],
        ]);
    }
}
