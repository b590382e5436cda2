<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Shop\Credential;

/** Decides how far to trust an event by its signatures. A secret is valid only for payments of its mode and client ID. */
final class SignerTrust
{
    /** Signed with the current secret. */
    public const TRUSTED = 'act';
    /**
     * Signed with a retired secret, which may have leaked, or the payment's client ID is unknown. The API must confirm the event before it is
     * applied.
     */
    public const NEEDS_CONFIRMATION = 'confirm';
    /** Not signed with a known secret of the payment's mode and client ID. */
    public const UNTRUSTED = 'reject';

    /**
     * @param Credential[] $signers  credentials that match the signature
     * @param string|null  $mode     of the payment; null if unknown
     * @return string one of the constants above
     */
    public static function evaluate(array $signers, ?string $mode, ?string $clientId): string
    {
        $trust = self::UNTRUSTED;
        foreach ($signers as $signer) {
            if ($mode === null || $clientId === null) {
                $trust = self::NEEDS_CONFIRMATION;
            } elseif ($signer->belongsTo($mode, $clientId)) {
                if ($signer->retiredAt === null) {
                    return self::TRUSTED;
                }
                $trust = self::NEEDS_CONFIRMATION;
            }
        }
        return $trust;
    }
}
