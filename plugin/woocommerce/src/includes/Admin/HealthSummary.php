<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\WithServices;

/** What the findings of the health page come to, in what an owner asks first: can customers pay, do reports arrive, do the books agree? */
final class HealthSummary
{
    use WithServices;

    private const CAN_PAY = ['settings', 'currency', 'starts'];
    private const REPORTS = ['refused', 'sweep', 'pending', 'clock'];
    private const BOOKS = ['mismatches', 'unpaid', 'refunds', 'books', 'attention'];

    /**
     * @param array<int, array{name: string, ok: bool}> $findings of the health page
     * @return array{ok: bool, text: string}
     */
    public function of(array $findings): array
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
                ? ($is(self::CAN_PAY)
                    ? __('Customers can pay.', 'tillgate-for-woocommerce')
                    : __('Customers cannot pay with Tillgate, or only some of them can.', 'tillgate-for-woocommerce'))
                : __('Tillgate is turned off, so customers cannot pay with it.', 'tillgate-for-woocommerce'),
            $is(self::REPORTS)
                ? __('Reports from Tillgate arrive.', 'tillgate-for-woocommerce')
                : __('Some reports from Tillgate do not arrive.', 'tillgate-for-woocommerce'),
            $is(self::BOOKS)
                ? __('The books agree.', 'tillgate-for-woocommerce')
                : __('The books differ, or orders need you.', 'tillgate-for-woocommerce'),
        ];
        return [
            'ok' => $isOn && $is(array_merge(self::CAN_PAY, self::REPORTS, self::BOOKS)),
            'text' => implode(' ', $texts),
        ];
    }
}
