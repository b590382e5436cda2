<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\WithServices;

/** What the findings of the health page come to, in what an owner asks first: can customers pay, do reports arrive, do the books agree? */
final class HealthSummary
{
    use WithServices;

    private const PAYMENT_FINDINGS = ['settings', 'contact', 'currency', 'starts'];
    private const WEBHOOK_FINDINGS = ['refused', 'sweep', 'pending', 'clock'];
    private const RECONCILIATION_FINDINGS = ['mismatches', 'unpaid', 'refunds', 'books', 'attention'];

    /**
     * @param array<int, array{name: string, ok: bool}> $findings of the health page
     * @return array{ok: bool, text: string}
     */
    public function summarize(array $findings): array
    {
        $bad = array_column(array_filter($findings, static function (array $finding): bool {
            return !$finding['ok'];
        }), 'name');
        $is = static function (array $names) use ($bad): bool {
            return array_intersect($bad, $names) === [];
        };
        $isOn = $this->services->settings->isEnabled();
        $texts = [
            $isOn
                ? ($is(self::PAYMENT_FINDINGS)
                    ? __('Customers can pay.', 'tillgate-for-woocommerce')
                    : __('Some or all customers can’t pay with Tillgate.', 'tillgate-for-woocommerce'))
                : __('Tillgate is turned off, so customers can’t pay with it.', 'tillgate-for-woocommerce'),
            $is(self::WEBHOOK_FINDINGS)
                ? __('Webhooks from Tillgate are arriving.', 'tillgate-for-woocommerce')
                : __('Some webhooks from Tillgate aren’t arriving.', 'tillgate-for-woocommerce'),
            $is(self::RECONCILIATION_FINDINGS)
                ? __('All orders match Tillgate.', 'tillgate-for-woocommerce')
                : __('Some orders don’t match Tillgate or need attention.', 'tillgate-for-woocommerce'),
        ];
        return [
            'ok' => $isOn && $is(array_merge(self::PAYMENT_FINDINGS, self::WEBHOOK_FINDINGS, self::RECONCILIATION_FINDINGS)),
            'text' => implode(' ', $texts),
        ];
    }
}
