import type { ConsoleMoney } from "@tillgate/contract";
import type { Language } from "./languages";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", fr: "fr-FR" };
/** How many fraction digits `Intl` can show. */
const MAX_DIGITS = 20;

/** How a language writes amounts, numbers and times. Times are UTC, and say so. */
export function formatsOf(language: Language) {
  const locale = LOCALES[language];
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: "UTC",
  });
  const minute = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });
  const number = new Intl.NumberFormat(locale);
  return {
    money({ amount, currency }: ConsoleMoney): string {
      const digits = Math.min(amount.split(".")[1]?.length ?? 0, MAX_DIGITS);
      const format = new Intl.NumberFormat(locale, {
        style: "currency",
        currency,
        currencyDisplay: "code",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      // A decimal text keeps all its digits; a number would not.
      return format.format(amount as `${number}`);
    },
    time: (iso: string) => `${time.format(new Date(iso))} UTC`,
    minute: (iso: string) => `${minute.format(new Date(iso))} UTC`,
    day: (iso: string) => day.format(new Date(iso)),
    percent: (share: number) => percent.format(share),
    number: (value: number) => number.format(value),
  };
}
export type Formats = ReturnType<typeof formatsOf>;
