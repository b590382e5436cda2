<?php

namespace Tillgate\WooCommerce\Shop;

/** Encrypts secrets with a key derived from the salts in wp-config.php. After the salts change, secrets have to be entered again. */
final class SecretBox
{
    private const PREFIX = 'v1:';

    public static function seal(string $secret): string
    {
        $nonce = random_bytes(SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- Encodes binary data.
        return self::PREFIX . base64_encode($nonce . sodium_crypto_secretbox($secret, $nonce, self::key()));
    }

    /** @return string|null null if the text was not sealed by this class or was changed, or if the salts have changed */
    public static function open(string $sealed): ?string
    {
        if (strncmp($sealed, self::PREFIX, strlen(self::PREFIX)) !== 0) {
            return null;
        }
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- Decodes binary data.
        $bytes = base64_decode(substr($sealed, strlen(self::PREFIX)), true);
        if ($bytes === false || strlen($bytes) <= SODIUM_CRYPTO_SECRETBOX_NONCEBYTES) {
            return null;
        }
        $nonce = substr($bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES);
        $secret = sodium_crypto_secretbox_open(
            substr($bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES),
            $nonce,
            self::key()
        );
        return $secret === false ? null : $secret;
    }

    private static function key(): string
    {
        return hash('sha256', 'tillgate-for-woocommerce|' . wp_salt('auth') . '|' . wp_salt('secure_auth'), true);
    }
}
