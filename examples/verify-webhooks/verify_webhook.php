<?php

declare(strict_types=1);

/**
 * Whether a delivery is Tillgate's. Call it before the body is parsed; anything but "ok" is answered 401.
 *
 * @param array<string, string> $headers as received, names in any case
 * @param string $body exactly as received
 * @param list<string> $secrets client secrets, or "whsec_…" of endpoints; one that signed is enough
 * @param int $now your clock, in seconds since 1970
 * @return string "ok", "missing_header", "bad_signature" or "stale"
 * @throws InvalidArgumentException for a secret that is no key
 */
function tillgate_verify_webhook(array $headers, string $body, array $secrets, int $now): string
{
    $keys = array_map('tillgate_webhook_key', $secrets);
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $at = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || $at === '' || $signatures === '') {
        return 'missing_header';
    }

    $given = array_filter(explode(' ', $signatures), fn (string $one): bool => str_starts_with($one, 'v1,'));
    $well_formed = preg_match('/^[A-Za-z0-9_-]+$/D', $id) === 1
        && preg_match('/^(0|[1-9][0-9]{0,10})$/D', $at) === 1
        && count($given) <= 16
        && preg_match('//u', $body) === 1;
    if (!$well_formed) {
        return 'bad_signature';
    }

    $genuine = false;
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
        foreach ($given as $one) {
            $genuine = hash_equals($expected, $one) || $genuine;
        }
    }
    if (!$genuine) {
        return 'bad_signature';
    }
    return abs($now - (int) $at) <= 300 ? 'ok' : 'stale';
}

/** The bytes that sign: of an endpoint's secret the base64 part, of a client secret the text itself. */
function tillgate_webhook_key(string $secret): string
{
    if ($secret === '') {
        throw new InvalidArgumentException('The webhook secret is empty.');
    }
    if (!str_starts_with($secret, 'whsec_')) {
        return $secret;
    }
    $encoded = substr($secret, 6);
    $key = (string) base64_decode($encoded, true);
    if (base64_encode($key) !== $encoded || strlen($key) < 24 || strlen($key) > 64) {
        throw new InvalidArgumentException('A webhook secret is "whsec_" and the base64 of 24 to 64 bytes.');
    }
    return $key;
}
