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

// phpcs:disable WordPress.Security.EscapeOutput.ExceptionNotEscaped -- Texts of exceptions go to logs, or to edges that escape them.

/**
 * The one function that changes an order. Webhook, sweep, return page, status poll and the owner's button all come here,
 * under the order's claim. It reads the order, decides by the rules, carries out, reads back, and notes.
 */
final class ApplyPaymentEvent
{
    use WithServices;

    /** Somebody else may change the order between reading and writing: then the decision is made again. */
    private const MAX_TRIES = 3;
    private const UNPAID = ['pending', 'on-hold', 'failed', 'cancelled'];

    /** What was known already needs no change and no note. */
    public const KNOWN = 'known';


    /**
     * @param bool $isAgain whatever the plugin's own record says: to repair an order that does not show what it knows
     * @param bool $isReplay the same for an event that a replay sends, by rules that leave alone what the order still shows
     * @return string what was done, in one word
     * @throws PluginError NOT_FOUND, NOT_FOLLOWED; whatever else is thrown means "not done, repeat it"
     */
    public function apply(Lock $lock, PaymentEvent $event, bool $isAgain = false, bool $isReplay = false): string
    {
        $attempt = $this->services->attempts->byTillgateOrder($event->tillgateOrderId);
        if ($attempt === null) {
            throw new PluginError(PluginError::NOT_FOUND, "No order of this shop has {$event->tillgateOrderId}.");
        }
        $isKnown = self::isKnown($attempt, $event);
        if (!$isAgain && !$isReplay && $isKnown) {
            return self::KNOWN;
        }
        $delivery = $isReplay && $isKnown ? 'again' : 'first';
        if ($event->type === 'pos.order.paid' && $event->trxId === null) {
            throw new PluginError(PluginError::UNREADABLE, "{$event->tillgateOrderId} is paid without a transaction.");
        }
        $isPaidApplied = false;
        for ($round = 1; $round <= self::MAX_TRIES; $round += 1) {
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
                'event' => $event->type,
                'tillgate_order' => $event->tillgateOrderId,
            ])
        );
        throw new PluginError(PluginError::NOT_APPLIED, "Order {$attempt->orderId} did not take {$event->type}.");
    }

    /**
     * Brings the API's state of an order into the shop.
     *
     * @param array<string, mixed> $remote
     */
    public function applyOrderState(Lock $lock, array $remote, bool $isAgain = false, bool $isReplay = false): void
    {
        foreach (PaymentEvent::listFromOrder($remote, $this->services->money) as $event) {
            $this->apply($lock, $event, $isAgain, $isReplay);
        }
    }

    /** Whether this end of the payment is in the shop already. Refunds are matched one by one instead. */
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

    /** @return array{done: bool, result: string|null} not done where the order shows another status than was written */
    private function execute(
        Lock $lock,
        PaymentEvent $event,
        Attempt $attempt,
        \WC_Order $order,
        Decision $decision,
        bool $isReplay
    ): array {
        $trxId = (string) $event->trxId;
        $change = function (callable $write, array $notAfter) use ($lock, $order): array {
            $lock->renew();
            $write($order);
            $after = Orders::find($order->get_id());
            $isDone = $after !== null && !in_array(Orders::ruleStatus($after), $notAfter, true);
            return ['done' => $isDone, 'result' => null];
        };
        switch ($decision->action) {
            case 'complete_payment':
            case 'set_processing':
                // Inside WooCommerce one call serves all four statuses. It returns true also where it did nothing.
                return $change(static function (\WC_Order $order) use ($trxId): void {
                    $order->payment_complete($trxId);
                    if (!in_array($order->get_status(), Rules::CONDITIONS['status'], true) && $order->needs_payment()) {
                        // A status of another plugin from which WooCommerce completes no payment.
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
                    // WooCommerce gives stock back at Cancelled and Pending, but not at Failed.
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
                throw new \LogicException(esc_html($decision->action) . ' answers a change in the shop, not an event.');
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
        // An empty result: everything was in the shop already, which needs no note.
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
            $this->sendEmail($attempt->orderId, $paidNote);
        }
        $this->services->log->info(sprintf(
            'Order %d: %s of %s: %s',
            $attempt->orderId,
            $event->type,
            $event->tillgateOrderId,
            $decision->action
        ));
    }

    /** Tells the owner of a payment, after it is recorded: the mailer of another plugin may fail, and a mail is never repeated. */
    private function sendEmail(int $orderId, string $text): void
    {
        try {
            PaymentEmail::send($this->services->settings->paymentEmail(), Orders::get($orderId), $text);
        } catch (\Throwable $error) {
            $this->services->log->error("Order $orderId: the e-mail about its payment could not be sent: " . $error->getMessage());
        }
    }

    /** A refund may arrive before its payment: the API knows the payment, and then both are in the shop. */
    private function applyPaidFirst(Lock $lock, Attempt $attempt, bool $isReplay): void
    {
        $remote = $this->services->settings->clientFor($attempt->mode, $attempt->clientId)
            ->getOrder((string) $attempt->tillgateOrderId);
        foreach (PaymentEvent::listFromOrder($remote, $this->services->money) as $event) {
            if ($event->type === 'pos.order.paid') {
                $this->apply($lock, $event, false, $isReplay);
                return;
            }
        }
        throw new PluginError(
            PluginError::UNREADABLE,
            "{$attempt->tillgateOrderId} was refunded, but the API says {$remote['status']}."
        );
    }

    /** An older attempt has paid the order: its current one must not be paid as well. */
    private function cancelNewerAttempt(Lock $lock, Attempt $paidBy): void
    {
        $current = $this->services->attempts->current($paidBy->orderId);
        if ($current === null || $current->id === $paidBy->id || !$current->isOpen()) {
            return;
        }
        if ($current->state === 'creating') {
            $current = (new CreateTillgateOrder($this->services))->run($current)[0];
        }
        // Where it was paid in the same moment, its own event or the sweep finds a paid order and pays it back.
        $reason = NoteText::render($this->services->rules->reason('paid_by_older'), []);
        (new CancelAttempt($this->services))->run($lock, $current, $reason);
    }

    /** @return string[] */
    private static function statusesExcept(string $status): array
    {
        return array_diff(array_merge(self::UNPAID, ['processing', 'completed', 'refunded']), [$status]);
    }
}
