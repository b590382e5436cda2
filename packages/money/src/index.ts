export { AmountError, type AmountErrorReason, decimalsMessage, MUST_BE_POSITIVE } from "./amount-error.js";
export {
  convert,
  convertInverse,
  payerShare,
  percentageOf,
  RATE_SIGNIFICANT_DIGITS,
  RateError,
  rateAfterSpread,
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
export { fitsWireNumber, formatAmount, formatDecimal, minorUnitsOf, toWireNumber } from "./format.js";
export {
  MAXIMUM_SIGNIFICANT_DIGITS,
  maximumMinorUnits,
  type ParseAmountOptions,
  parseAmount,
  roundToTwoDecimals,
  withinMaximum,
} from "./parse-amount.js";
export {
  AMOUNT_NOTATIONS,
  AmbiguousAmountError,
  type AmountNotation,
  type AmountReading,
  parseTypedAmount,
  parseWrittenAmount,
  readingsOfAmount,
  type TypedAmountOptions,
} from "./typed-amount.js";
