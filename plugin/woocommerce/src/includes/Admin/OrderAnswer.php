<?php

namespace Tillgate\WooCommerce\Admin;

/** What an action on an order came to: kept for its owner until the next screen, and shown there once. */
final class OrderAnswer
{
    public const CHECKED = 'checked';
    public const OPEN = 'open';
    public const FAILED = 'failed';
    public const ENDED = 'ended';
    public const TOO_LATE = 'too_late';
    public const SENT = 'sent';
    public const RENEWED = 'renewed';
    public const REPAIRED = 'repaired';
    public const NOT_REPAIRED = 'not_repaired';
    private const SECONDS = 300;

    public function addHooks(): void
    {
        add_action('admin_notices', [$this, 'show']);
    }

    public static function keep(string $answer): void
    {
        set_transient(self::key(), $answer, self::SECONDS);
    }

    public function show(): void
    {
        $answer = get_transient(self::key());
        if (!is_string($answer)) {
            return;
        }
        delete_transient(self::key());
        $texts = [
            self::CHECKED => __('Checked with Tillgate: the order is up to date.', 'tillgate-for-woocommerce'),
            self::OPEN => __('Checked with Tillgate: the payment is still in progress.', 'tillgate-for-woocommerce'),
            self::FAILED => __('We couldn’t reach Tillgate and will retry automatically. See the log for details.', 'tillgate-for-woocommerce'),
            self::ENDED => __('Payment cancelled. The order is unchanged and can still be paid.', 'tillgate-for-woocommerce'),
            self::TOO_LATE => __('The order has been paid in the meantime, so nothing was cancelled.', 'tillgate-for-woocommerce'),
            self::SENT => __('Payment link e-mailed to the customer.', 'tillgate-for-woocommerce'),
            self::REPAIRED => __('The shop and Tillgate now match.', 'tillgate-for-woocommerce'),
            self::NOT_REPAIRED => __('The order wasn’t changed: this needs a manual decision. Follow the advice next to it.', 'tillgate-for-woocommerce'),
            self::RENEWED => __('New payment link created. You’ll find it in the “Tillgate” box; the time to pay starts over.', 'tillgate-for-woocommerce'),
        ];
        if (isset($texts[$answer])) {
            printf(
                '<div class="notice notice-%s is-dismissible"><p>%s</p></div>',
                esc_attr($answer === self::FAILED ? 'error' : 'success'),
                esc_html($texts[$answer])
            );
        }
    }

    private static function key(): string
    {
        return 'tillgate_answer_' . get_current_user_id();
    }
}
