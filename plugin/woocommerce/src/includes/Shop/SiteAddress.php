<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/**
 * A copy of the site (staging, a restored backup) has the same database and keys, but another address or other files. It must not change the
 * real shop's payments until the merchant decides whether the shop moved or was copied.
 */
final class SiteAddress
{
    public const OPTION = 'tillgate_site_address';
    public const ID_OPTION = 'tillgate_site_id';
    /** In the uploads folder, which deployments keep. The name ends with a hash of the address, so a copy doesn't overwrite the shop's file. */
    private const ID_FILE = '/tillgate/site-id-';
    private const ID_BYTES = 16;
    /** `yes` if the merchant has declared this site a copy, which accepts sandbox payments only. */
    public const COPY_OPTION = 'tillgate_site_is_copy';

    /** @return string host, port and path of this site, without the scheme and "www.", because those may change without the site moving */
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

    /** @return string|null address at which this site was first connected, or that the merchant confirmed last; null if never connected */
    public static function connectedAt(): ?string
    {
        $stored = get_option(self::OPTION);
        return is_string($stored) && $stored !== '' ? strrev($stored) : null;
    }

    public static function hasMoved(): bool
    {
        $connectedAt = self::connectedAt();
        return $connectedAt !== null && ($connectedAt !== self::current() || self::hasOtherFiles());
    }

    /** @throws PluginError REJECTED if the site has moved, until the merchant has decided */
    public static function requireUnmoved(): void
    {
        $question = self::question();
        if ($question !== null) {
            throw new PluginError(PluginError::REJECTED, $question);
        }
    }

    public static function saveIfNew(): void
    {
        if (self::connectedAt() === null) {
            self::save();
        }
    }

    /** @return string value of the `Tillgate-Site` header, by which Tillgate detects two sites with the same API keys */
    public static function header(): string
    {
        $id = self::id();
        $address = strtr(rawurlencode(self::current()), ['%2F' => '/', '%3A' => ':', '%5B' => '[', '%5D' => ']']);
        return $address . ($id === '' ? '' : "; id=$id");
    }

    private static function id(): string
    {
        $id = get_option(self::ID_OPTION);
        return is_string($id) ? $id : '';
    }

    /** Whether the ID file and the database belong to different sites. A missing file proves nothing, because some hosts rebuild their files. */
    private static function hasOtherFiles(): bool
    {
        $id = self::id();
        return $id !== '' && !in_array(self::storedFileId(), ['', $id], true);
    }

    private static function storedFileId(): string
    {
        $file = self::idFile();
        return is_readable($file) ? (string) file_get_contents($file, false, null, 0, 2 * self::ID_BYTES) : '';
    }

    private static function isFileWritable(): bool
    {
        return !file_exists(self::idFile()) || wp_is_writable(self::idFile());
    }

    private static function idFile(): string
    {
        return wp_upload_dir(null, false)['basedir'] . self::ID_FILE . substr(hash('sha256', self::current()), 0, 16);
    }

    public static function isCopy(): bool
    {
        return get_option(self::COPY_OPTION) === 'yes';
    }

    /** Saves the current address as the shop's. A copy gets a new ID. */
    public static function save(bool $isCopy = false): void
    {
        if ($isCopy || self::id() === '') {
            update_option(self::ID_OPTION, bin2hex(random_bytes(self::ID_BYTES)), true);
        }
        // Without a writable folder the address alone identifies the site.
        if (wp_mkdir_p(dirname(self::idFile())) && wp_is_writable(dirname(self::idFile())) && self::isFileWritable()) {
            file_put_contents(self::idFile(), self::id());
        }
        if (self::hasOtherFiles() && preg_match('/^[0-9a-f]{32}$/D', self::storedFileId()) === 1) {
            // The file cannot be written, so the database adopts its ID. Otherwise the merchant's choice would have no effect.
            update_option(self::ID_OPTION, self::storedFileId(), true);
        }
        update_option(self::COPY_OPTION, $isCopy ? 'yes' : 'no', true);
        // Stored in reverse, because tools that copy a site replace its old address in every option.
        update_option(self::OPTION, strrev(self::current()), true);
    }

    /** @return string|null explanation of the decision that the merchant must make; null if the site has not moved */
    public static function question(): ?string
    {
        if (!self::hasMoved()) {
            return null;
        }
        if (self::connectedAt() === self::current()) {
            return __('This site’s database was connected to Tillgate with the files of another site. Until you choose whether the shop moved or this is a copy, it won’t accept or change payments.', 'tillgate-for-woocommerce');
        }
        return sprintf(
            /* translators: 1: address of this site, 2: address at which it was connected */
            __('This site runs at %1$s but was connected to Tillgate at %2$s. Until you choose whether the shop moved or this is a copy, it won’t accept or change payments.', 'tillgate-for-woocommerce'),
            self::current(),
            (string) self::connectedAt()
        );
    }
}
