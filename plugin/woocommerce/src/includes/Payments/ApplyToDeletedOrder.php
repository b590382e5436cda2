<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * Evaluates the rules for an order that no longer exists. The chosen action is not executed, because the shop may have lost the order by
 * accident. The status page shows the payment.
 */
final class ApplyToDeletedOrder
{
    use WithServices;

    /**
     * @param string $delivery `repeated` if a replay repeats a known event, otherwise `first`
     * @return string the action chosen by the rules, which is not executed
     */
    public function apply(PaymentEvent $event, Attempt $attempt, string $delivery): string
    {
        $decision = $this->services->rules->decide($this->services->ruleContext->forDeletedOrder($event, $attempt, $delivery));
        if ($decision->note !== null) {
            $this->reportToMerchant($event, $attempt, $decision->note);
        }
        $this->services->attempts->recordEvent($attempt, $event->type, $event->trxId);
        return $decision->action;
    }

    private function reportToMerchant(PaymentEvent $event, Attempt $attempt, string $note): void
    {
        $fields = ['status' => 'deleted'] + $this->services->ruleContext->paymentFields($event, $attempt);
        $text = NoteText::render($note, $fields);
        $this->services->log->error($text);
        $this->services->health->flagOrder($attempt->orderId, Health::CAUSE_MISSING_ORDER, $text);
    }
}
