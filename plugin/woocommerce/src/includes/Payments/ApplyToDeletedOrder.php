<?php

namespace Tillgate\WooCommerce\Payments;

use Tillgate\WooCommerce\Records\Attempt;
use Tillgate\WooCommerce\Records\HeldClaim;
use Tillgate\WooCommerce\Shop\Health;
use Tillgate\WooCommerce\WithServices;

/**
 * What Tillgate tells of an order that the shop deleted for good. There is nothing left to change or to note on: a payment
 * is paid back by the same rules, and a person is told in the health panel.
 */
final class ApplyToDeletedOrder
{
    use WithServices;

    /** @return string what was done, in one word; whatever is thrown means "not done, repeat it" */
    public function apply(HeldClaim $held, Fact $fact, Attempt $attempt): string
    {
        $decision = $this->services->rules->decide($this->services->situation->ofDeleted($fact, $attempt));
        $result = 'done';
        if ($decision->action === 'refund_payment') {
            // Said before the call: also where nobody knows yet what came of it.
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
