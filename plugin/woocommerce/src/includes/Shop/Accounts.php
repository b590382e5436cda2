<?php

namespace Tillgate\WooCommerce\Shop;

/** What Tillgate told of each client: whose it is, and where its pages in the console are. */
final class Accounts
{
    public const OPTION = 'tillgate_accounts';
    /** Each new connection brings two clients; payments of the ones before are still looked at. */
    private const MAX_ACCOUNTS = 20;

    /** @param array<string, mixed> $account as Tillgate tells it: `merchant_name` and `console_url` */
    public static function save(string $clientId, array $account): void
    {
        $accounts = self::all();
        unset($accounts[$clientId]);
        $name = $account['merchant_name'] ?? null;
        $console = $account['console_url'] ?? null;
        $accounts[$clientId] = [
            'name' => is_string($name) ? $name : '',
            // Owners are led there by links on the screens of orders.
            'console' => is_string($console) && Connection::isSecure($console) ? rtrim(esc_url_raw($console), '/') : null,
        ];
        update_option(self::OPTION, array_slice($accounts, -self::MAX_ACCOUNTS, null, true), false);
    }

    public static function isKnown(string $clientId): bool
    {
        return isset(self::all()[$clientId]);
    }

    /** @return string empty where nobody told yet */
    public static function name(string $clientId): string
    {
        return self::all()[$clientId]['name'] ?? '';
    }

    /**
     * @param string $page below the mode, such as `orders/POS-…`
     * @return string|null null where nobody told yet, or where there is no console
     */
    public static function consoleUrl(string $clientId, string $mode, string $page): ?string
    {
        $console = self::all()[$clientId]['console'] ?? null;
        return $console === null ? null : $console . '/' . $mode . '/' . implode('/', array_map('rawurlencode', explode('/', $page)));
    }

    /** @return array<string, array{name: string, console: string|null}> by client id, the newest last */
    private static function all(): array
    {
        $accounts = get_option(self::OPTION, []);
        return is_array($accounts) ? $accounts : [];
    }
}
