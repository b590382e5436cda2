<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\WithServices;

/** Connects the shop with the OAuth 2.0 authorization code flow with PKCE (RFC 7636): only this server can exchange the code for API keys. */
final class Connection
{
    use WithServices;

    public const CONNECTED = 'connected';
    public const DECLINED = 'declined';
    /** The `state` parameter of the return is unknown, expired or already used. */
    public const INVALID_STATE = 'unasked';
    public const REJECTED = 'refused';
    /** There was no valid response. Tillgate may have issued API keys. */
    public const UNREACHABLE = 'unreachable';
    public const DISCONNECTED = 'disconnected';
    /** The shop is connected to another Tillgate server. */
    public const OTHER_TILLGATE = 'elsewhere';

    /** Equals the validity of an e-mailed sign-up link, because the merchant may have to create an account first. */
    private const STATE_TTL_SECONDS = 1800;
    private const RANDOM_BYTES = 32;

    /** Whether secrets may be sent to this URL: https or loopback. Non-ASCII hosts are rejected because of look-alike characters. */
    public static function isSecure(string $url): bool
    {
        $host = wp_parse_url($url, PHP_URL_HOST);
        $scheme = strtolower((string) wp_parse_url($url, PHP_URL_SCHEME));
        return is_string($host)
            && preg_match('/^[a-z0-9._:[\]-]+$/iD', $host) === 1
            && ($scheme === 'https' || ($scheme === 'http' && self::isLoopback(strtolower($host))));
    }

    /** Whether the host is this machine. Subdomains of localhost don't count, because many resolvers look them up in DNS. */
    private static function isLoopback(string $host): bool
    {
        return in_array($host, ['localhost', '[::1]', '::1'], true)
            || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false);
    }

    public static function allowsLiveMode(string $url): bool
    {
        return strtolower((string) wp_parse_url($url, PHP_URL_SCHEME)) === 'https';
    }

    /** Whether the shop can connect to this server. A connected shop can only reconnect to the same server, until it is disconnected. */
    public static function canConnectTo(string $url): bool
    {
        $connected = Credentials::connectedAddresses();
        return $connected === [] || isset($connected[Credentials::hostOf($url)]);
    }

    /**
     * Starts a connection. A connection that the user started earlier can no longer be completed.
     * @return string URL at which the merchant approves the connection
     */
    public function start(int $userId, string $url, string $returnUrl): string
    {
        $state = self::randomToken();
        $verifier = self::randomToken();
        set_transient(self::transientName($userId), ['state' => $state, 'verifier' => $verifier, 'address' => $url], self::STATE_TTL_SECONDS);
        return add_query_arg(array_map('rawurlencode', [
            'platform' => 'woocommerce',
            'shop_name' => mb_substr(self::shopName(), 0, 100),
            'shop_url' => home_url(),
            'return_url' => $returnUrl,
            'state' => $state,
            'code_challenge' => self::base64Url(hash('sha256', $verifier, true)),
            'code_challenge_method' => 'S256',
        ]), $url . '/connect');
    }

    /**
     * Completes a connection. Each state is valid once, and only for the user who started the connection.
     * @param array<string, string> $query query parameters
     * @return string one of the constants
     */
    public function finish(int $userId, array $query, string $returnUrl): string
    {
        $pending = get_transient(self::transientName($userId));
        if (!is_array($pending) || !hash_equals((string) $pending['state'], $query['state'] ?? '')) {
            return self::INVALID_STATE;
        }
        if (!delete_transient(self::transientName($userId))) {
            return self::INVALID_STATE;
        }
        if (isset($query['error'])) {
            return self::DECLINED;
        }
        if (!self::canConnectTo($pending['address'])) {
            return self::OTHER_TILLGATE;
        }
        try {
            $response = Client::forConnect($pending['address'])->exchange([
                'grant_type' => 'authorization_code',
                'code' => $query['code'] ?? '',
                'code_verifier' => $pending['verifier'],
                'redirect_uri' => $returnUrl,
            ]);
        } catch (ApiError $error) {
            $this->services->log->error($error->getMessage());
            return self::REJECTED;
        } catch (ApiConnectionError $error) {
            $this->services->log->error($error->getMessage());
            return self::UNREACHABLE;
        }
        return $this->saveKeys($pending['address'], $response);
    }

    /** Retires the API keys and disables the payment method. Open payments are tracked for another day. */
    public function disconnect(): string
    {
        foreach (['sandbox', 'live'] as $mode) {
            Credentials::save($mode, '', null, $this->services->settings->apiUrl());
        }
        $this->updateSettings(['enabled' => 'no', 'client_id' => '']);
        return self::DISCONNECTED;
    }

    /**
     * On a copied site, deletes the API keys copied from the real shop, marks the copied records of open payments and refunds as closed, and
     * disables the gateway. The real shop and Tillgate are not affected. Does nothing unless the site has moved.
     */
    public function disconnectCopy(): void
    {
        if (!SiteAddress::hasMoved()) {
            return;
        }
        Credentials::deleteAll();
        $this->services->attempts->releaseOpen();
        $this->services->refunds->releaseOpen();
        $this->updateSettings(['enabled' => 'no', 'client_id' => '']);
        SiteAddress::save(true);
    }

    /** @param array<string, mixed> $response API keys by mode */
    private function saveKeys(string $url, array $response): string
    {
        $clients = [];
        foreach (SiteAddress::isCopy() ? ['sandbox'] : ['sandbox', 'live'] as $mode) {
            $keys = $response[$mode] ?? null;
            if (is_array($keys) && is_string($keys['client_id'] ?? null) && is_string($keys['client_secret'] ?? null)) {
                $clients[$mode] = $keys['client_id'];
                Credentials::save($mode, $keys['client_id'], $keys['client_secret'], $url);
                Accounts::save($keys['client_id'], $response);
            }
        }
        $mode = isset($clients[$this->services->settings->mode()]) ? $this->services->settings->mode() : 'sandbox';
        if (!isset($clients[$mode])) {
            return self::REJECTED;
        }
        $this->updateSettings([
            'enabled' => 'yes',
            'address' => $url,
            'mode' => $mode,
            'client_id' => $clients[$mode],
        ]);
        return self::CONNECTED;
    }

    /** @param array<string, string> $changed */
    private function updateSettings(array $changed): void
    {
        $settings = get_option(Settings::OPTION, []);
        update_option(Settings::OPTION, $changed + (is_array($settings) ? $settings : []));
    }

    private static function shopName(): string
    {
        $name = trim(html_entity_decode(wp_strip_all_tags(get_bloginfo('name')), ENT_QUOTES));
        return $name === '' ? (string) wp_parse_url(home_url(), PHP_URL_HOST) : $name;
    }

    private static function transientName(int $userId): string
    {
        return 'tillgate_connecting_' . $userId;
    }

    private static function randomToken(): string
    {
        return self::base64Url(random_bytes(self::RANDOM_BYTES));
    }

    private static function base64Url(string $bytes): string
    {
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- Required by RFC 7636.
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
