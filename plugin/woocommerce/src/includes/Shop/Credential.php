<?php

namespace Tillgate\WooCommerce\Shop;

/** A stored client secret, opened. It proves reports of payments of its own mode and client, and is sent to its own Tillgate only. */
final class Credential
{
    /** @var string What names it on the settings page; it tells nothing of the secret. */
    public $id;

    /** @var string sandbox or live */
    public $mode;

    /** @var string */
    public $clientId;

    /** @var string */
    public $secret;

    /** @var string Where its Tillgate is. */
    public $address;

    /** @var int|null When another one took its place, seconds since 1970; null while it is in use. */
    public $retiredAt;

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
