<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\WithServices;

/** Where the method is offered: what the account can take, within what the owner wants. */
final class Availability
{
    use WithServices;

    /** Whether a shopper with this currency may be offered it at all; amount and country may still change on the page. */
    public function supportsCurrency(string $currency): bool
    {
        $wanted = $this->services->settings->currencies();
        return $this->services->settings->setupError() === null
            && $this->services->money->digits($currency) !== null
            && $this->services->settings->hasWallet($currency) !== false
            && ($wanted === [] || in_array($currency, $wanted, true));
    }

    /** Whether a total can be paid in the currency: it is not finer than that. */
    public function supportsPrecision(float $total, string $currency): bool
    {
        return !$this->services->money->hasExtraDecimals(Orders::decimalText($total), $currency);
    }

    /** @return string|null what the owner has to set, where the shop calculates finer than its currency; null where it does not */
    public function decimalsAdvice(): ?string
    {
        $currency = get_woocommerce_currency();
        $digits = $this->services->money->digits($currency);
        if ($digits === null || wc_get_price_decimals() <= $digits) {
            return null;
        }
        return sprintf(
            /* translators: 1: decimals of the currency, 2: currency code */
            __('Set WooCommerce → Settings → General → Number of decimals to %1$d. Until then, Tillgate isn’t offered for totals with more decimals than %2$s has.', 'tillgate-for-woocommerce'),
            $digits,
            $currency
        );
    }

    /** @return string how many decimals shop and currency have */
    public function decimalsText(): string
    {
        return sprintf(
            /* translators: 1: decimals of the shop, 2: currency code, 3: decimals of the currency */
            __('The shop uses %1$d decimals; %2$s has %3$d.', 'tillgate-for-woocommerce'),
            wc_get_price_decimals(),
            get_woocommerce_currency(),
            (int) $this->services->money->digits(get_woocommerce_currency())
        );
    }

    /**
     * @param float  $total   what is to be paid; 0 where it is not known yet
     * @param string $country of the billing address; empty where it is not known yet
     */
    public function isWithinLimits(float $total, string $country): bool
    {
        $settings = $this->services->settings;
        $countries = $settings->countries();
        $isTooSmall = $total > 0 && $settings->minAmount() !== null && $total < $settings->minAmount();
        $isTooLarge = $settings->maxAmount() !== null && $total > $settings->maxAmount();
        return !$isTooSmall && !$isTooLarge
            && ($countries === [] || $country === '' || in_array($country, $countries, true));
    }
}
