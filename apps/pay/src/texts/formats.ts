import { getDirection, languageSchema } from "./languages";

/** The API's placeholder for a hidden amount. */
const HIDDEN = "•••";
const MAX_DIGITS = 20;
/** Significant digits of an inverted rate. */
const SHOWN_DIGITS = 5;
/** Alphabetic symbols such as FCFA follow the number in every language; `Intl` puts them first in some. */
const WORD = /^\p{L}{3,}$/u;
/** `Intl` supports three-letter currencies only; operators may define others. */
const ISO_CODE = /^[A-Z]{3}$/;
const NO_BREAK = "\u00a0";
/** Symbols such as US$: in right-to-left text the dollar sign would move to the other side of the letters. */
const LATIN = /^\p{Script=Latin}/u;
const LETTERS_AND_SIGN = /^\p{Script=Latin}+\P{L}$/u;
const LEFT_TO_RIGHT_MARK = "\u200e";
/** Starts every amount and every Latin currency in right-to-left text, so that the number is read first. */
const RIGHT_TO_LEFT_MARK = "\u200f";
/** First Strong Isolate, Pop Directional Isolate. Text between them keeps its own direction; `NoWrapAmounts` treats it as one amount. */
const [ISOLATE, END] = ["\u2068", "\u2069"];

export type Formats = {
  /** Formats an API amount, `27498 XAF`, for the locale: `27,498 FCFA`. Keeps every digit. */
  money(amount: string): string;
  /** Like `money`, for use inside a sentence rendered by `NoWrapAmounts`. */
  sum(amount: string): string;
  signed(amount: string, direction: "in" | "out"): string;
  /** Formats both sides of a rate per unit of the stronger currency: `€1` and `662.58 FCFA`. */
  rate(rate: string, from: string, to: string): { one: string; rate: string };
  /** Formats plain decimal text as it is typed in the locale. */
  formatInput(plain: string): string;
  /** Formats an API percentage, `1.5`, for the locale: `1,5 %`. */
  percent(plain: string): string;
  /** Formats a time in UTC, with the zone's name. */
  moment(iso: string): string;
};

/** Limits the cache, because visitors can send any region. */
const MAX_STORED_FORMATS = 500;

/** Formatters by locale and options, cached because creating a formatter is far slower than using it. */
const storedFormats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function stored<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  create: new (tag: string, options: object) => Format,
  tag: string,
  options: object,
): Format {
  const key = `${create.name} ${tag} ${Object.values(options).join(" ")}`;
  const stored = storedFormats.get(key);
  if (stored instanceof create) return stored;
  if (storedFormats.size >= MAX_STORED_FORMATS) storedFormats.clear();
  const format = new create(tag, options);
  storedFormats.set(key, format);
  return format;
}
const numberFormat = (tag: string, options: Intl.NumberFormatOptions) =>
  stored(Intl.NumberFormat, tag, options);
const CLOCK = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;

export function createFormats(tag: string): Formats {
  const money = (amount: string) => formatMoney(tag, amount);
  const sum = (amount: string) => `${ISOLATE}${money(amount)}${END}`;
  return {
    money,
    sum,
    signed: (amount, direction) =>
      `${ISOLATE}${formatMoney(tag, amount, direction === "in" ? "+" : "-")}${END}`,
    rate(rate, from, to) {
      const [rateValue, base, quote] = Number(rate) < 1 ? [invertRate(rate), to, from] : [rate, from, to];
      return { one: sum(`1 ${base}`), rate: sum(`${rateValue} ${quote}`) };
    },
    formatInput(plain) {
      const digits = plain.split(".")[1]?.length ?? 0;
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return numberFormat(tag, { ...decimals, useGrouping: false }).format(plain as `${number}`);
    },
    percent: (plain) =>
      numberFormat(tag, { style: "percent", maximumFractionDigits: MAX_DIGITS }).format(
        // The percent format multiplies by 100. Decimal text keeps all digits.
        `${plain}E-2` as `${number}`,
      ),
    moment: (iso) => `${stored(Intl.DateTimeFormat, tag, CLOCK).format(new Date(iso))} UTC`,
  };
}

/** Inverts a rate for display only. Payments use the rate itself, which is shown next to the inverted rate. */
function invertRate(rate: string): string {
  const inverse = 1 / Number(rate);
  const wholeDigits = Math.trunc(inverse).toString().length;
  return inverse.toFixed(Math.max(0, SHOWN_DIGITS - wholeDigits));
}

const isRightToLeft = (tag: string): boolean =>
  getDirection(languageSchema.parse(new Intl.Locale(tag).language)) === "rtl";

/** Formats an amount. The position of the sign depends on the language; in right-to-left text, directional marks keep the sign in front of the number. */
function formatMoney(tag: string, amount: string, sign: "" | "+" | "-" = ""): string {
  const [number = "", currency = ""] = amount.split(" ");
  const digits = Math.min(number.split(".")[1]?.length ?? 0, MAX_DIGITS);
  const options = {
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    signDisplay: sign === "" ? ("auto" as const) : ("always" as const),
  };
  if (number === HIDDEN) return withCode(tag, number, currency);
  // Decimal text keeps all digits; a number would not.
  const exact = `${sign}${number}` as `${number}`;
  if (!ISO_CODE.test(currency))
    return withCode(tag, joined(numberFormat(tag, options).formatToParts(exact)), currency);
  const format = numberFormat(tag, { ...options, style: "currency", currency });
  const parts = format.formatToParts(exact).map(({ type, value }) => ({
    type,
    value: isRightToLeft(tag) && LATIN.test(value) ? inRightToLeft(value) : value,
  }));
  const [first] = parts.filter(({ type }) => !isSign(type));
  if (first?.type !== "currency" || !WORD.test(first.value)) return joined(parts);
  const numberParts = parts.filter(({ type }) => type !== "literal" && type !== "currency");
  return `${joined(numberParts)}${NO_BREAK}${first.value}`;
}

const withCode = (tag: string, number: string, code: string): string =>
  isRightToLeft(tag)
    ? `${RIGHT_TO_LEFT_MARK}${number}${NO_BREAK}${inRightToLeft(code)}`
    : `${number}${NO_BREAK}${code}`;

/** Adds direction marks for right-to-left text. Without the first mark, the minus sign would move to the other side of the number. */
const inRightToLeft = (letters: string): string =>
  `${RIGHT_TO_LEFT_MARK}${letters}${LETTERS_AND_SIGN.test(letters) ? LEFT_TO_RIGHT_MARK : ""}`;

type Part = Pick<Intl.NumberFormatPart, "type" | "value">;
const isSign = (type: Part["type"]): boolean => type === "minusSign" || type === "plusSign";
const MINUS = "\u2212";

/** Joins the parts, with a minus sign as wide as a plus. */
const joined = (parts: readonly Part[]): string =>
  parts.map(({ type, value }) => (type === "minusSign" ? value.replace("-", MINUS) : value)).join("");

/** Splits text into the amounts formatted by `Formats.sum` and the text between them. */
export function splitAmounts(text: string): { text: string; isAmount: boolean }[] {
  return text
    .split(/(\u2068[^\u2068\u2069]*\u2069)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith(ISOLATE)
        ? { text: part.slice(1, -1), isAmount: true }
        : { text: part, isAmount: false },
    );
}
