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
     * @param string $told whether a replay tells `again` of what the shop had before
     * @return string what was done, in one word; whatever is thrown means "not done, repeat it"
     */
    public function apply(Fact $fact, Attempt $attempt, string $told): string
    {
        $decision = $this->services->rules->decide($this->services->situation->ofDeleted($fact, $attempt, $told));
        if ($decision->note !== null) {
            $this->tell($fact, $attempt, $decision->note);
        }
        $this->services->attempts->told($attempt, $fact->event, $fact->trxId);
        return $decision->action;
    }

    private function tell(Fact $fact, Attempt $attempt, string $note): void
    {
        $fields = ['status' => 'deleted'] + $this->services->situation->paymentFields($fact, $attempt);
        $text = NoteText::of($note, $fields);
        $this->services->log->error($text);
        $this->services->health->needsPerson($attempt->orderId, Health::CAUSE_MISSING_ORDER, $text);
    }
}
