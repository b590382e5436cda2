<?php

namespace Tillgate\WooCommerce\Http;

use Tillgate\WooCommerce\Payments\ReceiveWebhook;
use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Shop\Credential;
use Tillgate\WooCommerce\Shop\Credentials;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WebhookSignature;
use Tillgate\WooCommerce\WithServices;

/**
 * Responds with 200 once the event's effect, if any, is committed; 401 for a rejected signature or an event that the API does not confirm;
 * 404 for an unknown order; and 5xx if Tillgate should retry.
 */
final class WebhookRoute
{
    use WithServices;

    public const NAMESPACE = 'tillgate/v1';
    public const ROUTE = '/webhook';
    private const MAX_BODY_BYTES = 65536;
    /** Order locks are held for only a few seconds. */
    private const RETRY_AFTER_SECONDS = 5;

    public function addHooks(): void
    {
        add_action('rest_api_init', [$this, 'registerRoute']);
        // WordPress parses JSON bodies before it calls the permission callback. This filter runs earlier.
        add_filter('rest_pre_dispatch', [$this, 'rejectUnverified'], 10, 3);
    }

    public function registerRoute(): void
    {
        register_rest_route(self::NAMESPACE, self::ROUTE, [
            'methods' => 'POST',
            'callback' => [$this, 'receive'],
            'permission_callback' => [$this, 'isVerified'],
        ]);
    }

    /**
     * @param mixed            $result
     * @param \WP_REST_Server  $server
     * @param \WP_REST_Request $request
     * @return mixed
     */
    public function rejectUnverified($result, $server, $request)
    {
        unset($server);
        $isOurs = $request->get_route() === '/' . self::NAMESPACE . self::ROUTE && $request->get_method() === 'POST';
        if ($result !== null || !$isOurs) {
            return $result;
        }
        $verification = $this->verify($request);
        if ($verification === WebhookSignature::OK) {
            return $result;
        }
        $this->recordRejection($verification, $request);
        return self::response(401, $verification);
    }

    public function isVerified(\WP_REST_Request $request): bool
    {
        return $this->verify($request) === WebhookSignature::OK;
    }

    public function receive(\WP_REST_Request $request): \WP_REST_Response
    {
        if (SiteAddress::hasMoved()) {
            // Tillgate retries until the merchant has chosen whether the shop moved or this is a copy.
            return self::response(503, 'site_moved');
        }
        try {
            $isReplay = WebhookSignature::isReplay(
                (string) $request->get_header('webhook_id'),
                (string) $request->get_header('webhook_timestamp'),
                (string) $request->get_header('x_tillgate_replay'),
                (string) $request->get_header('x_tillgate_replay_signature'),
                Credentials::secrets()
            );
            $received = (new ReceiveWebhook($this->services))->run($request->get_body(), $this->signingCredentials($request), $isReplay);
        } catch (PluginError $error) {
            return $this->errorResponse($error);
        } catch (\Throwable $error) {
            $text = "Webhook failed: {$error->getMessage()}";
            $this->services->log->error($text);
            $this->services->health->recordError(Health::CAUSE_SHOP, $text);
            return self::response(500, 'failed');
        }
        $this->services->health->recordWebhook($received['event'], $received['outcome']);
        return self::response(200, $received['outcome'], $received['status']);
    }

    private function errorResponse(PluginError $error): \WP_REST_Response
    {
        $this->services->log->warning("Webhook failed: {$error->getMessage()}");
        if ($error->is(PluginError::NOT_FOUND)) {
            $this->services->health->recordRejectedWebhook(Health::CAUSE_UNKNOWN_ORDER, $error->getMessage());
            return self::response(404, 'not_found');
        }
        if ($error->is(PluginError::UNVERIFIED)) {
            $this->services->health->recordRejectedWebhook(Health::CAUSE_UNVERIFIED, $error->getMessage());
            return self::response(401, WebhookSignature::BAD_SIGNATURE);
        }
        if ($error->is(PluginError::BUSY)) {
            $response = self::response(503, 'busy');
            $response->header('Retry-After', (string) self::RETRY_AFTER_SECONDS);
            return $response;
        }
        $this->services->health->recordError(Health::CAUSE_SHOP, $error->getMessage());
        return self::response(500, 'failed');
    }

    /** @return Credential[] credentials that match the signature */
    private function signingCredentials(\WP_REST_Request $request): array
    {
        return array_values(array_filter(Credentials::all(), function (Credential $credential) use ($request): bool {
            return $this->verify($request, [$credential->secret]) === WebhookSignature::OK;
        }));
    }

    /** @param string[]|null $secrets null: all stored secrets */
    private function verify(\WP_REST_Request $request, ?array $secrets = null): string
    {
        $body = $request->get_body();
        if (strlen($body) > self::MAX_BODY_BYTES) {
            return WebhookSignature::BAD_SIGNATURE;
        }
        return WebhookSignature::verify(
            (string) $request->get_header('webhook_id'),
            (string) $request->get_header('webhook_timestamp'),
            (string) $request->get_header('webhook_signature'),
            $body,
            $secrets ?? Credentials::secrets(),
            time()
        );
    }

    private function recordRejection(string $verification, \WP_REST_Request $request): void
    {
        $causes = [
            WebhookSignature::MISSING_HEADER => Health::CAUSE_HEADERS,
            WebhookSignature::BAD_SIGNATURE => Health::CAUSE_SECRET,
            WebhookSignature::STALE => Health::CAUSE_CLOCK,
        ];
        $text = "Webhook rejected: $verification";
        if ($verification === WebhookSignature::STALE) {
            $text .= sprintf(', %d s old', time() - (int) $request->get_header('webhook_timestamp'));
        }
        $this->services->health->recordRejectedWebhook($causes[$verification], $text);
    }

    /** @param string|null $orderStatus status of the shop's order, shown in the Tillgate console */
    private static function response(int $status, string $outcome, ?string $orderStatus = null): \WP_REST_Response
    {
        $details = $orderStatus === null ? [] : ['order_status' => $orderStatus];
        return NoCache::response(['outcome' => $outcome] + $details, $status);
    }
}
