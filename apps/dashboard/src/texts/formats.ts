import { type ConsoleMoney, UTC } from "@tillgate/contract";
import { findCurrency } from "@tillgate/money";
import type { Language } from "./languages";

export const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", fr: "fr-FR" };
const MAX_DIGITS = 20;
/** `Intl` supports three-letter currencies only; operators may define others. */
const ISO_CODE = /^[A-Z]{3}$/;
const NO_BREAK = "\u00a0";
/** Example amount with a thousands separator, to show the expected notation. */
const EXAMPLE = 1234.5;

/** Creates a language's formatters. Times are converted to the time zone and include its name; days are not converted. */
export function createFormats(language: Language, timeZone: string = UTC) {
  const locale = LOCALES[language];
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium", timeZone });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
  // The abbreviation depends on the date, because of daylight saving time.
  const zoneAt = (at: Date) =>
    zone.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  const inZone = (format: Intl.DateTimeFormat, iso: string) => {
    const at = new Date(iso);
    return `${format.format(at)} ${zoneAt(at)}`;
  };
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  const percentage = new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "percent",
    maximumFractionDigits: MAX_DIGITS,
  });
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: MAX_DIGITS });
  const currencyNames = new Intl.DisplayNames(locale, { type: "currency", fallback: "none" });
  return {
    money({ amount, currency }: ConsoleMoney): string {
      const typed = amount.split(".")[1]?.length ?? 0;
      const digits = Math.min(Math.max(typed, findCurrency(currency)?.digits ?? 0), MAX_DIGITS);
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      // Decimal text keeps all digits; a number would not.
      const plain = amount as `${number}`;
      if (!ISO_CODE.test(currency))
        return `${new Intl.NumberFormat(locale, decimals).format(plain)}${NO_BREAK}${currency}`;
      const style = { style: "currency", currency, currencyDisplay: "code" } as const;
      return new Intl.NumberFormat(locale, { ...style, ...decimals }).format(plain);
    },
    time: (iso: string) => inZone(time, iso),
    /** Formats only the time of day, for places that show the day anyway. */
    clock: (iso: string) => inZone(clock, iso),
    minute: (iso: string) => inZone(minute, iso),
    day: (iso: string) => day.format(new Date(iso)),
    /** Formats a calendar day: `2026-11-21`. */
    date: (day: string) => date.format(new Date(day)),
    /** Formats a calendar month: `2026-11`. */
    month: (text: string) => month.format(new Date(text)),
    percent: (share: number) => percent.format(share),
    number: (value: number) => number.format(value),
    /** Formats a percentage with all its decimals: `1.5` is 1.5%. */
    percentage: (plain: string) => percentage.format(plain as `${number}`),
    /** Formats a rate with all its decimals. */
    decimal: (plain: string) => exact.format(plain as `${number}`),
    /** Returns the currency's name in the language, or `stored` if the operator defined the currency. */
    currencyName: (code: string, stored: string) =>
      (ISO_CODE.test(code) ? currencyNames.of(code) : undefined) ?? stored,
    /** Formats a plain decimal for an input field: with the language's decimal separator, without grouping. */
    typed(plain: string): string {
      const digits = plain.split(".")[1]?.length ?? 0;
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return new Intl.NumberFormat(locale, { useGrouping: false, ...decimals }).format(plain as `${number}`);
    },
    /** Formats an example amount in the language's notation, with this many decimals. */
    example(digits: number): string {
      const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return new Intl.NumberFormat(locale, decimals).format(digits === 0 ? Math.trunc(EXAMPLE) : EXAMPLE);
    },
  };
}
export type Formats = ReturnType<typeof createFormats>;

export const timeZones = (): string[] => [
  UTC,
  ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC),
];

export const zoneText = (name: string): string => name.replaceAll("_", " ");
