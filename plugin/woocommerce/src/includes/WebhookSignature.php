<?php

namespace Tillgate\WooCommerce;

/** Verifies the Standard Webhooks headers of a delivery before its body is parsed. */
final class WebhookSignature
{
    public const TOLERANCE_SECONDS = 300;
    /** A secret rotation needs two signatures. A delivery with more signatures than this is rejected without verifying them. */
    private const MAX_SIGNATURES = 16;

    public const OK = 'ok';
    public const MISSING_HEADER = 'missing_header';
    public const BAD_SIGNATURE = 'bad_signature';
    /** Valid signature, but the timestamp is outside the tolerance: a replay attack or a wrong clock. */
    public const STALE = 'stale';

    /**
     * Verifies a signature in constant time. Ignores X-Tillgate-Signature, which has no timestamp and would allow replay attacks.
     * @param string[] $secrets accepted client secrets
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
        $received = array_filter(explode(' ', $signature), static function (string $candidate): bool {
            return strncmp($candidate, 'v1,', 3) === 0;
        });
        $isWellFormed = preg_match('/^[\w-]+$/D', $id) === 1
            && preg_match('/^(0|[1-9]\d{0,10})$/D', $timestamp) === 1
            && count($received) <= self::MAX_SIGNATURES
            // Tillgate only sends UTF-8.
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
            // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_encode -- Required by Standard Webhooks.
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach ($received as $candidate) {
                $isGenuine = hash_equals($expected, $candidate) || $isGenuine;
            }
        }
        if (!$isGenuine) {
            return self::BAD_SIGNATURE;
        }
        return abs($nowSeconds - (int) $timestamp) <= $toleranceSeconds ? self::OK : self::STALE;
    }

    /**
     * Verifies the replay header's signature. Without it, an attacker could add the header to a recorded delivery to have the event processed
     * again.
     * @param string[] $secrets accepted client secrets
     */
    public static function isReplay(string $id, string $timestamp, string $replayId, string $signature, array $secrets): bool
    {
        if ($replayId === '' || $signature === '') {
            return false;
        }
        return self::verify($id, $timestamp, $signature, "replay.$replayId", $secrets, (int) $timestamp) === self::OK;
    }

    /** Returns a client secret as is, or the decoded base64 part of a console endpoint's `whsec_…` secret; empty if that is invalid. */
    private static function signingKey(string $secret): string
    {
        if (strncmp($secret, 'whsec_', 6) !== 0) {
            return $secret;
        }
        // phpcs:ignore WordPress.PHP.DiscouragedPHPFunctions.obfuscation_base64_decode -- Required by Standard Webhooks.
        return (string) base64_decode(substr($secret, 6), true);
    }
}
