<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\Http\StatusRoute;
use Tillgate\WooCommerce\Payments\PaymentStatus;
use Tillgate\WooCommerce\Payments\RuleContext;
use Tillgate\WooCommerce\Payments\StartPayment;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\WithServices;

/** The QR code in the shop, on WooCommerce's own page for paying an order. It shows a payment; it never starts one. */
final class ReceiptPage
{
    use WithServices;

    private const SCRIPT = 'tillgate-receipt';
    private const POPUP_SCRIPT = 'tillgate-pay';


    public function addHooks(): void
    {
        add_action('woocommerce_receipt_' . RuleContext::PAYMENT_METHOD, [$this, 'show']);
    }

    /** @param int|string $orderId WooCommerce has compared the order's key before it comes here */
    public function show($orderId): void
    {
        $order = Orders::find((int) $orderId);
        if ($order === null) {
            return;
        }
        Scripts::style();
        $state = (new PaymentStatus($this->services))->refresh($order->get_id());
        $attempt = $this->services->attempts->current($order->get_id());
        if ($attempt === null || $attempt->state !== 'pending') {
            $this->showResult($order, $state, $attempt);
            return;
        }
        $this->showPayment($order, $attempt);
    }

    /** By Tillgate's clock: the server's own may be off, and so may the shopper's. */
    private function secondsLeft(Attempt $attempt): int
    {
        $clock = $this->services->health->read('clock');
        return max(0, (int) $attempt->expiresAt - time() - (int) ($clock['offset'] ?? 0));
    }

    private function showPayment(\WC_Order $order, Attempt $attempt): void
    {
        $returnAddress = StartPayment::returnUrl($order);
        Scripts::register(self::SCRIPT, 'receipt');
        wp_enqueue_script(self::SCRIPT);
        $isPopup = $this->services->settings->displayMode() === Settings::DISPLAY_POPUP;
        $paymentAddress = (string) $attempt->paymentUrl;
        if ($isPopup) {
            $script = strstr($paymentAddress, '/pay/', true) . '/tillgate.js';
            // phpcs:ignore WordPress.WP.EnqueuedResourceParameters.MissingVersion -- Tillgate serves it, and says how long it may be kept.
            wp_enqueue_script(self::POPUP_SCRIPT, $script, [], null, ['in_footer' => true, 'strategy' => 'defer']);
        }
        $amount = wc_price($order->get_total(), ['currency' => $order->get_currency()]);
        // A phone does not scan its own screen: its code is for another device, behind a link. A pop-up has its own.
        $isMobile = wp_is_mobile();
        $hasCode = !$isPopup && !$isMobile;
        ?>
        <section class="tillgate-receipt" data-tillgate-receipt
            data-qr="<?php echo esc_attr((string) ($attempt->qrData ?? $attempt->paymentUrl)); ?>"
            data-status="<?php echo esc_url(StatusRoute::url($order)); ?>"
            data-return="<?php echo esc_url($returnAddress); ?>"
            data-seconds-left="<?php echo esc_attr((string) $this->secondsLeft($attempt)); ?>">
            <h2>
                <?php $hasCode ? esc_html_e('Scan to pay', 'tillgate-for-woocommerce') : esc_html_e('Pay on this device', 'tillgate-for-woocommerce'); ?>
            </h2>
            <?php if (TestMode::isActive($attempt->mode)) : ?>
                <p class="tillgate-test-mode"><?php echo esc_html(TestMode::text()); ?></p>
            <?php endif; ?>
            <p class="tillgate-amount"><?php echo wp_kses_post($amount); ?></p>
            <?php if (!$isPopup) : ?>
                <?php if ($isMobile) : ?>
                    <details><summary><?php esc_html_e('QR code for another device', 'tillgate-for-woocommerce'); ?></summary>
                <?php endif; ?>
                <div class="tillgate-qr" data-tillgate-qr>
                    <?php // phpcs:ignore PluginCheck.CodeAnalysis.ImageFunctions.NonEnqueuedImage -- Drawn by Tillgate for this payment: it is in no library. ?>
                    <img src="<?php echo esc_url($paymentAddress . '/qr.svg'); ?>" width="240" height="240"
                        alt="<?php esc_attr_e('Payment QR code', 'tillgate-for-woocommerce'); ?>">
                </div>
                <?php if ($isMobile) : ?></details><?php endif; ?>
            <?php endif; ?>
            <p class="tillgate-status" role="status" aria-live="polite" data-tillgate-status>
                <?php esc_html_e('Waiting for your payment…', 'tillgate-for-woocommerce'); ?>
            </p>
            <p class="tillgate-countdown" data-tillgate-countdown></p>
            <?php // Without its script the element is nothing, and the link in it is a link. ?>
            <?php if ($isPopup) : ?><tillgate-pay open payment-url="<?php echo esc_url($paymentAddress); ?>" return-url="<?php echo esc_url($returnAddress); ?>"><?php endif; ?>
            <p>
                <a class="button alt wp-element-button" href="<?php echo esc_url($paymentAddress); ?>">
                    <?php esc_html_e('Pay on this device', 'tillgate-for-woocommerce'); ?>
                </a>
            </p>
            <?php if ($isPopup) : ?></tillgate-pay><?php endif; ?>
            <p class="tillgate-more">
                <a href="<?php echo esc_url($returnAddress); ?>" rel="nofollow">
                    <?php esc_html_e('I’ve paid', 'tillgate-for-woocommerce'); ?>
                </a>
                <a href="<?php echo esc_url($order->get_checkout_payment_url()); ?>">
                    <?php esc_html_e('Choose another payment method', 'tillgate-for-woocommerce'); ?>
                </a>
            </p>
        </section>
        <?php
    }

    private function showResult(\WC_Order $order, string $state, ?Attempt $attempt): void
    {
        $texts = [
            PaymentStatus::CHECKING => __('Checking your payment…', 'tillgate-for-woocommerce'),
            PaymentStatus::PAID => __('This order has been paid. Thank you.', 'tillgate-for-woocommerce'),
            PaymentStatus::CANCELLED => __('Payment cancelled.', 'tillgate-for-woocommerce'),
            PaymentStatus::EXPIRED => PaymentStatus::expiredMessage($attempt),
            PaymentStatus::REFUNDED => __('Payment refunded.', 'tillgate-for-woocommerce'),
            PaymentStatus::NONE => __('No payment has been started yet.', 'tillgate-for-woocommerce'),
        ];
        $isSettling = $state === PaymentStatus::CHECKING || $state === PaymentStatus::PAID;
        ?>
        <section class="tillgate-receipt">
            <p class="tillgate-status" role="status"><?php echo esc_html($texts[$state] ?? $texts[PaymentStatus::CHECKING]); ?></p>
            <p>
                <?php if ($isSettling) : ?>
                    <a class="button alt wp-element-button" href="<?php echo esc_url(StartPayment::returnUrl($order)); ?>">
                        <?php esc_html_e('Continue', 'tillgate-for-woocommerce'); ?>
                    </a>
                <?php else : ?>
                    <a class="button alt wp-element-button" href="<?php echo esc_url($order->get_checkout_payment_url()); ?>">
                        <?php esc_html_e('Pay now', 'tillgate-for-woocommerce'); ?>
                    </a>
                <?php endif; ?>
            </p>
        </section>
        <?php
    }
}
