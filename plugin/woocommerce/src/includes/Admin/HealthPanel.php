<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\Scripts;
use Tillgate\WooCommerce\Shop\Settings;
use Tillgate\WooCommerce\WithServices;

/** The status page, WooCommerce → Status → Tillgate. */
final class HealthPanel
{
    use WithServices;

    private const TAB = 'tillgate';


    public function addHooks(): void
    {
        add_filter('woocommerce_admin_status_tabs', [$this, 'addTab']);
        add_action('woocommerce_admin_status_content_' . self::TAB, [$this, 'show']);
    }

    public static function url(): string
    {
        return admin_url('admin.php?page=wc-status&tab=' . self::TAB);
    }

    /** Returns whether this request displays the page. */
    public static function isOpen(): bool
    {
        // phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only identifies the page.
        return isset($_GET['page'], $_GET['tab']) && $_GET['page'] === 'wc-status' && $_GET['tab'] === self::TAB;
    }

    /**
     * @param array<string, string> $tabs
     * @return array<string, string>
     */
    public function addTab(array $tabs): array
    {
        return $tabs + [self::TAB => __('Tillgate', 'tillgate-for-woocommerce')];
    }

    public function show(): void
    {
        if (!current_user_can(ConnectionTest::CAPABILITY)) {
            return;
        }
        Scripts::style();
        $findings = (new HealthFindings($this->services))->all();
        $summary = (new HealthSummary($this->services))->summarize($findings);
        // Problems first.
        usort($findings, static function (array $a, array $b): int {
            return $a['ok'] <=> $b['ok'];
        });
        ?>
        <h2><?php esc_html_e('Tillgate status', 'tillgate-for-woocommerce'); ?></h2>
        <div class="notice inline <?php echo esc_attr($summary['ok'] ? 'notice-success' : 'notice-error'); ?>" data-tillgate-summary>
            <p><strong><?php echo esc_html($summary['text']); ?></strong></p>
        </div>
        <table class="widefat striped tillgate-health tillgate-findings" cellspacing="0">
            <thead>
                <tr>
                    <th><?php esc_html_e('Check', 'tillgate-for-woocommerce'); ?></th>
                    <th><?php esc_html_e('Status', 'tillgate-for-woocommerce'); ?></th>
                    <th><?php esc_html_e('What to do', 'tillgate-for-woocommerce'); ?></th>
                </tr>
            </thead>
            <tbody>
            <?php foreach ($findings as $finding) : ?>
                <tr data-tillgate-health="<?php echo esc_attr($finding['name']); ?>" data-state="<?php echo esc_attr($finding['ok'] ? 'good' : 'bad'); ?>">
                    <td><?php echo esc_html($finding['title']); ?></td>
                    <td>
                        <span class="dashicons <?php echo esc_attr($finding['ok'] ? 'dashicons-yes-alt' : 'dashicons-warning'); ?>"
                            style="color:<?php echo esc_attr($finding['ok'] ? '#007017' : '#b32d2e'); ?>" aria-hidden="true"></span>
                        <span class="screen-reader-text">
                            <?php echo esc_html($finding['ok'] ? __('OK:', 'tillgate-for-woocommerce') : __('Needs attention:', 'tillgate-for-woocommerce')); ?>
                        </span>
                        <?php echo esc_html($finding['text']); ?>
                        <?php foreach ($finding['orders'] as $orderId) : ?>
                            <a class="button button-small" href="<?php echo esc_url(admin_url("post.php?post=$orderId&action=edit")); ?>">
                                <?php
                                /* translators: %s: order number */
                                echo esc_html(sprintf(__('Order %s', 'tillgate-for-woocommerce'), Orders::find($orderId) === null ? $orderId : Orders::get($orderId)->get_order_number()));
                                ?>
                            </a>
                        <?php endforeach; ?>
                    </td>
                    <td>
                        <?php echo esc_html($finding['advice']); ?>
                        <?php if ($finding['code'] !== '') : ?>
                            <br><code><?php echo esc_html($finding['code']); ?></code>
                        <?php endif; ?>
                    </td>
                </tr>
            <?php endforeach; ?>
            </tbody>
        </table>
        <p>
            <a class="button" href="<?php echo esc_url(Settings::pageUrl()); ?>"><?php esc_html_e('Settings', 'tillgate-for-woocommerce'); ?></a>
            <a class="button" href="<?php echo esc_url(admin_url('admin.php?page=wc-status&tab=logs&source=tillgate')); ?>">
                <?php esc_html_e('Log', 'tillgate-for-woocommerce'); ?>
            </a>
        </p>
        <?php
        (new ReconciliationReport($this->services))->showAll();
        ConnectionTest::showButton();
    }
}
