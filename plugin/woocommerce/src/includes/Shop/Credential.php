<?php

namespace Tillgate\WooCommerce\Shop;

/** A decrypted client secret. It verifies only webhooks of its mode and client ID, and is sent only to its Tillgate server. */
final class Credential
{
    /** Hash that identifies the secret on the settings page. */
    public string $id;

    /** sandbox or live */
    public string $mode;
    public string $clientId;
    public string $secret;

    public string $address;

    /** Unix time at which it was retired; null while it is current. */
    public ?int $retiredAt;

    public function __construct(string $id, string $mode, string $clientId, string $secret, string $address, ?int $retiredAt)
    {
        $this->id = $id;
        $this->mode = $mode;
        $this->clientId = $clientId;
        $this->secret = $secret;
        $this->address = $address;
        $this->retiredAt = $retiredAt;
    }

    public function belongsTo(string $mode, string $clientId): bool
    {
        return $this->mode === $mode && $this->clientId === $clientId;
    }
}
