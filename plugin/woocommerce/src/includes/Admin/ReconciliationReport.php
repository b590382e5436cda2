<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Payments\Reconcile;
use Tillgate\WooCommerce\Payments\RepairDifference;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

final class ReconciliationReport
{
    use WithServices;

    private const COMPARE = 'tillgate_compare_books';
    private const REPAIR = 'tillgate_repair';
    private const MAX_ROWS = 100;

    public function addHooks(): void
    {
        add_action('admin_post_' . self::COMPARE, [$this, 'compare']);
        add_action('admin_post_' . self::REPAIR, [$this, 'repair']);
    }

    /** @return array{name: string, ok: bool, title: string, text: string, advice: string, code: string, orders: int[]} */
    public function finding(): array
    {
        $count = $this->services->differences->count();
        $run = Reconcile::lastRun();
        if ($run !== null && $run['outdated']) {
            return Finding::create('books', false, self::outdatedText(), self::outdatedAdvice());
        }
        /* translators: %d: number of payments */
        $text = $count === 0 ? __('none', 'tillgate-for-woocommerce') : sprintf(__('%d to review', 'tillgate-for-woocommerce'), $count);
        return Finding::create(
            'books',
            $count === 0,
            $run === null ? __('not compared yet', 'tillgate-for-woocommerce') : $text . ($run['failed'] > 0 ? ' – ' . self::summary($run) : ', ' . self::lastRunText($run)),
            $count === 0 ? '' : __('See the list on the status page.', 'tillgate-for-woocommerce')
        );
    }

    public function showAll(): void
    {
        $run = Reconcile::lastRun();
        $rows = $this->services->differences->listLatest(self::MAX_ROWS);
        echo '<h2 id="tillgate-books">' . esc_html__('Differences from Tillgate', 'tillgate-for-woocommerce') . '</h2>';
        echo '<p>' . esc_html($run === null ? __('Not compared yet.', 'tillgate-for-woocommerce') : self::summary($run)) . '</p>';
        if ($rows !== []) {
            echo '<table class="widefat striped tillgate-findings"><thead><tr><th>' . esc_html__('Order', 'tillgate-for-woocommerce') . '</th><th>'
                . esc_html__('Difference', 'tillgate-for-woocommerce') . '</th><th>'
                . esc_html__('What to do', 'tillgate-for-woocommerce') . '</th></tr></thead><tbody>';
            foreach ($rows as $row) {
                $this->showRow($row);
            }
            echo '</tbody></table>';
        }
        printf(
            '<p><a class="button" data-tillgate-compare href="%s">%s</a></p>',
            esc_url(wp_nonce_url(admin_url('admin-post.php?action=' . self::COMPARE), self::COMPARE)),
            esc_html__('Compare now', 'tillgate-for-woocommerce')
        );
    }

    public function showForOrder(\WC_Order $order): void
    {
        foreach ($this->services->differences->forOrder($order->get_id()) as $row) {
            foreach ($row['found'] as $difference) {
                printf('<p data-tillgate-difference="%s"><strong>%s</strong> ', esc_attr($difference['kind']), esc_html($this->services->differenceTexts->text($difference)));
                $this->showAdvice($order, $row['attempt_id'], $difference);
                echo '</p>';
            }
        }
    }

    public function compare(): void
    {
        check_admin_referer(self::COMPARE);
        if (!current_user_can(ConnectionTest::CAPABILITY)) {
            wp_die(esc_html__('You don’t have permission to do this.', 'tillgate-for-woocommerce'), '', ['response' => 403]);
        }
        $reconciliation = new Reconcile($this->services);
        $reconciliation->start();
        $reconciliation->advance();
        wp_safe_redirect(HealthPanel::url() . '#tillgate-books');
        exit;
    }

    public function repair(): void
    {
        $orderId = OrderAction::requireOrderId(self::REPAIR);
        $order = Orders::find($orderId);
        // phpcs:disable WordPress.Security.NonceVerification.Recommended -- OrderAction::requireOrderId checked it.
        $attempt = $this->services->attempts->byId(isset($_GET['attempt']) ? absint(wp_unslash($_GET['attempt'])) : 0);
        $key = [];
        foreach (['subject', 'id', 'field'] as $name) {
            $key[$name] = isset($_GET[$name]) ? sanitize_text_field(wp_unslash($_GET[$name])) : '';
        }
        // phpcs:enable
        if ($order === null || $attempt === null || $attempt->orderId !== $orderId) {
            wp_die(esc_html__('Order not found.', 'tillgate-for-woocommerce'), '', ['response' => 404]);
        }
        try {
            $isResolved = (new RepairDifference($this->services))->run($attempt, $key['subject'], $key['id'], $key['field']);
            if ($isResolved) {
                $this->services->health->unflagOrder($orderId);
            }
            OrderNotice::set($isResolved ? OrderNotice::REPAIRED : OrderNotice::NOT_REPAIRED);
        } catch (\Throwable $error) {
            $this->services->log->error("Order $orderId: could not repair a difference: {$error->getMessage()}");
            OrderNotice::set(OrderNotice::FAILED);
        }
        wp_safe_redirect($order->get_edit_order_url());
        exit;
    }

    /** @param array{attempt_id: int, order_id: int, found: array<int, array<string, mixed>>} $row */
    private function showRow(array $row): void
    {
        $order = Orders::find($row['order_id']);
        foreach ($row['found'] as $difference) {
            printf('<tr data-tillgate-difference="%s"><td>', esc_attr($difference['kind']));
            if ($order === null) {
                echo esc_html((string) $row['order_id']);
            } else {
                printf('<a href="%s">%s</a>', esc_url($order->get_edit_order_url()), esc_html($order->get_order_number()));
            }
            printf('</td><td>%s</td><td>', esc_html($this->services->differenceTexts->text($difference)));
            $this->showAdvice($order, $row['attempt_id'], $difference);
            echo '</td></tr>';
        }
    }

    /** @param array<string, mixed> $difference */
    private function showAdvice(?\WC_Order $order, int $attemptId, array $difference): void
    {
        $label = $this->services->differenceTexts->label($difference['repair']);
        if ($order === null || $label === null) {
            echo esc_html($this->services->differenceTexts->advice($difference));
            return;
        }
        $query = http_build_query(['attempt' => $attemptId, 'subject' => $difference['subject'], 'id' => $difference['id'], 'field' => $difference['field']]);
        printf(
            '<a class="button" data-tillgate-repair="%s" href="%s">%s</a>',
            esc_attr($difference['repair']),
            esc_url(OrderAction::url($order, self::REPAIR, "&$query")),
            esc_html($label)
        );
    }

    /** @param array{begun_at: int, ended_at: int|null} $run */
    private static function lastRunText(array $run): string
    {
        return $run['ended_at'] === null ? __('in progress', 'tillgate-for-woocommerce') : Finding::ago($run['ended_at']);
    }

    /** @param array{begun_at: int, compared: int, failed: int, outdated: bool, ended_at: int|null} $run */
    private static function summary(array $run): string
    {
        if ($run['outdated']) {
            return self::outdatedText() . ' ' . self::outdatedAdvice();
        }
        /* translators: 1: number of payments compared, 2: number of payments that couldn’t be compared, 3: how long ago, or "in progress" */
        $text = __('Payments compared: %1$d; couldn’t be compared: %2$d (%3$s). Payments from the last 90 days are compared every night.', 'tillgate-for-woocommerce');
        return sprintf($text, $run['compared'], $run['failed'], self::lastRunText($run));
    }

    private static function outdatedText(): string
    {
        return __('Payments can’t be compared because the Tillgate server is out of date.', 'tillgate-for-woocommerce');
    }

    private static function outdatedAdvice(): string
    {
        return __('Update the server, or ask its operator to. Then compare again.', 'tillgate-for-woocommerce');
    }
}
