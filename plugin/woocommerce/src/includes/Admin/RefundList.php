<?php

namespace Tillgate\WooCommerce\Admin;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Accounts;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

final class RefundList
{
    use WithServices;

    /**
     * Lists the refunds that the shop requested or that were made in Tillgate, each with its WooCommerce refund, if any, and then all other
     * WooCommerce refunds.
     * @return array<int, array{amount: string, refund: string|null, state: string, record: int|null}> `refund` is the Tillgate ID, `record`
     *   the WooCommerce ID
     */
    public function lines(\WC_Order $order): array
    {
        $records = [];
        foreach ($order->get_refunds() as $record) {
            $records[$record->get_id()] = $record;
        }
        $lines = [];
        foreach ($this->services->refunds->forOrder($order->get_id()) as $row) {
            $recordId = $row->shopRefundId;
            foreach ($records as $id => $record) {
                $isMatch = $row->refundId !== null && (string) $record->get_meta(Orders::REFUND_META) === $row->refundId;
                $recordId = $isMatch ? $id : $recordId;
            }
            $exists = $recordId !== null && isset($records[$recordId]);
            $lines[] = [
                'amount' => $this->services->money->format($row->amountMinor, $row->currency),
                'refund' => $row->refundId,
                'state' => self::stateText($row->state),
                'record' => $exists ? $recordId : null,
            ];
            unset($records[$recordId]);
        }
        foreach ($records as $id => $record) {
            $lines[] = [
                'amount' => Orders::decimalText($record->get_amount()) . ' ' . $order->get_currency(),
                'refund' => null,
                'state' => __('not in Tillgate', 'tillgate-for-woocommerce'),
                'record' => $id,
            ];
        }
        return $lines;
    }

    public function show(\WC_Order $order, Attempt $attempt): void
    {
        $lines = $this->lines($order);
        if ($lines === []) {
            return;
        }
        printf('<p><strong>%s</strong></p><ul data-tillgate-refunds>', esc_html__('Refunds', 'tillgate-for-woocommerce'));
        foreach ($lines as $line) {
            printf('<li>%s: ', esc_html($line['amount']));
            $page = $line['refund'] === null ? null : Accounts::consoleUrl($attempt->clientId, $attempt->mode, 'refunds/' . $line['refund']);
            if ($page !== null) {
                printf('<a href="%s" target="_blank" rel="noopener">%s</a> ', esc_url($page), esc_html((string) $line['refund']));
            } elseif ($line['refund'] !== null) {
                echo esc_html($line['refund'] . ' ');
            }
            echo esc_html($line['state']) . '<br>';
            echo esc_html($line['record'] === null
                ? __('not recorded in the shop', 'tillgate-for-woocommerce')
                /* translators: %d: ID of the WooCommerce refund */
                : sprintf(__('refund #%d in the shop', 'tillgate-for-woocommerce'), $line['record']));
            echo '</li>';
        }
        echo '</ul>';
    }

    private static function stateText(string $state): string
    {
        $texts = [
            'asked' => __('being requested', 'tillgate-for-woocommerce'),
            'unknown' => __('outcome not known yet, checking', 'tillgate-for-woocommerce'),
            'pending' => __('pending approval', 'tillgate-for-woocommerce'),
            'completed' => __('refunded', 'tillgate-for-woocommerce'),
            'failed' => __('failed, no money was moved', 'tillgate-for-woocommerce'),
        ];
        return $texts[$state] ?? $state;
    }
}
