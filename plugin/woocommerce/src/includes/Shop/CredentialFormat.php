<?php

namespace Tillgate\WooCommerce\Shop;

/** Recognises a client secret that was pasted as client ID, and the reverse: a secret as client ID would be stored as text. */
final class CredentialFormat
{
    /** How Tillgate's secrets begin: client secrets, API tokens, secrets of webhook endpoints. */
    private const SECRET = '/^(tgs_|tgt_|whsec_)/i';
    private const CLIENT_ID = '/^tg_(test|live)_/i';

    /** @return string|null why this is no client ID, for the shop's owner; null where it may be one */
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

    /** @return string|null why this is no client secret, for the shop's owner; null where it may be one */
    public static function secretError(string $secret): ?string
    {
        return preg_match(self::CLIENT_ID, $secret) === 1
            ? __('This is a client ID, not a client secret, so it wasn’t saved. Client secrets start with tgs_.', 'tillgate-for-woocommerce')
            : null;
    }
}
