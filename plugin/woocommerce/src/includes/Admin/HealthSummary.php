<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\WithServices;

/** Summarizes the findings: can customers pay, do webhooks arrive, do orders match Tillgate? */
final class HealthSummary
{
    use WithServices;

    private const PAYMENT_FINDINGS = ['settings', 'contact', 'currency', 'decimals', 'starts'];
    private const WEBHOOK_FINDINGS = ['refused', 'sweep', 'pending', 'clock'];
    private const RECONCILIATION_FINDINGS = ['mismatches', 'unpaid', 'refunds', 'books', 'attention'];

    /**
     * @param array<int, array{name: string, ok: bool}> $findings of the status page
     * @return array{ok: bool, text: string}
     */
    public function summarize(array $findings): array
    {
        $problems = array_column(array_filter($findings, static function (array $finding): bool {
            return !$finding['ok'];
        }), 'name');
        $areGood = static function (array $names) use ($problems): bool {
            return array_intersect($problems, $names) === [];
        };
        $isEnabled = $this->services->settings->isEnabled();
        $texts = [
            $isEnabled
                ? ($areGood(self::PAYMENT_FINDINGS)
                    ? __('Customers can pay.', 'tillgate-for-woocommerce')
                    : __('Some or all customers can’t pay with Tillgate.', 'tillgate-for-woocommerce'))
                : __('Tillgate is turned off, so customers can’t pay with it.', 'tillgate-for-woocommerce'),
            $areGood(self::WEBHOOK_FINDINGS)
                ? __('No problems with webhooks.', 'tillgate-for-woocommerce')
                : __('There are problems with webhooks.', 'tillgate-for-woocommerce'),
            $areGood(self::RECONCILIATION_FINDINGS)
                ? __('No known differences from Tillgate.', 'tillgate-for-woocommerce')
                : __('Some orders don’t match Tillgate or need attention.', 'tillgate-for-woocommerce'),
        ];
        return [
            'ok' => $isEnabled && $areGood(array_merge(self::PAYMENT_FINDINGS, self::WEBHOOK_FINDINGS, self::RECONCILIATION_FINDINGS)),
            'text' => implode(' ', $texts),
        ];
    }
}
