<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\ScheduledCheck;
use Tillgate\WooCommerce\Plugin;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

final class BackgroundFindings
{
    use WithServices;

    /** Tolerates two missed runs. */
    private const CHECK_OVERDUE_SECONDS = 3 * ScheduledCheck::INTERVAL_SECONDS;
    private const MIN_FAILED_STARTS = 3;
    private const OVERDUE_SECONDS = 300;
    private const UNPROCESSED_SECONDS = 600;
    private const RECENT_SECONDS = 86400;
    private const MAX_COMPARED_ORDERS = 50;
    private const CACHE_SECONDS = 60;

    public function contact(): array
    {
        $last = $this->services->health->read('contact');
        $error = $last['text'] ?? null;
        return Finding::create(
            'contact',
            $error === null,
            $last === null
                ? __('not tested yet', 'tillgate-for-woocommerce')
                : Finding::ago((int) $last['at']) . ($error === null ? '' : ": $error"),
            $error === null ? '' : __('Test the connection to find out what’s wrong.', 'tillgate-for-woocommerce')
        );
    }

    public function starts(): array
    {
        $starts = $this->services->health->read('starts') ?? ['outcomes' => [], 'text' => ''];
        $failed = count(array_keys($starts['outcomes'], false, true));
        $isFrequent = $failed >= self::MIN_FAILED_STARTS && 2 * $failed >= count($starts['outcomes']);
        return Finding::create(
            'starts',
            !$isFrequent,
            $failed === 0
                ? __('none', 'tillgate-for-woocommerce')
                /* translators: 1: failed payments, 2: last payments */
                : sprintf(__('%1$d of the last %2$d', 'tillgate-for-woocommerce'), $failed, count($starts['outcomes'])) . ($isFrequent ? ": {$starts['text']}" : ''),
            $isFrequent ? __('Test the connection to find out what’s wrong.', 'tillgate-for-woocommerce') : ''
        );
    }

    public function scheduledCheck(): array
    {
        $last = $this->services->health->read('last_sweep');
        $isLate = $last === null || $last['at'] < time() - self::CHECK_OVERDUE_SECONDS;
        return Finding::create(
            'sweep',
            !$isLate,
            $last === null
                ? __('never', 'tillgate-for-woocommerce')
                /* translators: 1: how long ago, 2: payments checked, 3: failed checks */
                : sprintf(__('%1$s (checked: %2$d, failed checks: %3$d)', 'tillgate-for-woocommerce'), Finding::ago((int) $last['at']), $last['checked'], $last['failed']),
            $isLate
                ? __('The check runs every two minutes if background tasks run. See the next line.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    public function cron(): array
    {
        $isDisabled = defined('DISABLE_WP_CRON') && DISABLE_WP_CRON;
        $last = $this->services->health->read('last_sweep');
        $isRunning = $last !== null && $last['at'] > time() - self::CHECK_OVERDUE_SECONDS;
        return Finding::create(
            'cron',
            $isRunning,
            $isDisabled
                ? __('by a server cron job (DISABLE_WP_CRON is set)', 'tillgate-for-woocommerce')
                : __('by visits to the shop', 'tillgate-for-woocommerce'),
            $isRunning && $isDisabled
                ? ''
                : __('To recover missed webhooks within five minutes even when nobody visits the shop, add this line to the server’s crontab:', 'tillgate-for-woocommerce'),
            $isRunning && $isDisabled ? '' : sprintf('*/2 * * * * curl -s -o /dev/null %s', escapeshellarg(site_url('wp-cron.php?doing_wp_cron')))
        );
    }

    public function pending(): array
    {
        $counts = $this->services->attempts->countOpen(self::OVERDUE_SECONDS);
        $unprocessed = $this->services->events->countUnprocessed(self::UNPROCESSED_SECONDS);
        $hasProblem = $counts['overdue'] > 0 || $counts['given_up'] > 0 || $unprocessed > 0;
        return Finding::create(
            'pending',
            !$hasProblem,
            sprintf(
                /* translators: 1: open payments, 2: overdue ones, 3: those no longer checked, 4: webhooks not applied yet */
                __('%1$d open, %2$d overdue, %3$d no longer checked; webhooks not applied yet: %4$d', 'tillgate-for-woocommerce'),
                $counts['open'],
                $counts['overdue'],
                $counts['given_up'],
                $unprocessed
            ),
            $hasProblem
                ? __('Overdue payments are checked as soon as background tasks run. For payments no longer checked, open the order and click “Check now”.', 'tillgate-for-woocommerce')
                : ''
        );
    }

    public function mismatches(): array
    {
        return $this->findOrders(
            'mismatches',
            [$this->services->attempts, 'latestPaid'],
            static function (\WC_Order $order, Attempt $attempt): bool {
                return $order->get_transaction_id() === $attempt->trxId && in_array(Orders::ruleStatus($order), ['pending', 'failed'], true);
            },
            __('These orders are paid in Tillgate but unpaid here because their status was changed. Compare, then complete or refund them.', 'tillgate-for-woocommerce')
        );
    }

    public function unpaid(): array
    {
        return $this->findOrders(
            'unpaid',
            [$this->services->attempts, 'latestUnpaid'],
            static function (\WC_Order $order): bool {
                return $order->get_payment_method() === Plugin::GATEWAY_ID && (string) $order->get_transaction_id() === '' && $order->is_paid();
            },
            __('These orders were marked as paid in the shop. If the money came another way, choose that payment method on the order. Otherwise, set the order back to Pending payment and resend the link.', 'tillgate-for-woocommerce')
        );
    }

    /**
     * @param callable $list       lists the latest attempts
     * @param callable $hasProblem whether an order and its attempt have the problem
     */
    private function findOrders(string $name, callable $list, callable $hasProblem, string $advice): array
    {
        $numbers = get_transient("tillgate_$name");
        if (!is_array($numbers)) {
            $numbers = [];
            foreach ($list(self::MAX_COMPARED_ORDERS) as $attempt) {
                $order = Orders::find($attempt->orderId);
                if ($order !== null && $hasProblem($order, $attempt)) {
                    $numbers[$order->get_id()] = $order->get_order_number();
                }
            }
            set_transient("tillgate_$name", $numbers, self::CACHE_SECONDS);
        }
        return Finding::create(
            $name,
            $numbers === [],
            $numbers === [] ? __('none', 'tillgate-for-woocommerce') : implode(', ', $numbers),
            $numbers === [] ? '' : $advice,
            '',
            array_keys($numbers)
        );
    }

    public function attention(): array
    {
        $all = $this->services->health->flaggedOrders();
        $isOrder = in_array(Health::CAUSE_ATTENTION, array_column($all, 'cause'), true);
        $texts = array_map(static function (int $orderId, array $flag): string {
            $order = Orders::find($orderId);
            /* translators: 1: order number, 2: what happened */
            return sprintf(__('Order %1$s: %2$s', 'tillgate-for-woocommerce'), $order === null ? $orderId : $order->get_order_number(), $flag['text']);
        }, array_keys($all), $all);
        return Finding::create(
            'attention',
            $all === [],
            $all === [] ? __('none', 'tillgate-for-woocommerce') : implode(' ', $texts),
            $isOrder ? __('Open the order and compare it with the payment, then complete or refund it.', 'tillgate-for-woocommerce') : '',
            '',
            $isOrder ? array_keys($all) : []
        );
    }

    public function lastError(): array
    {
        $last = $this->services->health->read('last_error');
        $isRecent = $last !== null && $last['at'] > time() - self::RECENT_SECONDS;
        $advice = [
            Health::CAUSE_UNREACHABLE => __('Tillgate was probably unreachable for a while. We’ll retry automatically; if it keeps happening, test the connection.', 'tillgate-for-woocommerce'),
            Health::CAUSE_CREDENTIALS => __('The client ID, secret or mode is probably wrong. Test the connection.', 'tillgate-for-woocommerce'),
            Health::CAUSE_ATTENTION => __('Open the order and compare it with the payment, then complete or refund it.', 'tillgate-for-woocommerce'),
            Health::CAUSE_SHOP => __('Another plugin or a shop setting is probably interfering. See the log for details.', 'tillgate-for-woocommerce'),
        ];
        return Finding::create(
            'error',
            !$isRecent,
            $isRecent ? Finding::ago((int) $last['at']) . ': ' . $last['text'] : __('none', 'tillgate-for-woocommerce'),
            $isRecent ? ($advice[$last['cause']] ?? '') : ''
        );
    }
}
