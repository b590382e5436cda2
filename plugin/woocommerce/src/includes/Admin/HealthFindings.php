<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Offer;
use Tillgate\WooCommerce\WithServices;

/** What the health panel says, each finding with what to do about it. */
final class HealthFindings
{
    use WithServices;

    private const RECENT_SECONDS = 86400;
    private const CLOCK_SECONDS = 120;

    /** @return array<int, array{name: string, ok: bool, title: string, text: string, advice: string, code: string}> */
    public function all(): array
    {
        $work = new WorkFindings($this->services);
        return [
            $this->settings(),
            $this->currency(),
            $this->decimals(),
            $work->starts(),
            $this->webhook(),
            $this->refused(),
            $work->sweep(),
            $work->cron(),
            $work->pending(),
            $work->mismatches(),
            $work->unpaid(),
            (new RefundDifferences($this->services))->finding(),
            (new Books($this->services))->finding(),
            $work->attention(),
            $work->lastError(),
            $this->clock(),
            $this->permalinks(),
        ];
    }

    private function settings(): array
    {
        $missing = $this->services->settings->whatIsMissing();
        $mode = $this->services->settings->mode() === 'live'
            ? __('complete, live mode', 'tillgate-for-woocommerce')
            : __('complete, sandbox mode: no real money moves', 'tillgate-for-woocommerce');
        return Finding::of(
            'settings',
            $missing === null,
            $missing === null ? $mode : __('not complete', 'tillgate-for-woocommerce'),
            (string) $missing
        );
    }

    private function currency(): array
    {
        $currency = get_woocommerce_currency();
        $holds = $this->services->settings->holds($currency);
        $texts = [
            /* translators: %s: currency code */
            'held' => __('%s can be paid', 'tillgate-for-woocommerce'),
            /* translators: %s: currency code */
            'not_held' => __('your account has no wallet in %s', 'tillgate-for-woocommerce'),
            /* translators: %s: currency code */
            'unknown' => __('%s was not tested yet', 'tillgate-for-woocommerce'),
        ];
        $state = $holds === null ? 'unknown' : ($holds ? 'held' : 'not_held');
        return Finding::of(
            'currency',
            $holds !== false,
            sprintf($texts[$state], $currency),
            $holds === false
                ? __('Open a wallet in this currency at Tillgate, then test the connection.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    private function decimals(): array
    {
        $offer = new Offer($this->services);
        $advice = $offer->decimalsAdvice();
        return Finding::of('decimals', $advice === null, $offer->decimalsText(), (string) $advice);
    }

    private function webhook(): array
    {
        $last = $this->services->health->read('last_webhook');
        return Finding::of(
            'webhook',
            true,
            $last === null
                ? __('none yet', 'tillgate-for-woocommerce')
                : sprintf('%s: %s (%s)', Finding::ago((int) $last['at']), $last['event'], $last['outcome']),
            $last === null ? __('Test the connection to see whether reports arrive.', 'tillgate-for-woocommerce') : ''
        );
    }

    private function refused(): array
    {
        $last = $this->services->health->read('last_refused');
        $isRecent = $last !== null && $last['at'] > time() - self::RECENT_SECONDS;
        // A report that arrived afterwards shows that the cause is gone.
        $arrived = $this->services->health->read('last_webhook');
        $isOver = $isRecent && $arrived !== null && $arrived['at'] > $last['at'];
        $advice = [
            Health::CAUSE_SECRET => __('Likely the client secret is another one than Tillgate signs with: enter the current secret in the settings.', 'tillgate-for-woocommerce'),
            Health::CAUSE_UNPROVED => __('Likely the account was changed a short while ago; payments that are under way are checked by themselves. If it goes on, somebody may know an old secret: end it in the settings, under the client secret.', 'tillgate-for-woocommerce'),
            Health::CAUSE_CLOCK => __("Likely the server's clock is off: ask your host to set it.", 'tillgate-for-woocommerce'),
            Health::CAUSE_HEADERS => __('Likely something in front of the shop (proxy, firewall) removes headers, or the call is not from Tillgate.', 'tillgate-for-woocommerce'),
            Health::CAUSE_UNKNOWN_ORDER => __('Likely another shop uses the same account. Look the payment up at Tillgate.', 'tillgate-for-woocommerce'),
        ];
        return Finding::of(
            'refused',
            !$isRecent || $isOver,
            $isRecent
                ? Finding::ago((int) $last['at']) . ': ' . $last['text']
                : __('none', 'tillgate-for-woocommerce'),
            $isRecent && !$isOver ? ($advice[$last['cause']] ?? '') : ''
        );
    }

    private function clock(): array
    {
        $clock = $this->services->health->read('clock');
        $offset = $clock === null ? 0 : abs((int) $clock['offset']);
        return Finding::of(
            'clock',
            $offset <= self::CLOCK_SECONDS,
            $clock === null
                ? __('not compared yet', 'tillgate-for-woocommerce')
                /* translators: %d: seconds */
                : sprintf(__('%d seconds from Tillgate', 'tillgate-for-woocommerce'), $offset),
            $offset <= self::CLOCK_SECONDS
                ? ''
                : __('Reports are refused from 300 seconds on: ask your host to set the clock.', 'tillgate-for-woocommerce')
        );
    }

    private function permalinks(): array
    {
        $isPlain = (string) get_option('permalink_structure') === '';
        return Finding::of(
            'permalinks',
            !$isPlain,
            $isPlain ? __('plain', 'tillgate-for-woocommerce') : __('set', 'tillgate-for-woocommerce'),
            $isPlain
                ? __('Reports work, but some firewalls block the long address: choose another structure under Settings → Permalinks.', 'tillgate-for-woocommerce')
                : '',
            $this->services->settings->callbackUrl()
        );
    }
}
