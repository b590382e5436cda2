<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * The client secrets, outside of the gateway's own settings, which WooCommerce shows over its REST API. Each belongs to the
 * mode, client and Tillgate that it was entered for. One that is replaced still verifies reports and reaches its payments for as long
 * as Tillgate lets both work, or until the owner ends it.
 */
final class Credentials
{
    public const OPTION = 'tillgate_credentials';
    /** Tillgate lets a rotated secret work this long. */
    public const OVERLAP_SECONDS = 86400;
    /** Of a secret that was entered before its client id. */
    private const NO_CLIENT_ID = '';

    /**
     * Stores what works from now on. A secret is never taken over for another mode, client or Tillgate than it was entered for: a new
     * address would otherwise be sent the secret.
     *
     * @param string|null $secret  null: keep the secret that is stored for this mode, client and Tillgate, and use it again if it was replaced
     * @param string      $address where Tillgate is
     */
    public static function save(string $mode, string $clientId, ?string $secret, string $address): void
    {
        $before = array_values(array_filter(self::records(), [self::class, 'isUsable']));
        if ($secret === null && self::indexOf($before, $mode, $clientId, $address) === null && $clientId !== self::NO_CLIENT_ID) {
            // Entered first, by itself: this is the client that it was waiting for.
            $waiting = self::indexOf($before, $mode, self::NO_CLIENT_ID, $address);
            if ($waiting !== null) {
                $before[$waiting]['client_id'] = $clientId;
            }
        }
        $index = self::indexOf($before, $mode, $clientId, $address);
        $isStored = $index !== null && ($secret === null || SecretBox::open($before[$index]['secret']) === $secret);
        $records = $before;
        foreach ($records as $number => $record) {
            // Each mode keeps its own: another mode's secret stays in use.
            if ($record['retired_at'] === null && $record['mode'] === $mode) {
                $records[$number]['retired_at'] = time();
            }
        }
        if ($isStored) {
            // Last, as the newest: the others are tried after it, also one that took its place meanwhile.
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

    /** Deletes every secret, also the retired ones. */
    public static function deleteAll(): void
    {
        delete_option(self::OPTION);
    }

    /** @return string|null the secret in use for this mode, client and Tillgate; null where there is none, or none that can be read */
    public static function currentSecret(string $mode, string $clientId, string $address): ?string
    {
        foreach (self::all() as $credential) {
            $isOfTillgate = self::hostOf($credential->address) === self::hostOf($address);
            if ($credential->retiredAt === null && $isOfTillgate && $credential->belongsTo($mode, $clientId)) {
                return $credential->secret;
            }
        }
        return null;
    }

    /** @return array<string, string> the addresses, by host, of the Tillgates whose secrets are in use; none: the shop is not connected */
    public static function connectedAddresses(): array
    {
        $inUse = array_filter(self::records(), static function (array $record): bool {
            return $record['retired_at'] === null;
        });
        $addresses = array_column($inUse, 'address');
        return array_combine(array_map([self::class, 'hostOf'], $addresses), $addresses);
    }

    /** @return string host and port of an address */
    public static function hostOf(string $address): string
    {
        $port = wp_parse_url($address, PHP_URL_PORT);
        return strtolower((string) wp_parse_url($address, PHP_URL_HOST)) . ($port === null ? '' : ":$port");
    }

    /** Whether a secret is stored for this mode, client and Tillgate, be it one that cannot be read. */
    public static function isStored(string $mode, string $clientId, string $address): bool
    {
        $index = self::indexOf(self::records(), $mode, $clientId, $address);
        return $index !== null && self::records()[$index]['retired_at'] === null;
    }

    /** @return string|null the client whose secret is in use in this mode */
    public static function currentClientId(string $mode): ?string
    {
        foreach (array_reverse(self::all()) as $credential) {
            if ($credential->retiredAt === null && $credential->mode === $mode) {
                return $credential->clientId;
            }
        }
        return null;
    }

    /** @return Credential[] those of a payment that was begun with this mode and client, the newest first */
    public static function forClient(string $mode, string $clientId): array
    {
        return array_values(array_filter(array_reverse(self::all()), static function (Credential $credential) use ($mode, $clientId): bool {
            return $credential->belongsTo($mode, $clientId);
        }));
    }

    /** @return Credential[] every one whose secret may have signed a report, the oldest first */
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

    /** @return Credential[] those that another one took the place of, the oldest first */
    public static function retired(): array
    {
        return array_values(array_filter(self::all(), static function (Credential $credential): bool {
            return $credential->retiredAt !== null;
        }));
    }

    /**
     * Ends a retired secret at once: from now on it proves nothing and reaches nothing.
     *
     * @return bool false where there is no such retired secret any more
     */
    public static function revoke(string $id): bool
    {
        $records = self::records();
        $left = array_values(array_filter($records, static function (array $record) use ($id): bool {
            return $record['retired_at'] === null || self::recordId($record) !== $id;
        }));
        if (count($left) === count($records)) {
            return false;
        }
        update_option(self::OPTION, $left, false);
        return true;
    }

    /** @return string[] every secret that is stored, for masking */
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
     * @return int|null the newest one of this mode, client and Tillgate
     */
    private static function indexOf(array $records, string $mode, string $clientId, string $address): ?int
    {
        foreach (array_reverse($records, true) as $index => $record) {
            $isOfTillgate = self::hostOf($record['address']) === self::hostOf($address);
            if ($isOfTillgate && $record['mode'] === $mode && $record['client_id'] === $clientId) {
                return $index;
            }
        }
        return null;
    }

    /** @return array<int, array{mode: string, client_id: string, secret: string, address: string, retired_at: int|null}> */
    private static function records(): array
    {
        $records = get_option(self::OPTION, []);
        // A record that names no Tillgate could be sent to any: it does not count.
        return array_values(array_filter(is_array($records) ? $records : [], static function ($record): bool {
            return is_array($record) && isset($record['address']);
        }));
    }
}
