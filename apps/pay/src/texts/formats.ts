import { directionOf, languageSchema } from "./languages";

/** The api's number of an amount that is not shown. */
const HIDDEN = "•••";
/** How many fraction digits `Intl` can show. */
const MAX_DIGITS = 20;
/** Of a rate that is turned around. */
const SHOWN_DIGITS = 5;
/** A symbol that is a word, like FCFA, stands behind its number in every language; `Intl` has it before it in some. */
const WORD = /^\p{L}{3,}$/u;
/** `Intl` knows currencies by three letters; the house may have others. */
const ISO_CODE = /^[A-Z]{3}$/;
const NO_BREAK = "\u00a0";
/** A symbol like US$: among words from right to left its sign would go to the other side of its letters. */
const LATIN = /^\p{Script=Latin}/u;
const LETTERS_AND_SIGN = /^\p{Script=Latin}+\P{L}$/u;
const LEFT_TO_RIGHT_MARK = "\u200e";
/** Among words from right to left it begins every sum, and the letters of a currency: the number is read first everywhere. */
const RIGHT_TO_LEFT_MARK = "\u200f";
/** First strong isolate and its end: what stands between them keeps its own direction, and is one sum to `WholeSums`. */
const [ISOLATE, END] = ["\u2068", "\u2069"];

export type Formats = {
  /** An amount of the wire, `27498 XAF`, as the locale writes it: `27,498 FCFA`. Every digit is kept. */
  money(amount: string): string;
  /** The same inside a sentence of `WholeSums`. */
  sum(amount: string): string;
  /** What came in or went out of a wallet, with its sign. */
  signed(amount: string, direction: "in" | "out"): string;
  /** Both sides of a rate, as people say it: one of the stronger currency, `€1` and `662.58 FCFA`. */
  rate(rate: string, from: string, to: string): { one: string; rate: string };
  /** A plain decimal text as it is typed in the locale. */
  typed(plain: string): string;
  /** A percentage of the wire, `1.5`, as the locale writes it: `1,5 %`. */
  percent(plain: string): string;
  /** A point in time, in UTC, with the zone named. */
  moment(iso: string): string;
};

/** Visitors name their own region, so that there may be many locales. */
const MAX_STORED_FORMATS = 500;

/** Formatters by locale and options: one is created far more slowly than it formats. */
const storedFormats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function stored<Format extends Intl.NumberFormat | Intl.DateTimeFormat>(
  create: new (tag: string, options: object) => Format,
  tag: string,
  options: object,
): Format {
  const key = `${create.name} ${tag} ${Object.values(options).join(" ")}`;
  const found = storedFormats.get(key);
  if (found instanceof create) return found;
  if (storedFormats.size >= MAX_STORED_FORMATS) storedFormats.clear();
  const format = new create(tag, options);
  storedFormats.set(key, format);
  return format;
}
const numberFormat = (tag: string, options: Intl.NumberFormatOptions) =>
  stored(Intl.NumberFormat, tag, options);
const CLOCK = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" } as const;

export function formatsOf(tag: string): Formats {
  const money = (amount: string) => formatMoney(tag, amount);
  const sum = (amount: string) => `${ISOLATE}${money(amount)}${END}`;
  return {
    money,
    sum,
    signed: (amount, direction) =>
      `${ISOLATE}${formatMoney(tag, amount, direction === "in" ? "+" : "-")}${END}`,
    rate(rate, from, to) {
      const [worth, strong, weak] = Number(rate) < 1 ? [inverseOf(rate), to, from] : [rate, from, to];
      return { one: sum(`1 ${strong}`), rate: sum(`${worth} ${weak}`) };
    },
    typed(plain) {
      const digits = plain.split(".")[1]?.length ?? 0;
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return numberFormat(tag, { ...decimals, useGrouping: false }).format(plain as `${number}`);
    },
    percent: (plain) =>
      numberFormat(tag, { style: "percent", maximumFractionDigits: MAX_DIGITS }).format(
        // Two places further: the format counts in hundredths, and a decimal text keeps all its digits.
        `${plain}E-2` as `${number}`,
      ),
    moment: (iso) => `${stored(Intl.DateTimeFormat, tag, CLOCK).format(new Date(iso))} UTC`,
  };
}

/** Only shown: what is paid is counted with the rate itself, and stands beside it. */
function inverseOf(rate: string): string {
  const inverse = 1 / Number(rate);
  const whole = Math.trunc(inverse).toString().length;
  return inverse.toFixed(Math.max(0, SHOWN_DIGITS - whole));
}

const isRightToLeft = (tag: string): boolean =>
  directionOf(languageSchema.parse(new Intl.Locale(tag).language)) === "rtl";

/** The sign stands where the language has it: among words from right to left it needs marks to stay in front of its number. */
function formatMoney(tag: string, amount: string, sign: "" | "+" | "-" = ""): string {
  const [number = "", currency = ""] = amount.split(" ");
  const digits = Math.min(number.split(".")[1]?.length ?? 0, MAX_DIGITS);
  const options = {
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
    signDisplay: sign === "" ? ("auto" as const) : ("always" as const),
  };
  if (number === HIDDEN) return withCode(tag, number, currency);
  // A decimal text keeps all its digits; a number would not.
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
  const rest = parts.filter(({ type }) => type !== "literal" && type !== "currency");
  return `${joined(rest)}${NO_BREAK}${first.value}`;
}

const withCode = (tag: string, number: string, code: string): string =>
  isRightToLeft(tag)
    ? `${RIGHT_TO_LEFT_MARK}${number}${NO_BREAK}${inRightToLeft(code)}`
    : `${number}${NO_BREAK}${code}`;

/** Without the first mark, letters would draw a number with a sign to their other side. */
const inRightToLeft = (letters: string): string =>
  `${RIGHT_TO_LEFT_MARK}${letters}${LETTERS_AND_SIGN.test(letters) ? LEFT_TO_RIGHT_MARK : ""}`;

type Part = Pick<Intl.NumberFormatPart, "type" | "value">;
const isSign = (type: Part["type"]): boolean => type === "minusSign" || type === "plusSign";
const MINUS = "\u2212";

/** The parts as one text, with a minus as wide as a plus. */
const joined = (parts: readonly Part[]): string =>
  parts.map(({ type, value }) => (type === "minusSign" ? value.replace("-", MINUS) : value)).join("");

/** The parts of a text, with the sums of `Formats.sum` apart from the rest. */
export function partsOf(text: string): { text: string; isSum: boolean }[] {
  return text
    .split(/(\u2068[^\u2068\u2069]*\u2069)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith(ISOLATE) ? { text: part.slice(1, -1), isSum: true } : { text: part, isSum: false },
    );
}
