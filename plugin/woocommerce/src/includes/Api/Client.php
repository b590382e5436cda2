<?php

namespace Tillgate\WooCommerce\Api;

use Tillgate\WooCommerce\Shop\SiteAddress;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Methods throw ApiError or ApiConnectionError, whose messages contain no secrets. */
final class Client
{
    private const PATHS = ['sandbox' => '/pay/sandbox/api/v1', 'live' => '/pay/api/v1'];
    private const TIMEOUT_SECONDS = 10;
    /** `POST /webhooks/test` waits up to 15 s for the shop's response. */
    private const TEST_TIMEOUT_SECONDS = 25;
    private const MAX_RESPONSE_BYTES = 1048576;
    private const RETRY_DELAY_MS = 300;
    /** The usual `Retry-After` of a 429. */
    private const RATE_LIMIT_DELAY_MS = 1000;
    private const PER_PAGE = 100;

    private string $base;
    private string $clientId;
    private string $clientSecret;

    /** Seconds by which Tillgate's clock is ahead of this server's, from the last response. */
    private ?int $clockOffset = null;

    public function __construct(string $address, string $mode, string $clientId, string $clientSecret)
    {
        $this->base = rtrim($address, '/') . self::PATHS[$mode === 'live' ? 'live' : 'sandbox'];
        $this->clientId = $clientId;
        $this->clientSecret = $clientSecret;
    }

    /** Creates the client that exchanges the authorization code, before the shop has credentials. */
    public static function forConnect(string $address): self
    {
        $client = new self($address, 'sandbox', '', '');
        $client->base = rtrim($address, '/') . '/connect';
        return $client;
    }

    /**
     * @param array<string, string> $request
     * @return array<string, mixed> the account, with its API keys by mode
     */
    public function exchange(array $request): array
    {
        return $this->send('POST', '/token', $request, 1, self::TIMEOUT_SECONDS, false);
    }

    /**
     * Retries are safe, because the request contains an idempotency key.
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    public function createOrder(array $request): array
    {
        return $this->requireOrder($this->send('POST', '/orders', $request, 2));
    }

    /**
     * @param int $tries maximum number of requests; 1 if a customer is waiting for the response
     * @return array<string, mixed>
     */
    public function getOrder(string $orderId, int $tries = 2, int $timeoutSeconds = self::TIMEOUT_SECONDS): array
    {
        $path = '/orders/' . rawurlencode($orderId);
        return $this->requireOrder($this->send('GET', $path, null, $tries, $timeoutSeconds));
    }

    /** @return array<string, mixed> the order: CANCELLED, or in its current state if it can no longer be cancelled */
    public function cancelOrder(string $orderId): array
    {
        try {
            return $this->requireOrder($this->send('POST', '/orders/' . rawurlencode($orderId) . '/cancel', [], 1));
        } catch (ApiError $error) {
            if ($error->status !== 422) {
                throw $error;
            }
            return $this->getOrder($orderId);
        }
    }

    /**
     * Retries are safe, because the request contains an idempotency key.
     * @param array<string, mixed> $request
     * @return array<string, mixed>
     */
    public function createRefund(array $request, int $tries = 2): array
    {
        return $this->send('POST', '/refunds', $request, $tries);
    }

    /** @return array<string, mixed> */
    public function getRefund(string $refundId): array
    {
        return $this->send('GET', '/refunds/' . rawurlencode($refundId), null, 2);
    }

    /** @return array{refunds: array<int, array<string, mixed>>, is_last: bool} one page of a payment's completed refunds */
    public function listCompletedRefunds(string $trxId, int $page): array
    {
        $query = http_build_query([
            'transaction_id' => $trxId,
            'status' => 'completed',
            'per_page' => self::PER_PAGE,
            'page' => $page,
        ]);
        $data = $this->send('GET', "/refunds?$query", null, 2);
        if (!is_array($data['refunds'] ?? null) || !is_array($data['pagination'] ?? null)) {
            throw new ApiConnectionError('GET /refunds', ApiConnectionError::INVALID_RESPONSE, 'the response is not a list of refunds');
        }
        return [
            'refunds' => $data['refunds'],
            'is_last' => $page >= (int) ($data['pagination']['last_page'] ?? 1),
        ];
    }

    /**
     * @param string               $day  UTC day on which the run started, such as `2026-11-27`
     * @param array<string, mixed> $body
     * @return array<string, array<int, array<string, mixed>>> differences by Tillgate order ID
     */
    public function compare(string $day, array $body): array
    {
        $data = $this->send('PUT', "/comparisons/$day", $body, 2);
        if (!is_array($data['orders'] ?? null)) {
            throw new ApiConnectionError('PUT /comparisons', ApiConnectionError::INVALID_RESPONSE, 'the response is not a list of differences');
        }
        return array_column($data['orders'], 'differences', 'order_id');
    }

    public function checkCredentials(): void
    {
        $body = ['client_id' => $this->clientId, 'secret_id' => $this->clientSecret];
        $this->send('POST', '/authentication/token', $body, 1, self::TIMEOUT_SECONDS, false);
    }

    /** @return array<string, mixed> merchant_name, mode, console_url */
    public function getAccount(): array
    {
        return $this->send('GET', '/account', null, 1);
    }

    /** @return array<string, mixed> delivered, http_status, latency_ms, error, location */
    public function testWebhook(string $callbackUrl): array
    {
        return $this->send('POST', '/webhooks/test', ['callback_url' => $callbackUrl], 1, self::TEST_TIMEOUT_SECONDS);
    }

    public function clockOffset(): ?int
    {
        return $this->clockOffset;
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed> the response's `data`
     */
    private function send(
        string $method,
        string $path,
        ?array $body,
        int $tries,
        int $timeoutSeconds = self::TIMEOUT_SECONDS,
        bool $isAuthenticated = true
    ): array {
        $call = $method . ' ' . strtok($path, '?');
        // Retries send an identical body, as the idempotency key requires.
        $arguments = $this->requestArguments($method, $body, $timeoutSeconds, $isAuthenticated);
        for ($try = 1;; $try += 1) {
            try {
                return $this->read($call, wp_remote_request($this->base . $path, $arguments));
            } catch (ApiConnectionError | ApiError $error) {
                $isLimited = $error instanceof ApiError && $error->status === 429;
                if ($try >= $tries || ($error instanceof ApiError && !$isLimited)) {
                    throw $error;
                }
            }
            usleep(($isLimited ? self::RATE_LIMIT_DELAY_MS : self::RETRY_DELAY_MS) * 1000);
        }
    }

    /**
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     */
    private function requestArguments(string $method, ?array $body, int $timeoutSeconds, bool $isAuthenticated): array
    {
        $headers = ['Accept' => 'application/json', 'Tillgate-Site' => SiteAddress::header()];
        if ($isAuthenticated) {
            // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- HTTP's Basic scheme.
            $headers['Authorization'] = 'Basic ' . base64_encode($this->clientId . ':' . $this->clientSecret);
        }
        if ($body !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        return [
            'method' => $method,
            'timeout' => $timeoutSeconds,
            // Following a redirect could send the credentials to another host. Tillgate never redirects.
            'redirection' => 0,
            'limit_response_size' => self::MAX_RESPONSE_BYTES,
            'user-agent' => 'tillgate-for-woocommerce/' . TILLGATE_WOOCOMMERCE_VERSION,
            'headers' => $headers,
        ] + ($body === null ? [] : ['body' => $body === [] ? '{}' : (string) wp_json_encode($body)]);
    }

    /**
     * @param array<string, mixed>|\WP_Error $response
     * @return array<string, mixed>
     */
    private function read(string $call, $response): array
    {
        if (is_wp_error($response)) {
            $text = $this->mask($response->get_error_message());
            $isTimeout = stripos($text, 'timed out') !== false || stripos($text, 'error 28') !== false;
            throw new ApiConnectionError($call, $isTimeout ? ApiConnectionError::TIMEOUT : ApiConnectionError::NETWORK, $text);
        }
        $this->recordClockOffset((string) wp_remote_retrieve_header($response, 'date'));
        $status = (int) wp_remote_retrieve_response_code($response);
        $json = Json::decode(wp_remote_retrieve_body($response));
        $requestId = (string) wp_remote_retrieve_header($response, 'x-request-id');
        if ($status >= 200 && $status < 300 && is_array($json['data'] ?? null)) {
            return $json['data'];
        }
        $messages = $json['message']['error'] ?? null;
        if ($status >= 400 && is_array($messages) && $status < 500) {
            throw new ApiError(
                $call,
                $status,
                array_map([$this, 'mask'], array_filter($messages, 'is_string')),
                is_array($json['errors'] ?? null) ? $json['errors'] : [],
                $requestId === '' ? null : $requestId
            );
        }
        $to = (string) wp_remote_retrieve_header($response, 'location');
        if ($status >= 300 && $status < 400 && $to !== '') {
            throw new ApiConnectionError($call, ApiConnectionError::REDIRECT, $to);
        }
        $what = $status >= 500 ? 'Tillgate responded with a server error' : 'the response is not from Tillgate; check the Tillgate URL';
        throw new ApiConnectionError(
            $call,
            $status >= 500 ? ApiConnectionError::SERVER_ERROR : ApiConnectionError::INVALID_RESPONSE,
            "$what (HTTP $status" . ($requestId === '' ? '' : ", request $requestId") . ')'
        );
    }

    /**
     * @param array<string, mixed> $data
     * @return array<string, mixed>
     */
    private function requireOrder(array $data): array
    {
        if (!is_string($data['order_id'] ?? null) || !is_string($data['status'] ?? null)) {
            throw new ApiConnectionError('/orders', ApiConnectionError::INVALID_RESPONSE, 'the response is not an order');
        }
        return $data;
    }

    private function recordClockOffset(string $date): void
    {
        $time = strtotime($date);
        if ($time !== false) {
            $this->clockOffset = $time - time();
        }
    }

    private function mask(string $text): string
    {
        return $this->clientSecret === '' ? $text : str_replace($this->clientSecret, '[masked]', $text);
    }
}
