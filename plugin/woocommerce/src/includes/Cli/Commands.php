<?php

namespace Tillgate\WooCommerce\Cli;

use Tillgate\WooCommerce\Admin\ConnectShop;
use Tillgate\WooCommerce\Admin\HealthFindings;
use Tillgate\WooCommerce\Admin\HealthSummary;
use Tillgate\WooCommerce\Payments\CheckAttempt;
use Tillgate\WooCommerce\Payments\ReplayPayment;
use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Connection;
use Tillgate\WooCommerce\Shop\SiteAddress;
use Tillgate\WooCommerce\WithServices;

/**
 * Checks and replays payments, and connects this shop to Tillgate.
 */
final class Commands
{
    use WithServices;

    private const DEFAULT_DAYS = 7;
    private const BATCH = 100;

    public static function register(\Tillgate\WooCommerce\Services $services): void
    {
        if (class_exists(\WP_CLI::class)) {
            \WP_CLI::add_command('tillgate', new self($services));
        }
    }

    /**
     * Shows the status of Tillgate in this shop. Exits with status 1 if something needs your attention.
     *
     * ## OPTIONS
     *
     * [--format=<format>]
     * : Output format: table, json, csv or yaml.
     * ---
     * default: table
     * ---
     *
     * @param string[]              $arguments
     * @param array<string, string> $options
     */
    public function status($arguments, $options): void
    {
        unset($arguments);
        $all = (new HealthFindings($this->services))->all();
        if (($options['format'] ?? 'table') === 'table') {
            \WP_CLI::line((new HealthSummary($this->services))->summarize($all)['text']);
        }
        $findings = array_map(static function (array $finding): array {
            return [
                'name' => $finding['name'],
                'ok' => $finding['ok'] ? 'yes' : 'no',
                'text' => $finding['text'],
                'advice' => trim($finding['advice'] . ' ' . $finding['code']),
            ];
        }, $all);
        \WP_CLI\Utils\format_items($options['format'] ?? 'table', $findings, ['name', 'ok', 'text', 'advice']);
        if (in_array('no', array_column($findings, 'ok'), true)) {
            \WP_CLI::halt(1);
        }
    }

    /**
     * Checks the open payments of the given orders with Tillgate. Without order IDs, runs all scheduled checks of payments and refunds.
     *
     * ## OPTIONS
     *
     * [<order>...]
     * : One or more order IDs.
     *
     * @param string[] $arguments
     */
    public function check($arguments): void
    {
        self::requireUnmoved();
        if ($arguments === []) {
            (new ScheduledCheck($this->services))->run()
                || \WP_CLI::error('Nothing was checked: another check is running.');
            $last = $this->services->health->read('last_sweep') ?? ['checked' => 0, 'failed' => 0];
            \WP_CLI::success(sprintf('Checks run: %d, of which %d failed.', $last['checked'], $last['failed']));
            return;
        }
        $this->runForEach($this->attemptsForOrders($arguments, function (int $orderId): array {
            return array_filter([$this->services->attempts->current($orderId)]);
        }), function (Attempt $attempt): string {
            if (!$attempt->isOpen()) {
                return $attempt->state;
            }
            $this->services->attempts->resumeChecks($attempt->id);
            (new CheckAttempt($this->services))->run($attempt);
            return ($this->services->attempts->byId($attempt->id) ?? $attempt)->state;
        });
    }

    /**
     * Applies the current state of payments in Tillgate again, as if all webhooks were delivered again. Safe to repeat.
     *
     * ## OPTIONS
     *
     * [<order>...]
     * : One or more order IDs.
     *
     * [--days=<days>]
     * : Without order IDs: replay all payments started in the last <days> days.
     * ---
     * default: 7
     * ---
     *
     * @param string[]              $arguments
     * @param array<string, string> $options
     */
    public function replay($arguments, $options): void
    {
        self::requireUnmoved();
        $replay = new ReplayPayment($this->services);
        $replayOne = static function (Attempt $attempt) use ($replay): string {
            return $replay->run($attempt);
        };
        if ($arguments !== []) {
            $this->runForEach($this->attemptsForOrders($arguments, [$this->services->attempts, 'forOrder']), $replayOne);
            return;
        }
        $days = max(1, (int) ($options['days'] ?? self::DEFAULT_DAYS));
        $attempts = [];
        do {
            $after = $attempts === [] ? 0 : end($attempts)->id;
            $batch = $this->services->attempts->listSince($days * DAY_IN_SECONDS, $after, self::BATCH);
            $attempts = array_merge($attempts, $batch);
        } while (count($batch) === self::BATCH);
        $this->runForEach($attempts, $replayOne);
    }

    /**
     * Prints the URL to connect this shop to Tillgate. Open it in a browser in which you're signed in to this shop.
     *
     * ## OPTIONS
     *
     * --user=<user>
     * : The user who opens the URL. The connection must be completed by the same user within 30 minutes.
     *
     * [--address=<address>]
     * : Tillgate URL. Defaults to the one in the settings.
     *
     * @param string[]              $arguments
     * @param array<string, string> $options
     */
    public function connect($arguments, $options): void
    {
        unset($arguments);
        $url = rtrim($options['address'] ?? $this->services->settings->apiUrl(), '/');
        if (!Connection::isSecure($url)) {
            \WP_CLI::error('Specify the Tillgate URL: --address=https://…');
        }
        if (get_current_user_id() === 0) {
            \WP_CLI::error('Specify the user who opens the URL: --user=<user>');
        }
        \WP_CLI::line((new Connection($this->services))->start(get_current_user_id(), $url, ConnectShop::returnUrl()));
    }

    /**
     * Shows this site's address, or, after its address has changed, records whether the shop has moved here or this site is a copy.
     *
     * ## OPTIONS
     *
     * [<decision>]
     * : `moved`: payments continue here. `copy`: on this site, deletes API keys, closes open payments and allows only the sandbox.
     * ---
     * options:
     *   - moved
     *   - copy
     * ---
     *
     * @param string[] $arguments
     */
    public function site($arguments): void
    {
        $decision = $arguments[0] ?? '';
        if ($decision === 'moved') {
            SiteAddress::save();
        } elseif ($decision === 'copy') {
            SiteAddress::hasMoved() || \WP_CLI::error('This site has not moved. To disconnect it, use its settings.');
            (new Connection($this->services))->disconnectCopy();
        }
        self::requireUnmoved();
        \WP_CLI::success(sprintf('%s%s', SiteAddress::current(), SiteAddress::isCopy() ? ' (a copy: sandbox only)' : ''));
    }

    /** Ends with an error until the merchant has chosen whether the shop moved or this is a copy. */
    private static function requireUnmoved(): void
    {
        $question = SiteAddress::question();
        if ($question !== null) {
            \WP_CLI::error($question . ' To decide, run: wp tillgate site moved, or: wp tillgate site copy');
        }
    }

    /**
     * @param string[] $orderIds as entered
     * @param callable $find     finds the attempts of an order ID
     * @return Attempt[]
     */
    private function attemptsForOrders(array $orderIds, callable $find): array
    {
        $attempts = [];
        foreach ($orderIds as $orderId) {
            $found = ctype_digit($orderId) ? $find((int) $orderId) : [];
            if ($found === []) {
                \WP_CLI::error("Order $orderId has no Tillgate payment. No payment was processed.");
            }
            $attempts = array_merge($attempts, $found);
        }
        return $attempts;
    }

    /**
     * @param Attempt[] $attempts
     * @param callable  $action   returns the attempt's state
     */
    private function runForEach(array $attempts, callable $action): void
    {
        $failed = 0;
        foreach ($attempts as $attempt) {
            try {
                $state = $action($attempt);
                \WP_CLI::line("Order {$attempt->orderId}: " . ($attempt->tillgateOrderId ?? '-') . ": $state");
            } catch (\Throwable $error) {
                $failed += 1;
                \WP_CLI::warning("Order {$attempt->orderId}: {$error->getMessage()}");
            }
        }
        $text = sprintf('%d processed, %d failed.', count($attempts), $failed);
        $failed === 0 ? \WP_CLI::success($text) : \WP_CLI::error($text);
    }
}
