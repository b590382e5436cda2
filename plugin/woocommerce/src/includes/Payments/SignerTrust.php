<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Shop\Credential;

/** What the secrets that signed a report prove of a payment. A secret proves reports of its own mode and client only. */
final class SignerTrust
{
    /** A secret in use, of the payment's mode and client: the report counts. */
    public const TRUSTED = 'act';
    /** Only one that was retired: somebody else may know it by now, so Tillgate is asked first. */
    public const NEEDS_CONFIRMATION = 'confirm';
    /** None of the payment's. */
    public const UNTRUSTED = 'refuse';

    /**
     * @param Credential[] $signers  those whose secret signed the report
     * @param string|null  $mode     of the payment; null where nobody knows what it was begun with
     * @param string|null  $clientId of the payment
     */
    public static function evaluate(array $signers, ?string $mode, ?string $clientId): string
    {
        $proof = self::UNTRUSTED;
        foreach ($signers as $signer) {
            if ($mode === null || $clientId === null) {
                $proof = self::NEEDS_CONFIRMATION;
            } elseif ($signer->belongsTo($mode, $clientId)) {
                if ($signer->retiredAt === null) {
                    return self::TRUSTED;
                }
                $proof = self::NEEDS_CONFIRMATION;
            }
        }
        return $proof;
    }
}
