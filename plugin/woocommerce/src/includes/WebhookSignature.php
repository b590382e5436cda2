<?php

namespace Tillgate\WooCommerce;

/** Checks the Standard Webhooks headers of a delivery, before anything of its body is parsed. */
final class WebhookSignature
{
    public const TOLERANCE_SECONDS = 300;
    /** More signatures than any rotation makes are not even looked at. */
    private const MAX_SIGNATURES = 16;

    public const OK = 'ok';
    public const MISSING_HEADER = 'missing_header';
    public const BAD_SIGNATURE = 'bad_signature';
    /** Genuine, but sent too long ago or too far in the future: a replay or a wrong clock. */
    public const STALE = 'stale';

    /**
     * The comparison takes the same time wherever a signature differs. The simple header is not looked at: it carries no
     * time, so it would let a delivery be replayed.
     *
     * @param string[] $secrets every client secret that may have signed; one is enough
     * @return string one of the constants above
     */
    public static function verify(
        string $id,
        string $timestamp,
        string $signature,
        string $body,
        array $secrets,
        int $nowSeconds,
        int $toleranceSeconds = self::TOLERANCE_SECONDS
    ): string {
        if ($id === '' || $timestamp === '' || $signature === '') {
            return self::MISSING_HEADER;
        }
        $received = array_filter(explode(' ', $signature), static function (string $one): bool {
            return strncmp($one, 'v1,', 3) === 0;
        });
        $isWellFormed = preg_match('/^[\w-]+$/D', $id) === 1
            && preg_match('/^(0|[1-9]\d{0,10})$/D', $timestamp) === 1
            && count($received) <= self::MAX_SIGNATURES
            // A body that is no UTF-8 is none that Tillgate sends.
            && preg_match('//u', $body) === 1;
        if (!$isWellFormed) {
            return self::BAD_SIGNATURE;
        }
        $isGenuine = false;
        foreach ($secrets as $secret) {
            $key = self::signingKey($secret);
            if ($key === '') {
                continue;
            }
            // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- As the standard says.
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach ($received as $one) {
                $isGenuine = hash_equals($expected, $one) || $isGenuine;
            }
        }
        if (!$isGenuine) {
            return self::BAD_SIGNATURE;
        }
        return abs($nowSeconds - (int) $timestamp) <= $toleranceSeconds ? self::OK : self::STALE;
    }

    /**
     * The replay that sends a genuine delivery again. Its header counts only with its own signature, which binds it to this delivery:
     * anybody could add it to one that was recorded, and have an event decided again.
     *
     * @param string[] $secrets every client secret that may have signed
     */
    public static function isReplay(string $id, string $timestamp, string $replayId, string $signature, array $secrets): bool
    {
        if ($replayId === '' || $signature === '') {
            return false;
        }
        return self::verify($id, $timestamp, $signature, "replay.$replayId", $secrets, (int) $timestamp) === self::OK;
    }

    /** The bytes that sign: of a client secret its text, of a dashboard endpoint's `whsec_…` what its base64 says. */
    private static function signingKey(string $secret): string
    {
        if (strncmp($secret, 'whsec_', 6) !== 0) {
            return $secret;
        }
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- As the standard says.
        return (string) base64_decode(substr($secret, 6), true);
    }
}
