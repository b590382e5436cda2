import { AmountError, decimalsMessage } from "./amount-error.js";
import { MAXIMUM_DECIMAL_TEXT_LENGTH, trimTrailingZeros } from "./decimal.js";
import { parseAmount } from "./parse-amount.js";

/** Notations of amounts in files and commands. The first has no thousands separator. */
export const AMOUNT_NOTATIONS = ["1234.56", "1,234.56", "1.234,56"] as const;
export type AmountNotation = (typeof AMOUNT_NOTATIONS)[number];

const NOTATIONS: Readonly<Record<AmountNotation, RegExp>> = {
  "1234.56": /^(\d+)(?:\.(\d+))?$/,
  "1,234.56": /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?$/,
  "1.234,56": /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d+))?$/,
};

/**
 * Parses an amount in a file or command. Unlike in {@link parseAmount}, trailing zeros count as decimals: "25.000" is not an amount in XAF or EUR,
 * unless points separate thousands.
 * @param digits the currency's decimal places.
 * @returns minor units, from 1 to 10^13.
 * @throws AmountError for a different notation, too many decimals, or an amount that {@link parseAmount} rejects.
 */
export function parseWrittenAmount(
  text: string,
  digits: number,
  notation: AmountNotation = "1234.56",
): bigint {
  // Negative amounts have a separate error.
  if (text.startsWith("-")) return parseAmount(text, digits);
  const [, whole, fraction] = NOTATIONS[notation].exec(text) ?? [];
  if (whole === undefined || text.length > MAXIMUM_DECIMAL_TEXT_LENGTH) {
    throw new AmountError("not_a_number", `must be a number written as ${notation}`);
  }
  return parseAmount(toPlainText(whole, fraction, digits), digits);
}

export type TypedAmountOptions = {
  /** BCP 47 tag of the page, which determines the decimal separator. */
  locale: string;
  /** The currency's decimal places; absent for rates and percentages, and if the currency is unknown. */
  digits?: number | undefined;
};

export type AmountReading = {
  /** A plain decimal string with at least the currency's decimal places. */
  value: string;
  /** An unambiguous notation; undefined if the reading is not an amount of the currency. */
  unambiguous: string | undefined;
};

/** Thrown for an ambiguous amount: "1,000" could mean 1.00 or 1000.00. */
export class AmbiguousAmountError extends AmountError {
  constructor(
    readonly typed: string,
    readonly small: AmountReading,
    readonly large: AmountReading,
  ) {
    super("ambiguous", `could mean ${small.value} or ${large.value}`);
  }
}

const ARABIC_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g;
/** The low four bits of an Arabic or Persian digit's code point are its value. */
const DIGIT_BITS = 0xf;
/** Unambiguous in every language, like the Arabic thousands separator U+066C. */
const ARABIC_DECIMAL = "\u066b";
const UNGROUPED = /^(\d+)(?:([.,\u066b])(\d+))?$/;
/** Spaces, apostrophes and the Arabic thousands separator always group, so both point and comma can be the decimal separator. */
const GROUPED =
  /^([1-9]\d{0,2}(?: \d{3})+|[1-9]\d{0,2}(?:'\d{3})+|[1-9]\d{0,2}(?:\u066c\d{3})+)(?:[.,\u066b](\d+))?$/;
const GROUPED_BY_COMMAS = /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d+))?$/;
const GROUPED_BY_POINTS = /^([1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?$/;
const THOUSANDS = /^[1-9]\d{0,2}$/;
const GROUP_LENGTH = 3;

/**
 * Parses an amount, rate or percentage typed by a person: "1,000.50" in English, "1.000,50" in German, "1 000,50" in French. Either separator can
 * start the decimals, except where it could be a thousands separator too, as in "1,000" ("0,123" and "1234,567" are not ambiguous). In that case,
 * only the page's decimal separator is accepted, and only in a currency with three decimal places.
 * @returns a plain decimal string for the API, with all typed decimals and any minus sign.
 * @throws AmbiguousAmountError for text such as "1,000" and "1.000"; AmountError `not_a_number`, `too_many_decimals`.
 */
export function parseTypedAmount(input: string, { locale, digits }: TypedAmountOptions): string {
  const typed = input.trim();
  const text = typed
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & DIGIT_BITS))
    .replace(/\s/g, " ")
    .replaceAll("’", "'")
    .replace("\u2212", "-");
  if (text.length > MAXIMUM_DECIMAL_TEXT_LENGTH) throw notANumberError();
  const sign = text.startsWith("-") ? "-" : "";
  const unsigned = text.slice(sign.length);
  const decimal = getDecimalSeparator(locale);
  const [, whole, separator, fraction] = UNGROUPED.exec(unsigned) ?? [];
  if (whole !== undefined) {
    const isOwnDecimal = separator === ARABIC_DECIMAL || (separator === decimal && digits === GROUP_LENGTH);
    if (fraction?.length === GROUP_LENGTH && THOUSANDS.test(whole) && !isOwnDecimal)
      throw toAmbiguousError(typed, { whole, fraction, decimal, digits });
    return `${sign}${toPlainText(whole, fraction, digits)}`;
  }
  const grouped = decimal === "." ? GROUPED_BY_COMMAS : GROUPED_BY_POINTS;
  const [, groups, decimals] = GROUPED.exec(unsigned) ?? grouped.exec(unsigned) ?? [];
  if (groups === undefined) throw notANumberError();
  return `${sign}${toPlainText(groups, decimals, digits)}`;
}

const BOTH_SEPARATORS = ["en", "de"];

/**
 * Lists the readings of a typed amount in any language, because a search matches both readings of "1,000".
 * @returns plain decimal strings; empty if the text is not an amount.
 */
export const listAmountReadings = (input: string): string[] => [
  ...new Set(BOTH_SEPARATORS.flatMap((locale) => listReadings(locale, input))),
];

function listReadings(locale: string, input: string): string[] {
  try {
    return [parseTypedAmount(input, { locale })];
  } catch (error) {
    if (error instanceof AmbiguousAmountError) return [error.small.value, error.large.value];
    if (error instanceof AmountError) return [];
    throw error;
  }
}

const notANumberError = (): AmountError => new AmountError("not_a_number", "must be a number");

/** Joins integer part and decimals. @throws AmountError `too_many_decimals`. */
function toPlainText(
  groups: string,
  fraction: string | undefined,
  digits = Number.POSITIVE_INFINITY,
): string {
  if ((fraction?.length ?? 0) > digits) throw new AmountError("too_many_decimals", decimalsMessage(digits));
  const whole = BigInt(groups.replace(/\D/g, "")).toString();
  return fraction === undefined ? whole : `${whole}.${fraction}`;
}

function toAmbiguousError(
  typed: string,
  parts: { whole: string; fraction: string; decimal: "." | ","; digits: number | undefined },
): AmbiguousAmountError {
  const { whole, fraction, decimal, digits = GROUP_LENGTH } = parts;
  const end = trimTrailingZeros(fraction).padEnd(digits, "0");
  const small = end === "" ? whole : `${whole}.${end}`;
  const large = `${whole}${fraction}`;
  // A fourth decimal makes a rate unambiguous. An amount has the currency's decimal places instead.
  const spelled = parts.digits === undefined ? `${whole}.${fraction}0` : small;
  const fits = end.length <= digits;
  return new AmbiguousAmountError(
    typed,
    { value: small, unambiguous: fits ? spelled.replace(".", decimal) : undefined },
    {
      value: parts.digits === undefined || digits === 0 ? large : `${large}.${"0".repeat(digits)}`,
      unambiguous: large,
    },
  );
}

function getDecimalSeparator(locale: string): "." | "," {
  // Other numbering systems have other separators.
  const tag = new Intl.Locale(locale, { numberingSystem: "latn" });
  const parts = new Intl.NumberFormat(tag).formatToParts(0.5);
  return parts.some(({ value }) => value === ",") ? "," : ".";
}
