<?php

namespace Tillgate\WooCommerce\Shop;

/** Stores secrets outside the gateway's settings, which WooCommerce exposes in its REST API. A secret belongs to one mode, client ID and server. */
final class Credentials
{
    public const OPTION = 'tillgate_credentials';
    /** Validity of a rotated secret, the same as in Tillgate. */
    public const OVERLAP_SECONDS = 86400;
    /** Placeholder for a secret that was saved before its client ID. */
    private const NO_CLIENT_ID = '';

    /**
     * Makes a secret current, and retires the mode's other secrets. A stored secret is reused only for its mode, client ID and Tillgate
     * server, because it is sent to that server.
     * @param string|null $secret null to use the stored secret, if any
     */
    public static function save(string $mode, string $clientId, ?string $secret, string $address): void
    {
        $previous = array_values(array_filter(self::records(), [self::class, 'isUsable']));
        if ($secret === null && self::indexOf($previous, $mode, $clientId, $address) === null && $clientId !== self::NO_CLIENT_ID) {
            // The secret was saved before its client ID.
            $unassigned = self::indexOf($previous, $mode, self::NO_CLIENT_ID, $address);
            if ($unassigned !== null) {
                $previous[$unassigned]['client_id'] = $clientId;
            }
        }
        $index = self::indexOf($previous, $mode, $clientId, $address);
        $isStored = $index !== null && ($secret === null || SecretBox::open($previous[$index]['secret']) === $secret);
        $records = $previous;
        foreach ($records as $number => $record) {
            // Secrets of the other mode stay current.
            if ($record['retired_at'] === null && $record['mode'] === $mode) {
                $records[$number]['retired_at'] = time();
            }
        }
        if ($isStored) {
            // Move to the end, as the newest.
            $current = array_merge($records[$index], ['address' => $address, 'retired_at' => null]);
            unset($records[$index]);
            $records = array_merge($records, [$current]);
        } elseif ($secret !== null) {
            $records[] = [
                'mode' => $mode,
                'client_id' => $clientId,
                'secret' => SecretBox::seal($secret),
                'address' => $address,
                'retired_at' => null,
            ];
        }
        if ($records !== self::records()) {
            update_option(self::OPTION, $records, false);
            SiteAddress::saveIfNew();
        }
    }

    /** Deletes all secrets, including retired ones. */
    public static function deleteAll(): void
    {
        delete_option(self::OPTION);
    }

    /** @return string|null current secret of this mode, client ID and server; null if missing or unreadable */
    public static function currentSecret(string $mode, string $clientId, string $address): ?string
    {
        foreach (self::all() as $credential) {
            $isSameServer = self::hostOf($credential->address) === self::hostOf($address);
            if ($credential->retiredAt === null && $isSameServer && $credential->belongsTo($mode, $clientId)) {
                return $credential->secret;
            }
        }
        return null;
    }

    /** @return array<string, string> URLs of the Tillgate servers with current secrets, by host; empty if the shop is not connected */
    public static function connectedAddresses(): array
    {
        $inUse = array_filter(self::records(), static function (array $record): bool {
            return $record['retired_at'] === null;
        });
        $addresses = array_column($inUse, 'address');
        return array_combine(array_map([self::class, 'hostOf'], $addresses), $addresses);
    }

    /** @return string host and port of a URL */
    public static function hostOf(string $address): string
    {
        $port = wp_parse_url($address, PHP_URL_PORT);
        return strtolower((string) wp_parse_url($address, PHP_URL_HOST)) . ($port === null ? '' : ":$port");
    }

    /** Whether a current secret is stored, even if it is unreadable. */
    public static function isStored(string $mode, string $clientId, string $address): bool
    {
        $index = self::indexOf(self::records(), $mode, $clientId, $address);
        return $index !== null && self::records()[$index]['retired_at'] === null;
    }

    /** @return string|null client ID of this mode's current secret */
    public static function currentClientId(string $mode): ?string
    {
        foreach (array_reverse(self::all()) as $credential) {
            if ($credential->retiredAt === null && $credential->mode === $mode) {
                return $credential->clientId;
            }
        }
        return null;
    }

    /** @return Credential[] of this mode and client ID, newest first */
    public static function forClient(string $mode, string $clientId): array
    {
        return array_values(array_filter(array_reverse(self::all()), static function (Credential $credential) use ($mode, $clientId): bool {
            return $credential->belongsTo($mode, $clientId);
        }));
    }

    /** @return Credential[] all credentials whose secrets are accepted for webhooks, oldest first */
    public static function all(): array
    {
        $credentials = [];
        foreach (array_filter(self::records(), [self::class, 'isUsable']) as $record) {
            $secret = SecretBox::open($record['secret']);
            if ($secret !== null) {
                $credentials[] = new Credential(
                    self::recordId($record),
                    $record['mode'],
                    $record['client_id'],
                    $secret,
                    $record['address'],
                    $record['retired_at']
                );
            }
        }
        return $credentials;
    }

    /** @return Credential[] retired credentials, oldest first */
    public static function retired(): array
    {
        return array_values(array_filter(self::all(), static function (Credential $credential): bool {
            return $credential->retiredAt !== null;
        }));
    }

    /** @return bool false if no retired secret has this ID */
    public static function revoke(string $id): bool
    {
        $records = self::records();
        $remaining = array_values(array_filter($records, static function (array $record) use ($id): bool {
            return $record['retired_at'] === null || self::recordId($record) !== $id;
        }));
        if (count($remaining) === count($records)) {
            return false;
        }
        update_option(self::OPTION, $remaining, false);
        return true;
    }

    public static function secrets(): array
    {
        return array_map(static function (Credential $credential): string {
            return $credential->secret;
        }, self::all());
    }

    /** @param array{mode: string, client_id: string, secret: string, address: string, retired_at: int|null} $record */
    private static function isUsable(array $record): bool
    {
        return $record['retired_at'] === null || $record['retired_at'] + self::OVERLAP_SECONDS > time();
    }

    /** @param array{mode: string, client_id: string, secret: string, address: string, retired_at: int|null} $record */
    private static function recordId(array $record): string
    {
        return substr(hash('sha256', $record['secret']), 0, 16);
    }

    /**
     * @param array<int, array{mode: string, client_id: string, secret: string, address: string, retired_at: int|null}> $records
     * @return int|null index of the newest record of this mode, client ID and server
     */
    private static function indexOf(array $records, string $mode, string $clientId, string $address): ?int
    {
        foreach (array_reverse($records, true) as $index => $record) {
            $isSameServer = self::hostOf($record['address']) === self::hostOf($address);
            if ($isSameServer && $record['mode'] === $mode && $record['client_id'] === $clientId) {
                return $index;
            }
        }
        return null;
    }

    /** @return array<int, array{mode: string, client_id: string, secret: string, address: string, retired_at: int|null}> */
    private static function records(): array
    {
        $records = get_option(self::OPTION, []);
        // Ignore records without a server, because their secret could be sent to any server.
        return array_values(array_filter(is_array($records) ? $records : [], static function ($record): bool {
            return is_array($record) && isset($record['address']);
        }));
    }
}
