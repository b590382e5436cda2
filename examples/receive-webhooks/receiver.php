<?php

declare(strict_types=1);

/*
 * Receives Tillgate's webhooks: verifies each, processes it once, then returns 2xx. Put this file where your web server runs PHP (nginx or Apache with
 * PHP-FPM, mod_php) and give it two environment variables:
 *   TILLGATE_WEBHOOK_SECRET  the client secret for an order's callback_url, or the whsec_… secret of an endpoint; several, separated by
 *                            spaces, while one is being replaced
 *   TILLGATE_DATABASE        your database as PDO writes it, such as sqlite:/var/lib/shop/shop.db
 */

const TILLGATE_MAX_BODY_BYTES = 256 * 1024;

/** Handles an event in the transaction that also stores its ID. An exception rolls both back, and Tillgate sends the event again. */
function tillgate_handle_event(array $event, PDO $database): void
{
    switch ($event['event']) {
        case 'pos.order.paid':
            // Compare order, amount and currency with your own records before you ship.
            error_log("Order {$event['data']['order_id']} is paid: {$event['data']['amount']} {$event['data']['currency']}");
            break;
        case 'payout.completed':
            error_log("Payout {$event['payout_id']} completed");
            break;
        default:
            // Ignore events you don't use; new ones may be added.
    }
}

/** @return int the response status; Tillgate retries anything other than 2xx */
function tillgate_receive_webhook(): int
{
    if (($_SERVER['REQUEST_METHOD'] ?? '') !== 'POST') {
        return 405;
    }
    $body = (string) file_get_contents('php://input', false, null, 0, TILLGATE_MAX_BODY_BYTES + 1);
    if (strlen($body) > TILLGATE_MAX_BODY_BYTES) {
        return 413;
    }
    // All web servers provide a request's headers here, under the same names.
    $headers = [
        'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
        'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
        'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    ];
    $secrets = explode(' ', (string) getenv('TILLGATE_WEBHOOK_SECRET'));
    if (tillgate_verify_webhook($headers, $body, $secrets, time()) !== 'ok') {
        return 401;
    }
    $event = json_decode($body, true, 64, JSON_THROW_ON_ERROR);
    $database = new PDO((string) getenv('TILLGATE_DATABASE'), null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $database->exec('CREATE TABLE IF NOT EXISTS tillgate_events (id VARCHAR(64) PRIMARY KEY)');
    $known = $database->prepare('SELECT 1 FROM tillgate_events WHERE id = ?');
    $known->execute([$event['id']]);
    if ($known->fetch() !== false) {
        return 200;
    }
    $database->beginTransaction();
    // Of two concurrent deliveries, the second fails here and is retried.
    $database->prepare('INSERT INTO tillgate_events (id) VALUES (?)')->execute([$event['id']]);
    tillgate_handle_event($event, $database);
    $database->commit();
    return 200;
}

/**
 * Verifies that a delivery is from Tillgate. Call it before you parse the body, and respond with 401 to anything other than "ok".
 *
 * @param array<string, string> $headers as received, names in any case
 * @param string $body exactly as received
 * @param list<string> $secrets client secrets, or "whsec_…" of endpoints; a signature by one of them is enough
 * @param int $now your clock, in seconds since 1970
 * @return string "ok", "missing_header", "bad_signature" or "stale"
 * @throws InvalidArgumentException for an invalid secret
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

/**
 * The HMAC key: the decoded base64 part of an endpoint's secret, or the bytes of a client secret.
 *
 * @throws InvalidArgumentException for an empty or malformed secret
 */
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
        throw new InvalidArgumentException('A webhook secret must be "whsec_" followed by 24 to 64 base64-encoded bytes.');
    }
    return $key;
}

// On the command line, as in a test, this file only defines its functions.
if (PHP_SAPI !== 'cli') {
    try {
        $status = tillgate_receive_webhook();
    } catch (Throwable $error) {
        error_log($error->getMessage());
        $status = 500;
    }
    http_response_code($status);
}
