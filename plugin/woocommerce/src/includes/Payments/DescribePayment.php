<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Money;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Differences;
use Tillgate\WooCommerce\Records\RefundRow;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/** Describes a payment for Tillgate's comparison. The description contains no customer data. */
final class DescribePayment
{
    use WithServices;

    /** Tillgate's limits for texts that it only displays, in characters. It rejects an order whose other fields are too long. */
    private const MAX_TEXT_LENGTH = 64;
    private const MAX_URL_LENGTH = 500;
    /** Values of `sent` for a refund requested in the shop, by the state of its row. */
    private const SENT = ['asked' => 'calling', 'unknown' => 'calling', 'pending' => 'pending', 'completed' => 'completed', 'failed' => 'failed'];

    /** @return array<string, mixed> entry of `orders` in the body of `PUT /comparisons/{day}` */
    public function run(Attempt $attempt): array
    {
        $order = Orders::find($attempt->orderId);
        $rows = $this->services->refunds->forOrder($attempt->orderId);
        $otherTransactions = array_map(static function (Attempt $other) use ($attempt): string {
            return $other->id === $attempt->id ? '' : (string) $other->trxId;
        }, $this->services->attempts->forOrder($attempt->orderId));
        $recorded = array_map(static function (RefundRow $row): string {
            return $row->isRecorded ? (string) $row->refundId : '';
        }, $rows);
        $number = $order === null ? '' : mb_substr(trim((string) $order->get_order_number()), 0, self::MAX_TEXT_LENGTH);
        $url = $order === null ? '' : (string) $order->get_edit_order_url();
        $accepted = $this->accepted($attempt);
        return [
            'order_id' => (string) $attempt->tillgateOrderId,
            'order_number' => $number === '' ? (string) $attempt->orderId : $number,
            'order_url' => $url === '' || strlen($url) > self::MAX_URL_LENGTH ? null : $url,
            'current' => $attempt->isCurrent,
            // A payment with a Tillgate order is never in the state creating or refused.
            'recorded' => strtoupper($attempt->state),
            'amount' => $this->services->money->toDecimal($attempt->amountMinor, $attempt->currency),
            'currency' => $attempt->currency,
            'other_trx_ids' => array_values(array_filter($otherTransactions)),
            'shop_order' => $order === null ? null : self::describeOrder($order, $rows),
            'recorded_refund_ids' => array_values(array_filter($recorded)),
        ] + ($accepted === [] ? [] : ['accepted' => $accepted]);
    }

    /** @return array<int, array<string, string>> the fields that identify the differences that the merchant marked as correct, in Tillgate's format */
    public function accepted(Attempt $attempt): array
    {
        $accepted = [];
        foreach ($attempt->isDifferenceAccepted ? $this->services->differences->ofPayment($attempt->id) : [] as $difference) {
            if (!empty($difference['accepted'])) {
                $accepted[] = Differences::identity($difference, $difference['id']);
            }
        }
        return $accepted;
    }

    /**
     * @param RefundRow[] $rows
     * @return array<string, mixed>
     */
    private static function describeOrder(\WC_Order $order, array $rows): array
    {
        $changedAt = $order->get_date_modified();
        return [
            'status' => mb_substr($order->get_status(), 0, self::MAX_TEXT_LENGTH),
            'counts_as' => Orders::ruleStatus($order),
            'total' => Orders::total($order),
            'currency' => $order->get_currency(),
            'pays_with_tillgate' => !Orders::hasOtherMethod($order),
            'trx_id' => self::textOrNull($order->get_transaction_id()),
            'changed_seconds_ago' => $changedAt === null ? null : max(0, time() - $changedAt->getTimestamp()),
            'refunds' => array_values(array_map(static function (\WC_Order_Refund $record) use ($rows): array {
                return self::describeRefund($record, $rows);
            }, $order->get_refunds())),
        ];
    }

    /**
     * @param RefundRow[] $rows
     * @return array<string, string|null>
     */
    private static function describeRefund(\WC_Order_Refund $record, array $rows): array
    {
        $refundId = self::textOrNull($record->get_meta(Orders::REFUND_META));
        $reference = self::textOrNull($record->get_meta(Orders::REFERENCE_META));
        $amount = Orders::decimalText($record->get_amount());
        $sent = 'no';
        foreach ($rows as $row) {
            if ($refundId === null && $row->shopRefundId === $record->get_id()) {
                $refundId = $row->refundId;
            }
            if ($refundId === null && $reference !== null && $row->reference === $reference) {
                $sent = self::SENT[$row->state] ?? 'no';
            }
        }
        return [
            'id' => (string) $record->get_id(),
            'amount' => Money::isZero($amount) ? '0' : $amount,
            'refund_id' => $refundId,
            'reference' => $reference,
            'mentioned_refund_id' => null,
            'sent' => $sent,
        ];
    }

    private static function textOrNull($text): ?string
    {
        return (string) $text === '' ? null : (string) $text;
    }
}
