<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** The settings are read on every call, because they may change during a request. */
final class Settings
{
    public const OPTION = 'woocommerce_tillgate_settings';
    public const DISPLAY_QR = 'qr';
    public const DISPLAY_PAGE = 'page';
    /** Pop-up on the shop's page that embeds the payment page in a frame. */
    public const DISPLAY_POPUP = 'popup';
    private const CURRENCIES_OPTION = 'tillgate_currencies';
    private const DEFAULT_EXPIRY_MINUTES = 15;
    private const MAX_EXPIRY_MINUTES = 60;

    public function isEnabled(): bool
    {
        return $this->text('enabled') === 'yes';
    }

    /** @return string sandbox or live */
    public function mode(): string
    {
        return $this->text('mode') === 'live' ? 'live' : 'sandbox';
    }

    public function clientId(): string
    {
        return trim($this->text('client_id'));
    }

    /** Returns the merchant name of the connected account; empty if unknown. */
    public function accountName(): string
    {
        return Accounts::name($this->clientId());
    }

    /** Returns a URL such as `https://api.example`; empty if none is set. */
    public function apiUrl(): string
    {
        return rtrim(trim($this->text('address')), '/');
    }

    public function displayMode(): string
    {
        $chosen = $this->text('show_as');
        return in_array($chosen, [self::DISPLAY_PAGE, self::DISPLAY_POPUP], true) ? $chosen : self::DISPLAY_QR;
    }

    /** Always true on phones, which cannot scan their own screen. */
    public function redirectsToPaymentPage(): bool
    {
        return $this->displayMode() === self::DISPLAY_PAGE || wp_is_mobile();
    }

    public function icon(): string
    {
        $icon = trim($this->text('icon'));
        return $icon === '' ? AvailabilityFields::defaultIcon() : $icon;
    }

    public function showsExpress(): bool
    {
        return $this->text('express') === 'yes';
    }

    public function minAmount(): ?float
    {
        return self::parseAmount($this->text('min_amount'));
    }

    public function maxAmount(): ?float
    {
        return self::parseAmount($this->text('max_amount'));
    }

    /** @return string[] country codes; empty: all */
    public function countries(): array
    {
        return $this->list('countries');
    }

    /** @return string[] currency codes; empty: all */
    public function currencies(): array
    {
        return $this->list('currencies');
    }

    /** @return string recipient of alerts; empty: none */
    public function alertEmail(): string
    {
        $settings = get_option(self::OPTION, []);
        $isChosen = is_array($settings) && array_key_exists('alarm_mail', $settings);
        return $isChosen ? trim($this->text('alarm_mail')) : (string) get_option('admin_email');
    }

    /** @return string recipient of payment notifications; empty: none */
    public function paymentEmail(): string
    {
        return trim($this->text('payment_mail'));
    }

    /** @return string order status without the `wc-` prefix; empty: WooCommerce's default */
    public function statusAfterPayment(bool $needsProcessing): string
    {
        return $this->text($needsProcessing ? 'paid_status' : 'paid_status_virtual');
    }

    /** Whether refunds made in Tillgate are split across items, tax and shipping. */
    public function splitsRefunds(): bool
    {
        return $this->text('refund_lines') !== 'no';
    }

    public function restocksRefunds(): bool
    {
        return $this->text('restock') === 'yes';
    }

    public function expiresInSeconds(): int
    {
        $minutes = (int) $this->text('expires_in');
        return 60 * ($minutes < 1 ? self::DEFAULT_EXPIRY_MINUTES : min($minutes, self::MAX_EXPIRY_MINUTES));
    }

    /** @return string|null why payments cannot be accepted, for the merchant; null if the setup is complete */
    public function setupError(): ?string
    {
        $moveQuestion = SiteAddress::question();
        if ($moveQuestion !== null) {
            return $moveQuestion;
        }
        if ($this->mode() === 'live' && SiteAddress::isCopy()) {
            return __('This site is a copy of a shop, so it takes sandbox payments only. Choose sandbox mode.', 'tillgate-for-woocommerce');
        }
        $apiUrl = $this->apiUrl();
        if ($apiUrl === '' || $this->clientId() === '') {
            return __('Enter the Tillgate URL, client ID and client secret.', 'tillgate-for-woocommerce');
        }
        if ($this->mode() === 'live' && !Connection::allowsLiveMode($apiUrl)) {
            return __('In live mode, the Tillgate URL must start with https.', 'tillgate-for-woocommerce');
        }
        if (Credentials::currentSecret($this->mode(), $this->clientId(), $apiUrl) === null) {
            return Credentials::isStored($this->mode(), $this->clientId(), $apiUrl)
                ? __(
                    'The stored client secret can’t be read because the salts in wp-config.php have changed. Enter it again.',
                    'tillgate-for-woocommerce'
                )
                : __('Enter the client secret. It’s tied to this mode, client ID and Tillgate URL and is never sent elsewhere.', 'tillgate-for-woocommerce');
        }
        if ($this->mode() === 'live' && !Connection::allowsLiveMode($this->callbackUrl())) {
            return __(
                'In live mode, your shop must use https so that Tillgate can send it webhooks.',
                'tillgate-for-woocommerce'
            );
        }
        return null;
    }

    /** Returns the webhook URL, based on the public URL if one is set. */
    public function callbackUrl(): string
    {
        $url = rest_url('tillgate/v1/webhook');
        $publicUrl = rtrim(trim($this->text('report_address')), '/');
        $home = rtrim(home_url(), '/');
        $isBelowHome = strncmp($url, $home, strlen($home)) === 0;
        return $publicUrl === '' || !$isBelowHome ? $url : $publicUrl . substr($url, strlen($home));
    }

    /** Creates the client for new payments. @throws PluginError REJECTED if the setup is incomplete */
    public function client(): Client
    {
        $error = $this->setupError();
        if ($error !== null) {
            throw new PluginError(PluginError::REJECTED, $error);
        }
        $secret = (string) Credentials::currentSecret($this->mode(), $this->clientId(), $this->apiUrl());
        return new Client($this->apiUrl(), $this->mode(), $this->clientId(), $secret);
    }

    /**
     * Creates the client for an existing payment, which may belong to another mode or account.
     * @throws PluginError REJECTED if the site may be a copy, or if no valid secret is stored for the client ID and the setup for this mode is
     * incomplete
     */
    public function clientFor(string $mode, string $clientId): Client
    {
        return $this->clientsFor($mode, $clientId)[0];
    }

    /**
     * Returns one client per valid secret, newest first: if the new secret was mistyped, the previous secret still works. If no valid secret
     * is stored, returns only the client for new payments in the same mode.
     * @return non-empty-array<int, Client>
     * @throws PluginError REJECTED if the site may be a copy, or if neither kind of client is available
     */
    public function clientsFor(string $mode, string $clientId): array
    {
        SiteAddress::requireUnmoved();
        $credentials = Credentials::forClient($mode, $clientId);
        if ($credentials === [] && $mode === $this->mode() && $this->setupError() === null) {
            // Another client ID of the same account has access to the payment. A client ID of another account doesn't.
            return [$this->client()];
        }
        if ($credentials === []) {
            throw new PluginError(
                PluginError::REJECTED,
                sprintf(
                    /* translators: 1: client ID, 2: live mode or test mode */
                    __(
                        'This payment was created with the client ID %1$s (%2$s), whose secret isn’t available. Enter this client ID and its secret in the settings.',
                        'tillgate-for-woocommerce'
                    ),
                    $clientId,
                    TestMode::modeName($mode)
                )
            );
        }
        return array_map(static function (Credential $credential): Client {
            return new Client($credential->address, $credential->mode, $credential->clientId, $credential->secret);
        }, $credentials);
    }

    public static function pageUrl(): string
    {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . Plugin::GATEWAY_ID);
    }

    /** @return bool|null whether the account has a wallet in the currency; null if not checked yet */
    public function hasWallet(string $currency): ?bool
    {
        $wallet = $this->knownWallets()[$currency] ?? null;
        return $wallet === null ? null : $wallet['held'];
    }

    /** @return int|null Unix time of the last check; null if there was none */
    public function walletCheckedAt(string $currency): ?int
    {
        return $this->knownWallets()[$currency]['at'] ?? null;
    }

    public function saveHasWallet(string $currency, bool $hasWallet): void
    {
        $account = $this->accountKey();
        $currencies = $this->knownWallets();
        $currencies[$currency] = ['held' => $hasWallet, 'at' => time()];
        update_option(self::CURRENCIES_OPTION, ['account' => $account, 'currencies' => $currencies], true);
    }

    /** @return array<string, array{held: bool, at: int}> */
    private function knownWallets(): array
    {
        $stored = get_option(self::CURRENCIES_OPTION, []);
        // Ignore results of another account.
        $isCurrentAccount = is_array($stored) && ($stored['account'] ?? null) === $this->accountKey();
        return $isCurrentAccount ? $stored['currencies'] : [];
    }

    private function accountKey(): string
    {
        return $this->mode() . ' ' . $this->clientId() . ' ' . $this->apiUrl();
    }

    /** @return string[] */
    private function list(string $name): array
    {
        $settings = get_option(self::OPTION, []);
        $list = is_array($settings) ? $settings[$name] ?? [] : [];
        return is_array($list) ? array_values(array_filter($list, 'is_string')) : [];
    }

    private static function parseAmount(string $text): ?float
    {
        return is_numeric($text) && (float) $text > 0 ? (float) $text : null;
    }

    private function text(string $name): string
    {
        $settings = get_option(self::OPTION, []);
        return is_array($settings) && is_string($settings[$name] ?? null) ? $settings[$name] : '';
    }
}
