export { AmountError, type AmountErrorReason, decimalsMessage, MUST_BE_POSITIVE } from "./amount-error.js";
export {
  calculatePercentage,
  computePayerShare,
  convert,
  convertInverse,
  RATE_SIGNIFICANT_DIGITS,
  RateError,
  rateAfterSpread,
  roundRate,
} from "./conversion.js";
export {
  type Currency,
  currencies,
  findCurrency,
  getCurrency,
  getDigits,
  getSymbol,
  type KnownCurrency,
  UnknownCurrencyError,
} from "./currencies.js";
export type { Rounding } from "./decimal.js";
export {
  fitsWireNumber,
  formatAmount,
  formatDecimal,
  toMinorUnits,
  toWireNumber,
} from "./format.js";
export {
  MAXIMUM_SIGNIFICANT_DIGITS,
  maximumMinorUnits,
  type ParseAmountOptions,
  parseAmount,
  requireWithinMaximum,
  roundToTwoDecimals,
} from "./parse-amount.js";
export {
  AMOUNT_NOTATIONS,
  AmbiguousAmountError,
  type AmountNotation,
  type AmountReading,
  listAmountReadings,
  parseTypedAmount,
  parseWrittenAmount,
  type TypedAmountOptions,
} from "./typed-amount.js";
