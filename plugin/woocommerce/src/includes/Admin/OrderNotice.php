<?php

namespace Tillgate\WooCommerce\Admin;

/** Result of an action on an order, shown to the user once on the next page. */
final class OrderNotice
{
    public const CHECKED = 'checked';
    public const OPEN = 'open';
    public const FAILED = 'failed';
    public const CANCELLED = 'ended';
    public const TOO_LATE = 'too_late';
    public const LINK_SENT = 'sent';
    public const LINK_CREATED = 'renewed';
    public const REPAIRED = 'repaired';
    public const NOT_REPAIRED = 'not_repaired';
    public const ACCEPTED = 'accepted';
    public const DIFFERENT = 'different';
    private const TTL_SECONDS = 300;

    public function addHooks(): void
    {
        add_action('admin_notices', [$this, 'show']);
    }

    public static function set(string $result): void
    {
        set_transient(self::transientName(), $result, self::TTL_SECONDS);
    }

    public function show(): void
    {
        $result = get_transient(self::transientName());
        if (!is_string($result)) {
            return;
        }
        delete_transient(self::transientName());
        $texts = [
            self::CHECKED => __('No payment is in progress. The “Tillgate” box shows the current status.', 'tillgate-for-woocommerce'),
            self::OPEN => __('Checked with Tillgate: the payment is still in progress.', 'tillgate-for-woocommerce'),
            self::FAILED => __('The action failed, probably because Tillgate couldn’t be reached. Check the order, then try again. See the log for details.', 'tillgate-for-woocommerce'),
            self::CANCELLED => __('Payment cancelled. The order is unchanged and can still be paid.', 'tillgate-for-woocommerce'),
            self::TOO_LATE => __('The payment was completed in the meantime, so nothing was cancelled.', 'tillgate-for-woocommerce'),
            self::LINK_SENT => __('Payment link e-mailed to the customer.', 'tillgate-for-woocommerce'),
            self::REPAIRED => __('The difference is resolved.', 'tillgate-for-woocommerce'),
            self::NOT_REPAIRED => __('The difference is still there. Follow the advice shown with it.', 'tillgate-for-woocommerce'),
            self::ACCEPTED => __('The refunds were marked as correct.', 'tillgate-for-woocommerce'),
            self::DIFFERENT => __('Checked with Tillgate: the refunds still differ.', 'tillgate-for-woocommerce'),
            self::LINK_CREATED => __('New payment link created. You’ll find it in the “Tillgate” box; the full time to pay applies again.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$result])) {
            $classes = [self::FAILED => 'error', self::DIFFERENT => 'warning'];
            printf(
                '<div class="notice notice-%s is-dismissible"><p>%s</p></div>',
                esc_attr($classes[$result] ?? 'success'),
                esc_html($texts[$result])
            );
        }
    }

    private static function transientName(): string
    {
        return 'tillgate_answer_' . get_current_user_id();
    }
}
