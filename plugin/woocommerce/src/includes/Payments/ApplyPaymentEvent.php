<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\PluginError;
use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\Lock;
use Tillgate\WooCommerce\Rules\Decision;
use Tillgate\WooCommerce\Rules\Rules;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\Shop\Orders;
use Tillgate\WooCommerce\Shop\PaidStatus;
use Tillgate\WooCommerce\Shop\PaymentEmail;
use Tillgate\WooCommerce\WithServices;

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Exception messages are logged, or escaped where they are printed.

/** Applies a payment event to its order. The caller must hold the order's lock. */
final class ApplyPaymentEvent
{
    use WithServices;

    /** If the order changes between reading and writing, the rules are evaluated again. */
    private const MAX_TRIES = 3;
    private const UNPAID = ['pending', 'on-hold', 'failed', 'cancelled'];

    /** Result for an event that was applied before. */
    public const KNOWN = 'known';

    /**
     * @param bool $isRepair apply the event even if it was applied before, to repair the order
     * @param bool $isReplay like $isRepair, for a replayed event; if it was applied before, restores only what the order has lost
     * @return string the action taken, or KNOWN
     * @throws PluginError NOT_FOUND if the Tillgate order belongs to no payment in this shop; after any other exception, the event must be
     *   applied again
     */
    public function apply(Lock $lock, PaymentEvent $event, bool $isRepair = false, bool $isReplay = false): string
    {
        $attempt = $this->services->attempts->byTillgateOrder($event->tillgateOrderId);
        if ($attempt === null) {
            throw new PluginError(PluginError::NOT_FOUND, "No shop order found for Tillgate order {$event->tillgateOrderId}.");
        }
        $isKnown = self::isKnown($attempt, $event);
        if (!$isRepair && !$isReplay && $isKnown) {
            return self::KNOWN;
        }
        $delivery = $isReplay && $isKnown ? 'repeated' : 'first';
        if ($event->type === 'pos.order.paid' && $event->trxId === null) {
            throw new PluginError(PluginError::UNREADABLE, "Order {$event->tillgateOrderId} is paid but has no transaction ID.");
        }
        $isPaidApplied = false;
        for ($try = 1; $try <= self::MAX_TRIES; $try += 1) {
            $order = Orders::find($attempt->orderId);
            if ($order === null) {
                return (new ApplyToDeletedOrder($this->services))->apply($event, $attempt, $delivery);
            }
            $decision = $this->services->rules->decide($this->services->ruleContext->forOrder($event, $attempt, $order, $delivery));
            if ($decision->action === 'apply_paid_first' && !$isPaidApplied) {
                $this->applyPaidFirst($lock, $attempt, $isReplay);
                $isPaidApplied = true;
                continue;
            }
            $outcome = $this->execute($lock, $event, $attempt, $order, $decision, $isReplay);
            if (!$outcome['done']) {
                continue;
            }
            $this->recordOutcome($lock, $event, $attempt, $decision, $outcome['result'], $order->get_status());
            return $decision->action;
        }
        Orders::addNoteOnce(
            Orders::get($attempt->orderId),
            NoteText::render($this->services->rules->note('not_applied'), [
                'tillgate_order' => $event->tillgateOrderId,
            ])
        );
        throw new PluginError(PluginError::NOT_APPLIED, "Order {$attempt->orderId}: {$event->type} could not be applied.");
    }

    /** @param array<string, mixed> $remote Tillgate order */
    public function applyOrderState(Lock $lock, array $remote, bool $isRepair = false, bool $isReplay = false): void
    {
        foreach (PaymentEvent::deriveFromOrder($remote, $this->services->money) as $event) {
            $this->apply($lock, $event, $isRepair, $isReplay);
        }
    }

    /** Returns false for refund events, because refunds are matched one by one instead. */
    private static function isKnown(Attempt $attempt, PaymentEvent $event): bool
    {
        switch ($event->type) {
            case 'pos.order.paid':
                return $attempt->state === 'paid' || $attempt->state === 'refunded';
            case 'pos.order.expired':
                return $attempt->state === 'expired';
            case 'pos.order.cancelled':
                return $attempt->state === 'cancelled' && $attempt->cancelReason === null;
            default:
                return false;
        }
    }

    /** @return array{done: bool, result: string|null} not done if the order does not keep the written status */
    private function execute(
        Lock $lock,
        PaymentEvent $event,
        Attempt $attempt,
        \WC_Order $order,
        Decision $decision,
        bool $isReplay
    ): array {
        $trxId = (string) $event->trxId;
        $change = function (callable $write, array $unchangedStatuses) use ($lock, $order): array {
            $lock->renew();
            $write($order);
            $saved = Orders::find($order->get_id());
            $isDone = $saved !== null && !in_array(Orders::ruleStatus($saved), $unchangedStatuses, true);
            return ['done' => $isDone, 'result' => null];
        };
        switch ($decision->action) {
            case 'complete_payment':
            case 'set_processing':
                // The return value of payment_complete() is not used, because it is true even if nothing was changed.
                return $change(static function (\WC_Order $order) use ($trxId): void {
                    $order->payment_complete($trxId);
                    if (!in_array($order->get_status(), Rules::CONDITIONS['status'], true) && $order->needs_payment()) {
                        // A custom status that payment_complete() does not support.
                        $order->set_transaction_id($trxId);
                        $order->set_date_paid(time());
                        $order->update_status(PaidStatus::forOrder($order));
                    }
                }, self::UNPAID);
            case 'record_transaction':
                return $change(static function (\WC_Order $order) use ($trxId): void {
                    $order->set_transaction_id($trxId);
                    $order->save();
                }, []);
            case 'hold':
                return $change(static function (\WC_Order $order) use ($trxId): void {
                    $order->set_transaction_id($trxId);
                    $order->update_status('on-hold');
                }, self::statusesExcept('on-hold'));
            case 'fail':
            case 'fail_over_pending':
                return $change(static function (\WC_Order $order): void {
                    $order->update_status('failed');
                    // WooCommerce restocks on Cancelled and Pending payment, but not on Failed.
                    wc_maybe_increase_stock_levels($order->get_id());
                }, self::statusesExcept('failed'));
            case 'cancel':
                return $change(static function (\WC_Order $order): void {
                    $order->update_status('cancelled');
                }, self::statusesExcept('cancelled'));
            case 'refund_payment':
                $refundPayment = new RefundPayment($this->services);
                return ['done' => true, 'result' => $refundPayment->run($lock, $attempt, $trxId)];
            case 'record_refunds':
                $recordRefunds = new RecordRefunds($this->services);
                return ['done' => true, 'result' => $recordRefunds->run($lock, $event, $attempt, $isReplay) ?? ''];
            case 'cancel_attempt':
            case 'link_refund':
            case 'refund_at_tillgate':
                throw new \LogicException(esc_html($decision->action) . ' applies to changes in the shop, not to events.');
            default:
                return ['done' => true, 'result' => null];
        }
    }

    private function recordOutcome(
        Lock $lock,
        PaymentEvent $event,
        Attempt $attempt,
        Decision $decision,
        ?string $result,
        string $statusBefore
    ): void {
        if ($decision->cancelCurrent) {
            $this->cancelNewerAttempt($lock, $attempt);
        }
        $paidNote = null;
        // An empty result means that nothing changed.
        if ($decision->note !== null && $result !== '') {
            $order = Orders::get($attempt->orderId);
            $fields = ['result' => $result ?? 'done', 'status' => $statusBefore]
                + $this->services->ruleContext->noteFields($event, $attempt, $order);
            $difference = $this->services->ruleContext->differenceName($event, $attempt, $order);
            $fields['difference'] = NoteText::render($this->services->rules->difference($difference), $fields);
            $text = NoteText::render($decision->note, $fields);
            Orders::addNoteOnce($order, $text);
            if ($event->type === 'pos.order.paid' && !self::isKnown($attempt, $event)) {
                $paidNote = $text;
            }
            if ($decision->attention) {
                $this->services->health->flagOrder($attempt->orderId, Health::CAUSE_ATTENTION, $text);
            }
        }
        $this->services->attempts->recordEvent($attempt, $event->type, $event->trxId);
        if ($paidNote !== null) {
            $this->sendEmail($attempt, $paidNote);
        }
        $this->services->log->info(sprintf(
            'Order %d: applied %s of %s with the action %s.',
            $attempt->orderId,
            $event->type,
            $event->tillgateOrderId,
            $decision->action
        ));
    }

    /** Sends the e-mail after the payment is recorded, because a failing mailer must neither undo the payment nor cause a second e-mail. */
    private function sendEmail(Attempt $attempt, string $text): void
    {
        try {
            PaymentEmail::send($this->services->settings->paymentEmail(), Orders::get($attempt->orderId), $attempt->mode, $text);
        } catch (\Throwable $error) {
            $this->services->log->error("Order {$attempt->orderId}: could not send the payment e-mail: " . $error->getMessage());
        }
    }

    /** Reads the payment from the API and applies it, because its refund event arrived first. */
    private function applyPaidFirst(Lock $lock, Attempt $attempt, bool $isReplay): void
    {
        $remote = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)
            ->getOrder((string) $attempt->tillgateOrderId);
        foreach (PaymentEvent::deriveFromOrder($remote, $this->services->money) as $event) {
            if ($event->type === 'pos.order.paid') {
                $this->apply($lock, $event, false, $isReplay);
                return;
            }
        }
        throw new PluginError(
            PluginError::UNREADABLE,
            "{$attempt->tillgateOrderId} was refunded, but its status is {$remote['status']}."
        );
    }

    /** Prevents a second payment after an older attempt was paid. */
    private function cancelNewerAttempt(Lock $lock, Attempt $paidBy): void
    {
        $current = $this->services->attempts->current($paidBy->orderId);
        if ($current === null || $current->id === $paidBy->id || !$current->isOpen()) {
            return;
        }
        if ($current->state === 'creating') {
            $current = (new CreateTillgateOrder($this->services))->run($current)[0];
        }
        // If the newer attempt is paid at the same time, it is refunded when its event arrives or the scheduled check runs.
        $reason = NoteText::render($this->services->rules->reason('paid_by_earlier'), []);
        (new CancelAttempt($this->services))->run($lock, $current, $reason);
    }

    /** @return string[] */
    private static function statusesExcept(string $status): array
    {
        return array_diff(array_merge(self::UNPAID, ['processing', 'completed', 'refunded']), [$status]);
    }
}
