<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * Handles a fact about an order that the shop deleted for good. No order is left to change or to note on: a payment is paid
 * back by the same rules, and the health panel shows it to a person.
 */
final class ApplyToDeletedOrder
{
    use WithServices;

    /**
     * @param string $told whether a replay tells `again` of what the shop had before
     * @return string what was done, in one word; whatever is thrown means "not done, repeat it"
     */
    public function apply(HeldClaim $held, Fact $fact, Attempt $attempt, string $told): string
    {
        $decision = $this->services->rules->decide($this->services->situation->ofDeleted($fact, $attempt, $told));
        $result = 'done';
        if ($decision->action === 'refund_payment') {
            // Reported before the call, because its outcome may stay unknown.
            $this->tell($fact, $attempt, (string) $decision->note, __('its outcome is not known yet', 'tillgate-for-woocommerce'));
            $result = (new RefundPayment($this->services))->notNeeded($held, $attempt, (string) $fact->trxId);
        }
        if ($decision->note !== null) {
            $this->tell($fact, $attempt, $decision->note, $result);
        }
        $this->services->attempts->told($attempt, $fact->event, $fact->trxId);
        return $decision->action;
    }

    private function tell(Fact $fact, Attempt $attempt, string $note, string $result): void
    {
        $fields = ['result' => $result, 'status' => 'deleted'] + $this->services->situation->paymentFields($fact, $attempt);
        $text = NoteText::of($note, $fields);
        $this->services->log->error($text);
        $this->services->health->failed(Health::CAUSE_ATTENTION, $text);
    }
}
