<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * The client secrets, outside of the gateway's own settings, which WooCommerce shows over its REST API. A secret that is
 * replaced still verifies webhooks and reaches its payments for as long as Tillgate lets both work.
 */
final class Credentials
{
    public const OPTION = 'tillgate_credentials';
    /** Tillgate lets a rotated secret work this long. */
    private const OVERLAP_SECONDS = 86400;

    /**
     * Stores the secret that works from now on for this mode and client.
     *
     * @param string|null $secret null keeps the stored one
     */
    public static function save(string $mode, string $clientId, ?string $secret): void
    {
        $records = self::records();
        $current = self::currentOf($records);
        if ($secret === null) {
            // Another client id or mode without another secret: the owner enters one after the other.
            $secret = $current === null ? null : SecretBox::open($current['secret']);
        }
        if ($secret === null || $clientId === '') {
            return;
        }
        $isSame = $current !== null && $current['mode'] === $mode && $current['client_id'] === $clientId
            && SecretBox::open($current['secret']) === $secret;
        if ($isSame) {
            return;
        }
        foreach ($records as $index => $record) {
            if ($record['retired_at'] === null) {
                $records[$index]['retired_at'] = time();
            }
        }
        $records[] = [
            'mode' => $mode,
            'client_id' => $clientId,
            'secret' => SecretBox::seal($secret),
            'retired_at' => null,
        ];
        update_option(self::OPTION, array_values(array_filter($records, [self::class, 'isLive'])), false);
    }

    /** @return string|null null where there is none, or none that can be read */
    public static function current(): ?string
    {
        $current = self::currentOf(self::records());
        return $current === null ? null : SecretBox::open($current['secret']);
    }

    public static function isStored(): bool
    {
        return self::currentOf(self::records()) !== null;
    }

    /** @return string|null the secret for a payment that was begun with this mode and client */
    public static function secretOf(string $mode, string $clientId): ?string
    {
        foreach (array_reverse(self::live()) as $record) {
            if ($record['mode'] === $mode && $record['client_id'] === $clientId) {
                return SecretBox::open($record['secret']);
            }
        }
        return null;
    }

    /** @return string[] every secret that may have signed a webhook */
    public static function verifying(): array
    {
        $secrets = array_map(static function (array $record): ?string {
            return SecretBox::open($record['secret']);
        }, self::live());
        return array_values(array_filter($secrets, 'is_string'));
    }

    /** @return array<int, array{mode: string, client_id: string, secret: string, retired_at: int|null}> */
    private static function live(): array
    {
        return array_values(array_filter(self::records(), [self::class, 'isLive']));
    }

    /** @param array{mode: string, client_id: string, secret: string, retired_at: int|null} $record */
    private static function isLive(array $record): bool
    {
        return $record['retired_at'] === null || $record['retired_at'] + self::OVERLAP_SECONDS > time();
    }

    /** @return array<int, array{mode: string, client_id: string, secret: string, retired_at: int|null}> */
    private static function records(): array
    {
        $records = get_option(self::OPTION, []);
        return is_array($records) ? $records : [];
    }

    /**
     * @param array<int, array{mode: string, client_id: string, secret: string, retired_at: int|null}> $records
     * @return array{mode: string, client_id: string, secret: string, retired_at: int|null}|null
     */
    private static function currentOf(array $records): ?array
    {
        foreach (array_reverse($records) as $record) {
            if ($record['retired_at'] === null) {
                return $record;
            }
        }
        return null;
    }
}
