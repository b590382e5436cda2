import type { ConsoleMoney } from "@tillgate/contract";
import type { Language } from "./languages";
import { UTC } from "./time-zones";

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", fr: "fr-FR" };
/** How many fraction digits `Intl` can show. */
const MAX_DIGITS = 20;

/** How a language writes amounts, numbers and times. Times are in the reader's zone, and say so; days are days of UTC. */
export function formatsOf(language: Language, timeZone: string = UTC) {
  const locale = LOCALES[language];
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium", timeZone });
  const minute = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  const zone = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: "short" });
  // It depends on the day: summer time has another name.
  const zoneAt = (at: Date) =>
    zone.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
  const inZone = (format: Intl.DateTimeFormat, iso: string) => {
    const at = new Date(iso);
    return `${format.format(at)} ${zoneAt(at)}`;
  };
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
    time: (iso: string) => inZone(time, iso),
    minute: (iso: string) => inZone(minute, iso),
    day: (iso: string) => day.format(new Date(iso)),
    percent: (share: number) => percent.format(share),
    number: (value: number) => number.format(value),
  };
}
export type Formats = ReturnType<typeof formatsOf>;
