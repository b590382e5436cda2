<?php

namespace Tillgate\WooCommerce\Shop;

/** What Tillgate told of each client when this shop was connected: whose it is, and where its pages in the console are. */
final class Accounts
{
    public const OPTION = 'tillgate_accounts';
    /** Each new connection brings two clients; payments of the ones before are still looked at. */
    private const KEPT = 20;

    /** @param string|null $console null where Tillgate has no console */
    public static function remember(string $clientId, string $name, ?string $console): void
    {
        $accounts = self::all();
        unset($accounts[$clientId]);
        $accounts[$clientId] = ['name' => $name, 'console' => $console];
        update_option(self::OPTION, array_slice($accounts, -self::KEPT, null, true), false);
    }

    /** @return string empty where its keys were pasted */
    public static function nameOf(string $clientId): string
    {
        return self::all()[$clientId]['name'] ?? '';
    }

    /**
     * @param string $page below the mode, such as `orders/POS-…`
     * @return string|null null where its keys were pasted
     */
    public static function consolePage(string $clientId, string $mode, string $page): ?string
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
