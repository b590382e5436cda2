<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * Handles a fact about an order that the shop does not have. No order is left to change or to note on, and a missing order is never by
 * itself a reason to refund: the shop may have lost it. The health panel shows the payment to a person.
 */
final class ApplyToDeletedOrder
{
    use WithServices;

    /**
     * @param string $delivery whether a replay tells `again` of what the shop had before
     * @return string what was done, in one word; whatever is thrown means "not done, repeat it"
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
