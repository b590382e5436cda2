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
 * Payments with Tillgate: how they are doing, and repairs by hand.
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
     * Says how Tillgate is doing in this shop. Ends with 1 where something needs you.
     *
     * ## OPTIONS
     *
     * [--format=<format>]
     * : table, json, csv or yaml.
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
     * Asks Tillgate about payments under way: of these orders, or of all that are due.
     *
     * ## OPTIONS
     *
     * [<order>...]
     * : Numbers (ids) of orders of this shop.
     *
     * @param string[] $arguments
     */
    public function check($arguments): void
    {
        if ($arguments === []) {
            (new ScheduledCheck($this->services))->run();
            $last = $this->services->health->read('last_sweep') ?? ['checked' => 0, 'failed' => 0];
            \WP_CLI::success(sprintf('%d payments checked; %d checks failed and will be retried.', $last['checked'], $last['failed']));
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
     * Brings what Tillgate says of payments into the shop again, as if its reports came again. Nothing is done twice.
     *
     * ## OPTIONS
     *
     * [<order>...]
     * : Numbers (ids) of orders of this shop.
     *
     * [--days=<days>]
     * : Without orders: of all payments that were begun in the last days.
     * ---
     * default: 7
     * ---
     *
     * @param string[]              $arguments
     * @param array<string, string> $options
     */
    public function replay($arguments, $options): void
    {
        $replay = new ReplayPayment($this->services);
        $one = static function (Attempt $attempt) use ($replay): string {
            return $replay->run($attempt);
        };
        if ($arguments !== []) {
            $this->runForEach($this->attemptsForOrders($arguments, [$this->services->attempts, 'forOrder']), $one);
            return;
        }
        $days = max(1, (int) ($options['days'] ?? self::DEFAULT_DAYS));
        $all = [];
        do {
            $after = $all === [] ? 0 : end($all)->id;
            $some = $this->services->attempts->listSince($days * DAY_IN_SECONDS, $after, self::BATCH);
            $all = array_merge($all, $some);
        } while (count($some) === self::BATCH);
        $this->runForEach($all, $one);
    }

    /**
     * Prints the address at which an owner connects this shop to Tillgate, in a browser that is signed in here.
     *
     * ## OPTIONS
     *
     * --user=<user>
     * : Who opens it. Only this user can bring the answer back, within half an hour.
     *
     * [--address=<address>]
     * : Where Tillgate is. Without it, the address in the settings.
     *
     * @param string[]              $arguments
     * @param array<string, string> $options
     */
    public function connect($arguments, $options): void
    {
        unset($arguments);
        $address = rtrim($options['address'] ?? $this->services->settings->apiUrl(), '/');
        if (!Connection::isSecure($address)) {
            \WP_CLI::error('Say where Tillgate is: --address=https://…');
        }
        if (get_current_user_id() === 0) {
            \WP_CLI::error('Say who opens it: --user=<user>');
        }
        \WP_CLI::line((new Connection($this->services))->start(get_current_user_id(), $address, ConnectShop::returnUrl()));
    }

    /**
     * Says at which address this site is connected, or answers whether a site at another address moved there or is a copy.
     *
     * ## OPTIONS
     *
     * [<answer>]
     * : `moved`: payments continue here. `copy`: keys and open payments are deleted from this site only, which may then use the sandbox.
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
        $answer = $arguments[0] ?? '';
        if ($answer === 'moved') {
            SiteAddress::save();
        } elseif ($answer === 'copy') {
            SiteAddress::hasMoved() || \WP_CLI::error('This site is where it was connected. To disconnect it, use its settings.');
            (new Connection($this->services))->disconnectCopy();
        }
        $question = SiteAddress::question();
        $question === null
            ? \WP_CLI::success(sprintf('%s%s', SiteAddress::current(), SiteAddress::isCopy() ? ' (a copy: sandbox only)' : ''))
            : \WP_CLI::error($question . ' Answer with: wp tillgate site moved, or: wp tillgate site copy');
    }

    /**
     * @param string[] $numbers as they are typed
     * @param callable $find    the payments of an order
     * @return Attempt[]
     */
    private function attemptsForOrders(array $numbers, callable $find): array
    {
        $all = [];
        foreach ($numbers as $number) {
            $attempts = ctype_digit($number) ? $find((int) $number) : [];
            if ($attempts === []) {
                \WP_CLI::error("Order $number has no payment with Tillgate. Nothing was done.");
            }
            $all = array_merge($all, $attempts);
        }
        return $all;
    }

    /**
     * @param Attempt[] $attempts
     * @param callable  $act      returns the state
     */
    private function runForEach(array $attempts, callable $act): void
    {
        $failed = 0;
        foreach ($attempts as $attempt) {
            try {
                $state = $act($attempt);
                \WP_CLI::line("Order {$attempt->orderId}: " . ($attempt->tillgateOrderId ?? '-') . ": $state");
            } catch (\Throwable $error) {
                $failed += 1;
                \WP_CLI::warning("Order {$attempt->orderId}: {$error->getMessage()}");
            }
        }
        $text = sprintf('%d looked at, %d failed.', count($attempts), $failed);
        $failed === 0 ? \WP_CLI::success($text) : \WP_CLI::error($text);
    }
}
