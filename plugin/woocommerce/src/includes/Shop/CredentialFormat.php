<?php

namespace Tillgate\WooCommerce\Shop;

/** Recognizes a client secret entered as the client ID, which is stored unencrypted, and a client ID entered as the client secret. */
final class CredentialFormat
{
    /** Prefixes of client secrets, API tokens and webhook endpoint secrets. */
    private const SECRET = '/^(tgs_|tgt_|whsec_)/i';
    private const CLIENT_ID = '/^tg_(test|live)_/i';

    /** @return string|null error message for the merchant; null if it may be a client ID */
    public static function clientIdError(string $clientId): ?string
    {
        $isStoredSecret = false;
        foreach ($clientId === '' ? [] : Credentials::secrets() as $secret) {
            $isStoredSecret = hash_equals($secret, $clientId) || $isStoredSecret;
        }
        return $isStoredSecret || preg_match(self::SECRET, $clientId) === 1
            ? __('This is a client secret, not a client ID, so it wasn’t saved. Client IDs start with tg_.', 'tillgate-for-woocommerce')
            : null;
    }

    /** @return string|null error message for the merchant; null if it may be a client secret */
    public static function secretError(string $secret): ?string
    {
        return preg_match(self::CLIENT_ID, $secret) === 1
            ? __('This is a client ID, not a client secret, so it wasn’t saved. Client secrets start with tgs_.', 'tillgate-for-woocommerce')
            : null;
    }
}
