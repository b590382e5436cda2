<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Shop\Availability;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

final class HealthFindings
{
    use WithServices;

    private const RECENT_SECONDS = 86400;
    private const CLOCK_TOLERANCE_SECONDS = 120;

    /** @return array<int, array{name: string, ok: bool, title: string, text: string, advice: string, code: string, orders: int[]}> */
    public function all(): array
    {
        $background = new BackgroundFindings($this->services);
        return [
            $this->settings(),
            $background->contact(),
            $this->currency(),
            $this->decimals(),
            $background->starts(),
            $this->webhook(),
            $this->rejected(),
            $background->scheduledCheck(),
            $background->cron(),
            $background->pending(),
            $background->mismatches(),
            $background->unpaid(),
            (new RefundDifferences($this->services))->finding(),
            (new ReconciliationReport($this->services))->finding(),
            $background->attention(),
            $background->lastError(),
            $this->clock(),
            $this->permalinks(),
        ];
    }

    private function settings(): array
    {
        $setupError = $this->services->settings->setupError();
        $mode = $this->services->settings->mode() === 'live'
            ? __('complete, live mode', 'tillgate-for-woocommerce')
            : __('complete, test mode: no real money', 'tillgate-for-woocommerce');
        return Finding::create(
            'settings',
            $setupError === null,
            $setupError === null ? $mode : __('incomplete', 'tillgate-for-woocommerce'),
            (string) $setupError
        );
    }

    private function currency(): array
    {
        $currency = get_woocommerce_currency();
        $hasWallet = $this->services->settings->hasWallet($currency);
        $texts = [
            /* translators: %s: currency code */
            'held' => __('%s: payments accepted', 'tillgate-for-woocommerce'),
            /* translators: %s: currency code */
            'not_held' => __('your account has no %s wallet', 'tillgate-for-woocommerce'),
            /* translators: %s: currency code */
            'unknown' => __('%s: not tested yet', 'tillgate-for-woocommerce'),
        ];
        $state = $hasWallet === null ? 'unknown' : ($hasWallet ? 'held' : 'not_held');
        return Finding::create(
            'currency',
            $hasWallet !== false,
            sprintf($texts[$state], $currency),
            $hasWallet === false
                ? __('Open a wallet in this currency in Tillgate, then test the connection.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    private function decimals(): array
    {
        $offer = new Availability($this->services);
        $advice = $offer->decimalsAdvice();
        return Finding::create('decimals', $advice === null, $offer->decimalsText(), (string) $advice);
    }

    private function webhook(): array
    {
        $last = $this->services->health->read('last_webhook');
        return Finding::create(
            'webhook',
            true,
            $last === null
                ? __('none yet', 'tillgate-for-woocommerce')
                : sprintf('%s: %s (%s)', Finding::ago((int) $last['at']), $last['event'], $last['outcome']),
            $last === null ? __('Test the connection to check that webhooks arrive.', 'tillgate-for-woocommerce') : ''
        );
    }

    private function rejected(): array
    {
        $last = $this->services->health->read('last_refused');
        $isRecent = $last !== null && $last['at'] > time() - self::RECENT_SECONDS;
        // Resolved if a later webhook was accepted.
        $arrived = $this->services->health->read('last_webhook');
        $isResolved = $isRecent && $arrived !== null && $arrived['at'] > $last['at'];
        $advice = [
            Health::CAUSE_SECRET => __('Tillgate is probably signing with a different client secret. Enter the current secret in the settings.', 'tillgate-for-woocommerce'),
            Health::CAUSE_UNVERIFIED => __('The account was probably changed recently; payments in progress are checked automatically. If it keeps happening, someone may know an old secret. Revoke it in the settings, below the client secret.', 'tillgate-for-woocommerce'),
            Health::CAUSE_CLOCK => __("The server clock is probably off. Ask your host to correct it.", 'tillgate-for-woocommerce'),
            Health::CAUSE_HEADERS => __('Something in front of your shop (proxy, firewall) is probably removing headers, or the request isn’t from Tillgate.', 'tillgate-for-woocommerce'),
            Health::CAUSE_UNKNOWN_ORDER => __('Another shop probably uses the same account. Look up the payment in Tillgate.', 'tillgate-for-woocommerce'),
        ];
        return Finding::create(
            'refused',
            !$isRecent || $isResolved,
            $isRecent
                ? Finding::ago((int) $last['at']) . ': ' . $last['text']
                : __('none', 'tillgate-for-woocommerce'),
            $isRecent && !$isResolved ? ($advice[$last['cause']] ?? '') : ''
        );
    }

    private function clock(): array
    {
        $clock = $this->services->health->read('clock');
        $offset = $clock === null ? 0 : abs((int) $clock['offset']);
        return Finding::create(
            'clock',
            $offset <= self::CLOCK_TOLERANCE_SECONDS,
            $clock === null
                ? __('not compared yet', 'tillgate-for-woocommerce')
                /* translators: %d: seconds */
                : sprintf(__('Difference from Tillgate: %d s', 'tillgate-for-woocommerce'), $offset),
            $offset <= self::CLOCK_TOLERANCE_SECONDS
                ? ''
                : __('Webhooks are rejected if the clock is off by more than 300 seconds. Ask your host to correct it.', 'tillgate-for-woocommerce')
        );
    }

    private function permalinks(): array
    {
        $isPlain = (string) get_option('permalink_structure') === '';
        return Finding::create(
            'permalinks',
            !$isPlain,
            $isPlain ? __('plain', 'tillgate-for-woocommerce') : __('set', 'tillgate-for-woocommerce'),
            $isPlain
                ? __('Webhooks work, but some firewalls block the URL they are sent to. Choose another structure under Settings → Permalinks.', 'tillgate-for-woocommerce')
                : '',
            $this->services->settings->callbackUrl()
        );
    }
}
