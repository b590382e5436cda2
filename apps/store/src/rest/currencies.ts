/** The currencies that WooCommerce 10.0.2 knows. */
export const currencyCodes =
  `AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP BYR BYN BZD CAD
  CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GGP GHS GIP GMD GNF GTQ GYD
  HKD HNL HRK HTG HUF IDR ILS IMP INR IQD IRR IRT ISK JEP JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR
  LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR
  PLN PRB PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLL SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD
  TWD TZS UAH UGX USD UYU UZS VEF VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW`.split(/\s+/);

/** Signs on which WooCommerce and the Unicode data differ. */
const ownSigns: Record<string, string> = { XAF: "CFA", XOF: "CFA", XPF: "XPF", KES: "KSh", CHF: "CHF" };

/** A currency's sign as WooCommerce shows it: "€" for EUR. */
export function currencySign(code: string): string {
  const own = ownSigns[code];
  if (own !== undefined) return own;
  const parts = new Intl.NumberFormat("en", {
    style: "currency",
    currency: code,
    currencyDisplay: "narrowSymbol",
  }).formatToParts(0);
  return parts.find((part) => part.type === "currency")?.value ?? code;
}

/** A currency's English name. */
export const currencyName = (code: string): string =>
  new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
