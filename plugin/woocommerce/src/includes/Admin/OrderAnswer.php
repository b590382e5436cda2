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
            self::CHECKED => __('Tillgate was asked, and the order is up to date.', 'tillgate-for-woocommerce'),
            self::OPEN => __('Tillgate was asked: the payment is still under way.', 'tillgate-for-woocommerce'),
            self::FAILED => __('Tillgate could not be asked. The log tells why; it is tried again by itself.', 'tillgate-for-woocommerce'),
            self::ENDED => __('The payment is cancelled at Tillgate. The order stays and can be paid again.', 'tillgate-for-woocommerce'),
            self::TOO_LATE => __('The order was paid in the meantime. Nothing was cancelled.', 'tillgate-for-woocommerce'),
            self::SENT => __('The customer was sent a mail with the link to pay.', 'tillgate-for-woocommerce'),
            self::REPAIRED => __('Shop and Tillgate agree now.', 'tillgate-for-woocommerce'),
            self::NOT_REPAIRED => __('The order stays as it is: by the rules this needs a person. Follow the advice beside it.', 'tillgate-for-woocommerce'),
            self::RENEWED => __('There is a new link. It stands in the box "Tillgate", with the whole time to pay.', 'tillgate-for-woocommerce'),
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
