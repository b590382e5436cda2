<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\WithServices;

/** Where the method is offered: what the account can take, within what the owner wants. */
final class Offer
{
    use WithServices;

    /** Whether a shopper with this currency may be offered it at all; amount and country may still change on the page. */
    public function takesCurrency(string $currency): bool
    {
        $wanted = $this->services->settings->currencies();
        return $this->services->settings->whatIsMissing() === null
            && $this->services->money->digitsOf($currency) !== null
            && $this->services->settings->holds($currency) !== false
            && ($wanted === [] || in_array($currency, $wanted, true));
    }

    /**
     * @param float  $total   what is to be paid; 0 where it is not known yet
     * @param string $country of the billing address; empty where it is not known yet
     */
    public function takes(float $total, string $country): bool
    {
        $settings = $this->services->settings;
        $countries = $settings->countries();
        $isTooSmall = $total > 0 && $settings->minAmount() !== null && $total < $settings->minAmount();
        $isTooLarge = $settings->maxAmount() !== null && $total > $settings->maxAmount();
        return !$isTooSmall && !$isTooLarge
            && ($countries === [] || $country === '' || in_array($country, $countries, true));
    }
}
