import { AmbiguousAmountError } from "@tillgate/money";
import { IntlMessageFormat } from "intl-messageformat";
import { readTypedAmount } from "#typed-amount.ts";
import { ar } from "./ar";
import { de } from "./de";
import { en, type Texts } from "./en";
import { es } from "./es";
import { type Formats, formatsOf } from "./formats";
import { fr } from "./fr";
import { type Language, type Locale, localeOf } from "./languages";
import { pt } from "./pt";

export type { Texts } from "./en";

/** One catalogue a language; the compiler holds each to the shape of the English one. */
export const CATALOGUES: Readonly<Record<Language, Texts>> = { en, fr, de, es, pt, ar };

export type Values = Record<string, string | number>;

/** All that a view says: the texts of its language, filled in, and how that language writes amounts and times. */
export type Words = Formats & {
  locale: Locale;
  texts: Texts;
  /** Puts values into the open places of a text. */
  fill(text: string, values: Values): string;
  /** Both meanings of an ambiguous amount, and how to type each; null where the amount is not ambiguous. */
  ambiguity(typed: string, currency: string): string | null;
  /** What stands before a rate: how much of it is the service's margin, where that is known. @param margin in percent */
  rateLabel(margin: string | null): string;
  /** How long to wait, in the unit that people would use. */
  wait(seconds: number): string;
};

/** Parsed once a process: a message is parsed much slower than it is filled in. */
const parsed = new Map<string, IntlMessageFormat>();

function fillIn(language: Language, text: string, values: Values): string {
  const key = `${language} ${text}`;
  const message = parsed.get(key) ?? new IntlMessageFormat(text, language);
  parsed.set(key, message);
  return String(message.format(values));
}

export function wordsOf(locale: Locale): Words {
  const { language } = locale;
  const texts = CATALOGUES[language];
  const fill = (text: string, values: Values) => fillIn(language, text, values);
  const formats = formatsOf(locale.tag);
  return {
    ...formats,
    locale,
    texts,
    fill,
    ambiguity: (typed, currency) => ambiguityOf(locale, typed, currency),
    rateLabel(margin) {
      if (margin === null) return texts.quote.rateMarginIncluded;
      if (Number(margin) === 0) return texts.quote.rate;
      return fill(texts.quote.rateWithMargin, { margin: formats.percent(margin) });
    },
    wait(seconds) {
      if (seconds <= 90) return fill(texts.wait.seconds, { count: seconds });
      if (seconds <= 90 * 60) return fill(texts.wait.minutes, { count: Math.ceil(seconds / 60) });
      return fill(texts.wait.hours, { count: Math.ceil(seconds / 3600) });
    },
  };
}

function ambiguityOf(locale: Locale, typed: string, currency: string): string | null {
  try {
    readTypedAmount(typed, locale, currency);
  } catch (error) {
    if (!(error instanceof AmbiguousAmountError)) return null;
    const texts = CATALOGUES[locale.language];
    const { sum } = formatsOf(locale.tag);
    const [small, large] = [error.small, error.large].map(({ value }) => sum(`${value} ${currency}`));
    const values: Values = { typed, small: small ?? "", large: large ?? "" };
    values.largeSpelling = error.large.unambiguous ?? "";
    if (error.small.unambiguous === undefined)
      return fillIn(locale.language, texts.amounts.ambiguousLarge, values);
    values.smallSpelling = error.small.unambiguous;
    return fillIn(locale.language, texts.amounts.ambiguous, values);
  }
  return null;
}

/** Of pages that nobody asked for in a language. */
export const plainWords = wordsOf(localeOf({}));
