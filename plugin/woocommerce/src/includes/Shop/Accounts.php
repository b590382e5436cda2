<?php

namespace Tillgate\WooCommerce\Shop;

/** The Tillgate account of each client ID: merchant name and console URL. */
final class Accounts
{
    public const OPTION = 'tillgate_accounts';
    /** Each connection adds two client IDs; earlier client IDs are kept for links to their payments. */
    private const MAX_ACCOUNTS = 20;

    /** @param array<string, mixed> $account response of the API with `merchant_name` and `console_url` */
    public static function save(string $clientId, array $account): void
    {
        $accounts = self::all();
        unset($accounts[$clientId]);
        $name = $account['merchant_name'] ?? null;
        $console = $account['console_url'] ?? null;
        $accounts[$clientId] = [
            'name' => is_string($name) ? $name : '',
            // Validated, because order screens link to it.
            'console' => is_string($console) && Connection::isSecure($console) ? rtrim(esc_url_raw($console), '/') : null,
        ];
        update_option(self::OPTION, array_slice($accounts, -self::MAX_ACCOUNTS, null, true), false);
    }

    public static function isKnown(string $clientId): bool
    {
        return isset(self::all()[$clientId]);
    }

    /** @return string merchant name; empty if unknown */
    public static function name(string $clientId): string
    {
        return self::all()[$clientId]['name'] ?? '';
    }

    /**
     * @param string $page path below the mode, such as `orders/POS-…`
     * @return string|null null if the account or its console URL is unknown
     */
    public static function consoleUrl(string $clientId, string $mode, string $page): ?string
    {
        $console = self::all()[$clientId]['console'] ?? null;
        return $console === null ? null : $console . '/' . $mode . '/' . implode('/', array_map('rawurlencode', explode('/', $page)));
    }

    /** @return array<string, array{name: string, console: string|null}> by client ID, newest last */
    private static function all(): array
    {
        $accounts = get_option(self::OPTION, []);
        return is_array($accounts) ? $accounts : [];
    }
}
