export { AmountError, type AmountErrorReason, mustBePositive, mustHaveDecimals } from "./amount-error.js";
export {
  convert,
  convertInverse,
  percentageOf,
  RateError,
  rateAfterSpread,
  rateSignificantDigits,
  roundRate,
} from "./conversion.js";
export {
  type Currency,
  currencies,
  currencyOf,
  digitsOf,
  findCurrency,
  type KnownCurrency,
  symbolOf,
  UnknownCurrencyError,
} from "./currencies.js";
export type { Rounding } from "./decimal.js";
export { fitsWireNumber, formatAmount, formatDecimal, toWireNumber } from "./format.js";
export {
  maximumMinorUnits,
  maximumSignificantDigits,
  type ParseAmountOptions,
  parseAmount,
  roundToTwoDecimals,
  withinMaximum,
} from "./parse-amount.js";
