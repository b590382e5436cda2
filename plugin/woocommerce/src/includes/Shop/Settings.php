<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Api\Client;
use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\PluginError;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/** The owner's settings, read again at every call. The form is the gateway's. */
final class Settings
{
    public const OPTION = 'woocommerce_tillgate_settings';
    public const DISPLAY_QR = 'qr';
    public const DISPLAY_PAGE = 'page';
    /** A pop-up on the shop's own page, around a frame of Tillgate. */
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

    /** Whose keys this shop has; empty where Tillgate did not tell yet. */
    public function accountName(): string
    {
        return Accounts::name($this->clientId());
    }

    /** Where Tillgate is, `https://api.example`. */
    public function apiUrl(): string
    {
        return rtrim(trim($this->text('address')), '/');
    }

    public function displayMode(): string
    {
        $chosen = $this->text('show_as');
        return in_array($chosen, [self::DISPLAY_PAGE, self::DISPLAY_POPUP], true) ? $chosen : self::DISPLAY_QR;
    }

    /** Whether shoppers go straight to Tillgate's page: a code on the screen is of use only where another screen reads it. */
    public function redirectsToPaymentPage(): bool
    {
        return $this->displayMode() === self::DISPLAY_PAGE || wp_is_mobile();
    }

    /** @return string address of the picture beside the title */
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

    /** @return string[] codes of countries; none: all */
    public function countries(): array
    {
        return $this->list('countries');
    }

    /** @return string[] codes of currencies; none: all */
    public function currencies(): array
    {
        return $this->list('currencies');
    }

    /** @return string who gets a mail when something needs the owner; empty: nobody */
    public function alertEmail(): string
    {
        $settings = get_option(self::OPTION, []);
        $isChosen = is_array($settings) && array_key_exists('alarm_mail', $settings);
        return $isChosen ? trim($this->text('alarm_mail')) : (string) get_option('admin_email');
    }

    /** @return string e-mail address that is notified of each payment; empty: none */
    public function paymentEmail(): string
    {
        return trim($this->text('payment_mail'));
    }

    /** @return string without `wc-`; empty where WooCommerce decides */
    public function statusAfterPayment(bool $needsProcessing): string
    {
        return $this->text($needsProcessing ? 'paid_status' : 'paid_status_virtual');
    }

    /** Whether records of refunds made at Tillgate carry lines, tax and shipping. */
    public function splitsRefunds(): bool
    {
        return $this->text('refund_lines') !== 'no';
    }

    public function restocksRefunds(): bool
    {
        return $this->text('restock') === 'yes';
    }

    /** How long a payment may be paid, in seconds. */
    public function expiresInSeconds(): int
    {
        $minutes = (int) $this->text('expires_in');
        return 60 * ($minutes < 1 ? self::DEFAULT_EXPIRY_MINUTES : min($minutes, self::MAX_EXPIRY_MINUTES));
    }

    /**
     * Why payments cannot be taken, for the shop's owner.
     *
     * @return string|null null where nothing is missing
     */
    public function setupError(): ?string
    {
        $question = SiteAddress::question();
        if ($question !== null) {
            return $question;
        }
        if ($this->mode() === 'live' && SiteAddress::isCopy()) {
            return __('This site is a copy of a shop, so it takes sandbox payments only. Choose sandbox mode.', 'tillgate-for-woocommerce');
        }
        $address = $this->apiUrl();
        if ($address === '' || $this->clientId() === '') {
            return __('Enter the Tillgate URL, client ID and client secret.', 'tillgate-for-woocommerce');
        }
        if ($this->mode() === 'live' && !Connection::allowsLiveMode($address)) {
            return __('In live mode, the Tillgate URL must start with https.', 'tillgate-for-woocommerce');
        }
        if (Credentials::currentSecret($this->mode(), $this->clientId(), $address) === null) {
            return Credentials::isStored($this->mode(), $this->clientId(), $address)
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

    /** Where Tillgate reports payments: this shop, by its own address or the one it has from outside. */
    public function callbackUrl(): string
    {
        $own = rest_url('tillgate/v1/webhook');
        $outside = rtrim(trim($this->text('report_address')), '/');
        $home = rtrim(home_url(), '/');
        $isBelowHome = strncmp($own, $home, strlen($home)) === 0;
        return $outside === '' || !$isBelowHome ? $own : $outside . substr($own, strlen($home));
    }

    /** @throws PluginError REFUSED where the settings are not complete */
    public function client(): Client
    {
        $missing = $this->setupError();
        if ($missing !== null) {
            throw new PluginError(PluginError::REJECTED, $missing);
        }
        $secret = (string) Credentials::currentSecret($this->mode(), $this->clientId(), $this->apiUrl());
        return new Client($this->apiUrl(), $this->mode(), $this->clientId(), $secret);
    }

    /**
     * For a payment that was begun earlier, maybe in another mode or for another account.
     *
     * @throws PluginError REFUSED where its secret is not known any more
     */
    public function clientFor(string $mode, string $clientId): Client
    {
        return $this->clientsFor($mode, $clientId)[0];
    }

    /**
     * The same with every secret that is known for it, the newest first: while the new one is entered wrongly, the one before
     * still reaches Tillgate.
     *
     * @return non-empty-array<int, Client>
     * @throws PluginError REFUSED also where this site may be a copy of the shop
     */
    public function clientsFor(string $mode, string $clientId): array
    {
        SiteAddress::requireUnmoved();
        $credentials = Credentials::forClient($mode, $clientId);
        if ($credentials === [] && $mode === $this->mode() && $this->setupError() === null) {
            // Another client of the same account may ask about its payments; of another account Tillgate knows none.
            return [$this->client()];
        }
        if ($credentials === []) {
            throw new PluginError(
                PluginError::REJECTED,
                sprintf(
                    /* translators: 1: sandbox or live, 2: client id */
                    __(
                        'This payment was made in %1$s mode with the client ID %2$s, which isn’t the one in the settings.',
                        'tillgate-for-woocommerce'
                    ),
                    $mode,
                    $clientId
                )
            );
        }
        return array_map(static function (Credential $credential): Client {
            return new Client($credential->address, $credential->mode, $credential->clientId, $credential->secret);
        }, $credentials);
    }

    /** Where the gateway's log writes to, for links. */
    public static function pageUrl(): string
    {
        return admin_url('admin.php?page=wc-settings&tab=checkout&section=' . RuleContext::PAYMENT_METHOD);
    }

    /** @return bool|null whether the account has a wallet in the currency; null where nobody asked yet */
    public function hasWallet(string $currency): ?bool
    {
        $known = $this->knownWallets()[$currency] ?? null;
        return $known === null ? null : $known['held'];
    }

    /** @return int|null when that was learned, seconds since 1970 */
    public function walletCheckedAt(string $currency): ?int
    {
        return $this->knownWallets()[$currency]['at'] ?? null;
    }

    public function saveHasWallet(string $currency, bool $lock): void
    {
        $account = $this->accountKey();
        $currencies = $this->knownWallets();
        $currencies[$currency] = ['held' => $lock, 'at' => time()];
        update_option(self::CURRENCIES_OPTION, ['account' => $account, 'currencies' => $currencies], true);
    }

    /** @return array<string, array{held: bool, at: int}> */
    private function knownWallets(): array
    {
        $stored = get_option(self::CURRENCIES_OPTION, []);
        // What was learned of another account says nothing.
        $isOurs = is_array($stored) && ($stored['account'] ?? null) === $this->accountKey();
        return $isOurs ? $stored['currencies'] : [];
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
