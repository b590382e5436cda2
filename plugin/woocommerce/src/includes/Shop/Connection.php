<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\ApiConnectionError;
use Tillgate\WooCommerce\Api\ApiError;
use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\WithServices;

/**
 * Connects this shop to an account at Tillgate without copying keys: OAuth 2.0's authorization code with PKCE (RFC 7636). The owner is led to
 * Tillgate with a challenge, agrees there, and comes back with a code that only this server can exchange.
 */
final class Connection
{
    use WithServices;

    public const CONNECTED = 'connected';
    public const DECLINED = 'declined';
    /** Nobody here asked for this return, or it came too late or a second time. */
    public const INVALID_STATE = 'unasked';
    public const REJECTED = 'refused';
    public const UNREACHABLE = 'unreachable';
    public const DISCONNECTED = 'disconnected';
    /** The shop is connected to another Tillgate. */
    public const OTHER_TILLGATE = 'elsewhere';

    /** How long the owner has to sign in or make an account, and agree: as long as a mailed link lasts. */
    private const STATE_TTL_SECONDS = 1800;
    private const RANDOM_BYTES = 32;

    /** Whether secrets may go there: https, or this machine itself. Letters beyond ASCII can look like those of another host. */
    public static function isSecure(string $address): bool
    {
        $host = wp_parse_url($address, PHP_URL_HOST);
        $scheme = strtolower((string) wp_parse_url($address, PHP_URL_SCHEME));
        return is_string($host)
            && preg_match('/^[a-z0-9._:[\]-]+$/iD', $host) === 1
            && ($scheme === 'https' || ($scheme === 'http' && self::isLoopback(strtolower($host))));
    }

    /** A name below localhost is asked of a name server by many hosts, so it is none. */
    private static function isLoopback(string $host): bool
    {
        return in_array($host, ['localhost', '[::1]', '::1'], true)
            || (str_starts_with($host, '127.') && filter_var($host, FILTER_VALIDATE_IP, FILTER_FLAG_IPV4) !== false);
    }

    /** Whether real money may go there: https only. */
    public static function allowsLiveMode(string $address): bool
    {
        return strtolower((string) wp_parse_url($address, PHP_URL_SCHEME)) === 'https';
    }

    /** Whether the shop may be connected there: a connected one only where it is, until its owner disconnects it. */
    public static function canConnectTo(string $address): bool
    {
        $connected = Credentials::connectedAddresses();
        return $connected === [] || isset($connected[Credentials::hostOf($address)]);
    }

    /**
     * @param string $address where Tillgate is, `https://api.example`
     * @return string where the owner goes, to be asked
     */
    public function start(int $userId, string $address, string $returnUrl): string
    {
        $state = self::randomToken();
        $verifier = self::randomToken();
        // One at a time for each user: another begin takes its place.
        set_transient(self::transientName($userId), ['state' => $state, 'verifier' => $verifier, 'address' => $address], self::STATE_TTL_SECONDS);
        return add_query_arg(array_map('rawurlencode', [
            'platform' => 'woocommerce',
            'shop_name' => mb_substr(self::shopName(), 0, 100),
            'shop_url' => home_url(),
            'return_url' => $returnUrl,
            'state' => $state,
            'code_challenge' => self::base64Url(hash('sha256', $verifier, true)),
            'code_challenge_method' => 'S256',
        ]), $address . '/connect');
    }

    /**
     * The owner is back. Only what this user began is believed, once.
     *
     * @param array<string, string> $query of the address
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
            $connected = Client::forConnect($pending['address'])->exchange([
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
        return $this->saveKeys($pending['address'], $connected);
    }

    /** The keys end, as replaced ones do: payments under way are still followed for a day. */
    public function disconnect(): string
    {
        foreach (['sandbox', 'live'] as $mode) {
            Credentials::save($mode, '', null, $this->services->settings->apiUrl());
        }
        $this->updateSettings(['enabled' => 'no', 'client_id' => '']);
        return self::DISCONNECTED;
    }

    /**
     * This site is a copy: it gets rid of the real shop's keys at once, and lets go of its open payments. Once the question is answered,
     * another answer from an old page changes nothing.
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

    /** @param array<string, mixed> $connected what Tillgate gave: keys of each mode that this shop may use */
    private function saveKeys(string $address, array $connected): string
    {
        $clients = [];
        foreach (SiteAddress::isCopy() ? ['sandbox'] : ['sandbox', 'live'] as $mode) {
            $given = $connected[$mode] ?? null;
            if (is_array($given) && is_string($given['client_id'] ?? null) && is_string($given['client_secret'] ?? null)) {
                $clients[$mode] = $given['client_id'];
                Credentials::save($mode, $given['client_id'], $given['client_secret'], $address);
                Accounts::save($given['client_id'], $connected);
            }
        }
        $mode = isset($clients[$this->services->settings->mode()]) ? $this->services->settings->mode() : 'sandbox';
        if (!isset($clients[$mode])) {
            return self::REJECTED;
        }
        $this->updateSettings([
            'enabled' => 'yes',
            'address' => $address,
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
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- RFC 7636 writes the challenge so.
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
