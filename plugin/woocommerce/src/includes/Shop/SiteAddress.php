<?php

namespace Tillgate\WooCommerce\Shop;

/**
 * The address at which this site was connected to Tillgate. A copy of the site (staging, a restored backup) has the same database and keys but
 * runs at another address: it must do nothing to the real shop's payments until its owner says whether the shop moved or was copied.
 */
final class SiteAddress
{
    public const OPTION = 'tillgate_site_address';
    /** Set where the owner said that this site is a copy: it takes sandbox payments only. */
    public const COPY_OPTION = 'tillgate_site_is_copy';

    /** @return string host, port and path of this site, without scheme and "www.", which change while a site stays the same */
    public static function current(): string
    {
        $home = defined('TILLGATE_SITE_ADDRESS') ? (string) TILLGATE_SITE_ADDRESS : (string) get_option('home', '');
        /**
         * Filters the address that identifies this site, for hosts where it differs from request to request.
         *
         * @param string $home the site's address
         */
        $home = (string) apply_filters('tillgate_site_address', $home);
        $address = preg_replace('~^[a-z]+://(www\.)?~i', '', rtrim($home, '/'));
        $parts = explode('/', (string) $address, 2);
        return implode('/', [strtolower($parts[0])] + $parts);
    }

    /** @return string|null where it was connected; null where it never was */
    public static function connectedAt(): ?string
    {
        $stored = get_option(self::OPTION);
        return is_string($stored) && $stored !== '' ? strrev($stored) : null;
    }

    public static function isElsewhere(): bool
    {
        $connectedAt = self::connectedAt();
        return $connectedAt !== null && $connectedAt !== self::current();
    }

    /** Remembers where the site is connected; a site that runs elsewhere stays so until its owner answers. */
    public static function rememberFirst(): void
    {
        if (self::connectedAt() === null) {
            self::remember();
        }
    }

    public static function isCopy(): bool
    {
        return get_option(self::COPY_OPTION) === 'yes';
    }

    /** The owner says that the shop moved here, or that this is a copy of it. */
    public static function remember(bool $isCopy = false): void
    {
        update_option(self::COPY_OPTION, $isCopy ? 'yes' : 'no', true);
        // Reversed: tools that copy a site replace its old address in every option.
        update_option(self::OPTION, strrev(self::current()), true);
    }

    /** @return string|null what the owner has to decide first; null where the site is where it was connected */
    public static function question(): ?string
    {
        if (!self::isElsewhere()) {
            return null;
        }
        return sprintf(
            /* translators: 1: address of this site, 2: address at which it was connected */
            __('This site runs at %1$s but was connected to Tillgate at %2$s. Until you choose whether the shop moved or this is a copy, it won’t accept or change payments.', 'tillgate-for-woocommerce'),
            self::current(),
            (string) self::connectedAt()
        );
    }
}
