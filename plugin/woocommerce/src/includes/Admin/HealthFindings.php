<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\Sweep;
use Tillgate\WooCommerce\Services;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;

/** What the health panel says, each finding with what to do about it. */
final class HealthFindings
{
    /** A sweep that is this late is no accident. */
    private const SWEEP_LATE_SECONDS = 3 * Sweep::INTERVAL_SECONDS;
    private const OVERDUE_SECONDS = 300;
    private const UNDONE_SECONDS = 600;
    private const RECENT_SECONDS = 86400;
    private const CLOCK_SECONDS = 120;
    /** As many of the last paid orders are compared. */
    private const COMPARED_ORDERS = 50;
    private const COMPARED_CACHE_SECONDS = 60;

    /** @var Services */
    private $services;

    public function __construct(Services $services)
    {
        $this->services = $services;
    }

    /** @return array<int, array{name: string, ok: bool, title: string, text: string, advice: string, code: string}> */
    public function all(): array
    {
        return [
            $this->settings(),
            $this->currency(),
            $this->webhook(),
            $this->refused(),
            $this->sweep(),
            $this->cron(),
            $this->pending(),
            $this->mismatches(),
            (new RefundDifferences($this->services))->finding(),
            $this->lastError(),
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
        return self::finding(
            'settings',
            $missing === null,
            __('Settings', 'tillgate-for-woocommerce'),
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
        return self::finding(
            'currency',
            $holds !== false,
            __('Currency', 'tillgate-for-woocommerce'),
            sprintf($texts[$state], $currency),
            $holds === false
                ? __('Open a wallet in this currency at Tillgate, then test the connection.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    private function webhook(): array
    {
        $last = $this->services->health->read('last_webhook');
        return self::finding(
            'webhook',
            true,
            __('Last report from Tillgate', 'tillgate-for-woocommerce'),
            $last === null
                ? __('none yet', 'tillgate-for-woocommerce')
                : sprintf('%s: %s (%s)', self::ago((int) $last['at']), $last['event'], $last['outcome']),
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
        return self::finding(
            'refused',
            !$isRecent || $isOver,
            __('Reports refused in the last day', 'tillgate-for-woocommerce'),
            $isRecent
                ? self::ago((int) $last['at']) . ': ' . $last['text']
                : __('none', 'tillgate-for-woocommerce'),
            $isRecent && !$isOver ? ($advice[$last['cause']] ?? '') : ''
        );
    }

    private function sweep(): array
    {
        $last = $this->services->health->read('last_sweep');
        $isLate = $last === null || $last['at'] < time() - self::SWEEP_LATE_SECONDS;
        return self::finding(
            'sweep',
            !$isLate,
            __('Last check of open payments', 'tillgate-for-woocommerce'),
            $last === null
                ? __('never', 'tillgate-for-woocommerce')
                /* translators: 1: how long ago, 2: payments checked, 3: how many of them failed */
                : sprintf(__('%1$s: %2$d checked, %3$d failed', 'tillgate-for-woocommerce'), self::ago((int) $last['at']), $last['checked'], $last['failed']),
            $isLate
                ? __('The check runs every two minutes where background work runs: see the next line.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    private function cron(): array
    {
        $isOff = defined('DISABLE_WP_CRON') && DISABLE_WP_CRON;
        $last = $this->services->health->read('last_sweep');
        $runs = $last !== null && $last['at'] > time() - self::SWEEP_LATE_SECONDS;
        return self::finding(
            'cron',
            $runs,
            __('Background work', 'tillgate-for-woocommerce'),
            $isOff
                ? __('by a cron job of the server (DISABLE_WP_CRON is set)', 'tillgate-for-woocommerce')
                : __('by visits to the shop', 'tillgate-for-woocommerce'),
            $runs && $isOff
                ? ''
                : __('So that a lost report is repaired within five minutes at any hour, have the server run this:', 'tillgate-for-woocommerce'),
            $runs && $isOff ? '' : sprintf('*/2 * * * * curl -s -o /dev/null %s', escapeshellarg(site_url('wp-cron.php?doing_wp_cron')))
        );
    }

    private function pending(): array
    {
        $counts = $this->services->attempts->counts(self::OVERDUE_SECONDS);
        $undone = $this->services->events->countUndone(self::UNDONE_SECONDS);
        $isBad = $counts['overdue'] > 0 || $counts['given_up'] > 0 || $undone > 0;
        return self::finding(
            'pending',
            !$isBad,
            __('Payments under way', 'tillgate-for-woocommerce'),
            sprintf(
                /* translators: 1: open payments, 2: overdue ones, 3: given up, 4: reports without effect */
                __('%1$d open, %2$d overdue, %3$d given up, %4$d reports without effect yet', 'tillgate-for-woocommerce'),
                $counts['open'],
                $counts['overdue'],
                $counts['given_up'],
                $undone
            ),
            $isBad
                ? __('Overdue payments are asked about as soon as background work runs. For those given up, open the order and press "Check now".', 'tillgate-for-woocommerce')
                : ''
        );
    }

    private function mismatches(): array
    {
        $numbers = get_transient('tillgate_mismatches');
        if (!is_array($numbers)) {
            $numbers = $this->findMismatches();
            set_transient('tillgate_mismatches', $numbers, self::COMPARED_CACHE_SECONDS);
        }
        return self::finding(
            'mismatches',
            $numbers === [],
            __('Orders that are not as paid', 'tillgate-for-woocommerce'),
            $numbers === [] ? __('none', 'tillgate-for-woocommerce') : implode(', ', $numbers),
            $numbers === []
                ? ''
                : __('These orders are paid at Tillgate, but unpaid here: somebody changed their status. Compare and complete or refund them.', 'tillgate-for-woocommerce')
        );
    }

    /** @return string[] numbers of orders whose payment arrived but which the shop shows as unpaid */
    private function findMismatches(): array
    {
        $numbers = [];
        foreach ($this->services->attempts->lastPaid(self::COMPARED_ORDERS) as $attempt) {
            $order = Orders::find($attempt->orderId);
            if ($order !== null && $order->get_transaction_id() === $attempt->trxId && $order->has_status(['pending', 'failed'])) {
                $numbers[] = $order->get_order_number();
            }
        }
        return $numbers;
    }

    private function lastError(): array
    {
        $last = $this->services->health->read('last_error');
        $isRecent = $last !== null && $last['at'] > time() - self::RECENT_SECONDS;
        $advice = [
            Health::CAUSE_UNREACHABLE => __('Likely Tillgate could not be reached for a while; it is tried again by itself. If it goes on, test the connection.', 'tillgate-for-woocommerce'),
            Health::CAUSE_CREDENTIALS => __('Likely the client ID, the secret or the mode is wrong: test the connection.', 'tillgate-for-woocommerce'),
            Health::CAUSE_ATTENTION => __('Open the order, compare it with the payment, then complete or refund it.', 'tillgate-for-woocommerce'),
            Health::CAUSE_SHOP => __('Likely another plugin or a setting of this shop stands in the way: the log tells more.', 'tillgate-for-woocommerce'),
        ];
        return self::finding(
            'error',
            !$isRecent,
            __('Last error in the last day', 'tillgate-for-woocommerce'),
            $isRecent ? self::ago((int) $last['at']) . ': ' . $last['text'] : __('none', 'tillgate-for-woocommerce'),
            $isRecent ? ($advice[$last['cause']] ?? '') : ''
        );
    }

    private function clock(): array
    {
        $clock = $this->services->health->read('clock');
        $offset = $clock === null ? 0 : abs((int) $clock['offset']);
        return self::finding(
            'clock',
            $offset <= self::CLOCK_SECONDS,
            __('Clock', 'tillgate-for-woocommerce'),
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
        return self::finding(
            'permalinks',
            !$isPlain,
            __('Permalinks', 'tillgate-for-woocommerce'),
            $isPlain ? __('plain', 'tillgate-for-woocommerce') : __('set', 'tillgate-for-woocommerce'),
            $isPlain
                ? __('Reports work, but some firewalls block the long address: choose another structure under Settings → Permalinks.', 'tillgate-for-woocommerce')
                : '',
            $this->services->settings->callbackUrl()
        );
    }

    /** @return array{name: string, ok: bool, title: string, text: string, advice: string, code: string} */
    private static function finding(
        string $name,
        bool $ok,
        string $title,
        string $text,
        string $advice = '',
        string $code = ''
    ): array {
        return [
            'name' => $name,
            'ok' => $ok,
            'title' => $title,
            'text' => $text,
            'advice' => $advice,
            'code' => $code,
        ];
    }

    private static function ago(int $time): string
    {
        /* translators: %s: a time span, like "3 mins" */
        return sprintf(__('%s ago', 'tillgate-for-woocommerce'), human_time_diff($time, time()));
    }
}
