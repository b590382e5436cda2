<?php

namespace Tillgate\WooCommerce\Tests;

/** Fake of the Tillgate API endpoints that the plugin uses, with simulated failures. */
final class FakeTillgate
{
    public $orders = [];
    public $refunds = [];
    public $calls = [];
    /** @var string[] `Tillgate-Site` header of each request */
    public $sites = [];
    /** @var string[] client ID of each request */
    public $callers = [];
    /** @var string[] other hosts that received requests */
    public $otherHosts = [];
    /** @var string[] `before`: the request fails without effect; `after`: its response is lost. */
    public $failures = [];
    public $refundStatus = 'completed';
    public $heldCurrencies = ['EUR', 'XAF'];
    /** @var array<string, mixed> Result of `POST /webhooks/test`. */
    public $delivery = ['delivered' => true, 'latency_ms' => 7];
    /** @var callable|null Runs while an order is being created. */
    public $duringCreate;
    /** @var callable|null Finds the differences of a compared order. Null: only orders that Tillgate doesn't have differ. */
    public $findDifferences;
    /** @var bool Whether to act as a version without comparisons. */
    public $isOutdated = false;
    /** @var callable|null Response of the shop's host to requests that the shop sends to itself. */
    public $shop;
    /** @var array<string, mixed>|null Result of `GET /account`. Null: the endpoint does not exist. */
    public $account;
    /** @var array<string, string> secrets by client ID */
    public $clients = [World::CLIENT => World::SECRET];
    private $keys = [];
    private $bodies = [];

    public function handle(string $address, array $arguments)
    {
        if ($this->shop !== null && strpos($address, 'https://shop.example/') === 0) {
            return ($this->shop)($arguments['method']);
        }
        if (strpos($address, World::ADDRESS . '/') !== 0) {
            $this->otherHosts[] = $address;
            return new \WP_Error('http', 'cURL error 6: Could not resolve host');
        }
        if ($address === 'https://api.example/connect/token') {
            $response = $this->exchange(json_decode($arguments['body'], true));
            return array_shift($this->failures) === 'after' ? new \WP_Error('http', 'cURL error 28: Operation timed out') : $response;
        }
        $path = substr($address, strlen('https://api.example/pay/sandbox/api/v1'));
        $this->calls[] = $arguments['method'] . ' ' . $path;
        $this->sites[] = $arguments['headers']['Tillgate-Site'] ?? '';
        $this->bodies[end($this->calls)][] = json_decode($arguments['body'] ?? '{}', true);
        $pair = explode(':', (string) base64_decode(substr($arguments['headers']['Authorization'] ?? '', strlen('Basic '))), 2);
        $this->callers[] = $pair[0];
        $failure = array_shift($this->failures);
        if (is_array($failure)) {
            return $failure;
        }
        if ($failure === 'before') {
            return new \WP_Error('http', 'cURL error 28: Operation timed out');
        }
        if ($path === '/authentication/token') {
            $body = json_decode($arguments['body'], true);
            return ($this->clients[$body['client_id']] ?? null) === $body['secret_id'] ? self::success([]) : self::error(401, 'Invalid API credentials.');
        }
        $response = ($this->clients[$pair[0]] ?? null) === ($pair[1] ?? '')
            ? $this->route($arguments['method'], (string) strtok($path, '?'), json_decode($arguments['body'] ?? '{}', true))
            : self::error(401, 'Invalid API credentials.');
        return $failure === 'after' ? new \WP_Error('http', 'cURL error 28: Operation timed out') : $response;
    }

    /** The approved connection: challenge, redirect URI and API keys. */
    public $agreed;

    private function exchange(array $body)
    {
        $challenge = rtrim(strtr(base64_encode(hash('sha256', $body['code_verifier'], true)), '+/', '-_'), '=');
        $isValid = $this->agreed !== null && $body['code'] === 'the code'
            && $challenge === $this->agreed['challenge'] && $body['redirect_uri'] === $this->agreed['return_url'];
        $keys = $this->agreed['keys'] ?? [];
        $this->agreed = $isValid ? null : $this->agreed;
        return $isValid ? self::success($keys) : self::error(400, 'This code cannot be exchanged');
    }

    public function pay(string $orderId): string
    {
        $this->orders[$orderId]['status'] = 'PAID';
        return $this->orders[$orderId]['trx_id'] = sprintf('TRX-%012d', (int) substr($orderId, -6));
    }

    /** @return array<int, array<string, mixed>> bodies of these requests, in order */
    public function requestBodies(string $call): array
    {
        return $this->bodies[$call] ?? [];
    }

    /** Returns the number of orders created. */
    public function orderCount(): int
    {
        return count($this->orders);
    }

    private function route(string $method, string $path, array $body): array
    {
        if ("$method $path" === 'POST /orders') {
            return $this->createOrder($body);
        }
        if ("$method $path" === 'POST /refunds') {
            return $this->createRefund($body);
        }
        if (preg_match('~^/orders/([^/]+)(/cancel)?$~', $path, $found) === 1) {
            $order = $this->orders[$found[1]] ?? null;
            if ($order === null) {
                return self::error(404, 'Order not found');
            }
            if (isset($found[2])) {
                if ($order['status'] !== 'PENDING') {
                    return self::error(422, 'Only pending orders can be cancelled');
                }
                $this->orders[$found[1]]['status'] = 'CANCELLED';
            }
            return self::success($this->toResponse($found[1]));
        }
        if (preg_match('~^/refunds/(.+)$~', $path, $found) === 1) {
            return isset($this->refunds[$found[1]])
                ? self::success($this->refunds[$found[1]])
                : self::error(404, 'Refund not found');
        }
        if ("$method $path" === 'GET /refunds') {
            return self::success(['refunds' => array_values($this->refunds), 'pagination' => ['last_page' => 1]]);
        }
        if (strpos("$method $path", 'PUT /comparisons/') === 0 && !$this->isOutdated) {
            return $this->compare($body['orders']);
        }
        if ("$method $path" === 'POST /webhooks/test') {
            return self::success($this->delivery);
        }
        if ("$method $path" === 'GET /account' && $this->account !== null) {
            return self::success($this->account);
        }
        return self::error(404, 'Unknown route');
    }

    private function compare(array $orders): array
    {
        $differing = [];
        foreach ($orders as $index => $order) {
            if (count($order['shop_order']['refunds'] ?? []) > 100) {
                $text = "The orders.$index.shop_order.refunds field must not have more than 100 entries";
                return self::error(400, $text, ["orders.$index.shop_order.refunds" => [$text]]);
            }
            $isKnown = isset($this->orders[$order['order_id']]);
            $differences = $isKnown ? ($this->findDifferences ?? static function (): array {
                return [];
            })($order) : [self::difference('missing_at_tillgate')];
            $accepted = $order['accepted'] ?? [];
            if ($differences !== []) {
                $differing[] = ['order_id' => $order['order_id'], 'differences' => array_map(static function (array $difference) use ($accepted): array {
                    return $difference + ['accepted' => in_array(array_diff_key($difference, ['repair' => 0, 'advice' => 0, 'values' => 0]), $accepted)];
                }, $differences)];
            }
        }
        return self::success(['orders' => $differing]);
    }

    /** @return array<string, mixed> a difference in a comparison's response */
    public static function difference(string $kind, ?string $repair = null, array $values = []): array
    {
        return [
            'subject' => 'order',
            'subject_id' => 'POS-20261121-000001',
            'field' => 'state',
            'kind' => $kind,
            'repair' => $repair,
            'text' => "$kind in English",
            'advice' => "Advice on $kind",
            'values' => $values,
        ];
    }

    private function toResponse(string $orderId): array
    {
        $order = $this->orders[$orderId];
        $refunds = array_filter($this->refunds, static function (array $refund) use ($order): bool {
            return $refund['transaction_id'] === $order['trx_id'] && $refund['status'] === 'completed';
        });
        $sum = array_sum(array_column($refunds, 'raw_amount'));
        return ['refunded_amount' => $sum == 0 ? 0 : $sum] + $order;
    }

    private function createOrder(array $body): array
    {
        if ($this->duringCreate !== null) {
            ($this->duringCreate)();
        }
        if (!in_array($body['currency'], $this->heldCurrencies, true)) {
            $text = 'The currency field must be a currency of one of your wallets';
            return self::error(400, $text, ['currency' => [$text]]);
        }
        $id = $this->keys[$body['idempotency_key']] ?? sprintf('POS-20261121-%06d', count($this->orders) + 1);
        if (!isset($this->orders[$id])) {
            $this->keys[$body['idempotency_key']] = $id;
            $this->orders[$id] = [
                'order_id' => $id,
                'raw_amount' => (float) $body['amount'],
                'currency' => $body['currency'],
                'reference' => $body['reference'] ?? null,
                'status' => 'PENDING',
                'qr_data' => "https://pay.example/pay/$id",
                'payment_url' => "https://pay.example/pay/$id",
                'trx_id' => null,
                'expires_at' => gmdate('Y-m-d\TH:i:s+00:00', World::$now + $body['expires_in']),
            ];
        }
        return self::success($this->orders[$id]);
    }

    private function createRefund(array $body): array
    {
        $id = $this->keys[$body['idempotency_key']] ?? sprintf('RF-20261121-%06d', count($this->refunds) + 1);
        if (!isset($this->refunds[$id])) {
            $order = current(array_filter($this->orders, static function (array $candidate) use ($body): bool {
                return $candidate['trx_id'] === $body['transaction_id'];
            }));
            $amount = (float) ($body['amount'] ?? $order['raw_amount']);
            $left = round($order['raw_amount'] - array_sum(array_column($this->refunds, 'raw_amount')), 6);
            if ($amount > $left) {
                return self::error(422, 'Refund exceeds original amount');
            }
            $this->keys[$body['idempotency_key']] = $id;
            $this->refunds[$id] = [
                'refund_id' => $id,
                'transaction_id' => $body['transaction_id'],
                'amount' => number_format($amount, 2) . ' ' . $order['currency'],
                'raw_amount' => $amount,
                'currency' => $order['currency'],
                'status' => $this->refundStatus,
                'reason' => $body['reason'] ?? null,
                'reference' => $body['reference'] ?? null,
                'created_at' => '2026-11-21T00:00:00+00:00',
            ];
        }
        if ($this->refunds[$id]['transaction_id'] !== $body['transaction_id']) {
            return self::error(422, 'This idempotency key was already used for another refund');
        }
        return self::success($this->refunds[$id]);
    }

    private static function success(array $data): array
    {
        return self::response(200, ['message' => ['success' => ['ok']], 'data' => $data]);
    }

    private static function error(int $status, string $text, array $fields = []): array
    {
        return self::response($status, [
            'message' => ['code' => $status, 'error' => [$text]],
            'data' => [],
            'type' => 'error',
        ] + ($fields === [] ? [] : ['errors' => $fields]));
    }

    private static function response(int $status, array $body): array
    {
        return [
            'status' => $status,
            'headers' => ['date' => gmdate('D, d M Y H:i:s') . ' GMT', 'x-request-id' => 'req-1'],
            'body' => json_encode($body),
        ];
    }
}
