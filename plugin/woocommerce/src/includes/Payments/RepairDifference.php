<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/**
 * Carries out the repair of a difference, after a look that it is still there. It decides nothing: Tillgate's state, or the change in
 * the shop, is handed to the function that changes an order, by the rules of transitions.json.
 */
final class RepairDifference
{
    use WithServices;

    /** @return bool whether the difference is gone */
    public function run(Attempt $attempt, string $subject, string $id, string $field): bool
    {
        $difference = $this->find($attempt, $subject, $id, $field);
        if ($difference === null) {
            return true;
        }
        switch ($difference['repair']) {
            case 'apply_order':
                $this->applyOrder($attempt);
                break;
            case 'cancel_open':
                (new CheckAttempt($this->services))->cancelIfStale($attempt->id);
                break;
            case 'record_refund':
                $this->recordRefund($attempt, $id);
                break;
            default:
                return false;
        }
        $after = $this->services->attempts->byId($attempt->id) ?? $attempt;
        return $this->find($after, $subject, $id, $field) === null;
    }

    /** @return array<string, mixed>|null null where it does not differ (any more) */
    private function find(Attempt $attempt, string $subject, string $id, string $field): ?array
    {
        foreach ((new Reconcile($this->services))->comparePayment($attempt) as $one) {
            if ($one['subject'] === $subject && $one['id'] === $id && $one['field'] === $field) {
                return $one;
            }
        }
        return null;
    }

    /** Whatever the plugin's own record says of it. */
    private function applyOrder(Attempt $attempt): void
    {
        $remote = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->getOrder((string) $attempt->tillgateOrderId);
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($remote): void {
            (new ApplyPaymentEvent($this->services))->applyOrderState($lock, $remote, true);
        });
    }

    private function recordRefund(Attempt $attempt, string $refundId): void
    {
        $data = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)->getRefund($refundId);
        $refund = RemoteRefund::fromApi($data, $this->services->money);
        $this->services->locks->withOrderLock($attempt->orderId, function (Lock $lock) use ($attempt, $refund): void {
            $words = (new RecordRefunds($this->services))->recordOne($lock, $refund, $attempt->orderId, true);
            if ($words !== null) {
                $text = NoteText::render($this->services->rules->note('refunds_recorded'), ['result' => $words]);
                Orders::addNoteOnce(Orders::get($attempt->orderId), $text);
            }
        });
    }
}
