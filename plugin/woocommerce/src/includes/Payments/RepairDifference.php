<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\WithServices;

/**
 * Repairs a difference: applies the state of the Tillgate order again, cancels an open payment that the order no longer needs, or records a
 * refund. The rules in transitions.json determine what changes.
 */
final class RepairDifference
{
    use WithServices;

    /** @return bool whether the difference is resolved */
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
        $updated = $this->services->attempts->byId($attempt->id) ?? $attempt;
        return $this->find($updated, $subject, $id, $field) === null;
    }

    /** @return array<string, mixed>|null null if the difference no longer exists */
    private function find(Attempt $attempt, string $subject, string $id, string $field): ?array
    {
        foreach ((new ComparePayments($this->services))->runOne($attempt) as $candidate) {
            if ($candidate['subject'] === $subject && $candidate['id'] === $id && $candidate['field'] === $field) {
                return $candidate;
            }
        }
        return null;
    }

    /** Applies the state even if it was applied before. */
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
            $description = (new RecordRefunds($this->services))->recordOne($lock, $refund, $attempt->orderId, true);
            if ($description !== null) {
                $text = NoteText::render($this->services->rules->note('refunds_recorded'), ['result' => $description]);
                Orders::addNoteOnce(Orders::get($attempt->orderId), $text);
            }
        });
    }
}
