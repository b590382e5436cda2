<?php

namespace Tillgate\WooCommerce\Shop;

use Tillgate\WooCommerce\WithServices;

final class Availability
{
    use WithServices;

    /** Whether customers can pay in the currency. Amount and country are not checked, because they may still change during checkout. */
    public function supportsCurrency(string $currency): bool
    {
        $allowed = $this->services->settings->currencies();
        return $this->services->settings->setupError() === null
            && $this->services->money->digits($currency) !== null
            && $this->services->settings->hasWallet($currency) !== false
            && ($allowed === [] || in_array($currency, $allowed, true));
    }

    public function supportsPrecision(float $total, string $currency): bool
    {
        return !$this->services->money->hasExtraDecimals(Orders::decimalText($total), $currency);
    }

    /** @return string|null advice if the shop's number of decimals exceeds its currency's; null otherwise */
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

    public function decimalsText(): string
    {
        $currency = get_woocommerce_currency();
        $digits = $this->services->money->digits($currency);
        if ($digits === null) {
            /* translators: 1: decimals of the shop, 2: currency code */
            return sprintf(__('The shop’s number of decimals is %1$d; %2$s isn’t supported.', 'tillgate-for-woocommerce'), wc_get_price_decimals(), $currency);
        }
        return sprintf(
            /* translators: 1: decimals of the shop, 2: currency code, 3: decimals of the currency */
            __('The shop’s number of decimals is %1$d; %2$s has %3$d.', 'tillgate-for-woocommerce'),
            wc_get_price_decimals(),
            $currency,
            $digits
        );
    }

    /**
     * @param float  $total   amount to pay, in currency units; 0 if unknown
     * @param string $country billing country; empty if unknown
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
