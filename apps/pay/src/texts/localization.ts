import { AmbiguousAmountError } from "@tillgate/money";
import { IntlMessageFormat } from "intl-messageformat";
import { readTypedAmount } from "#typed-amount.ts";
import { ar } from "./ar";
import { de } from "./de";
import { en, type Texts } from "./en";
import { es } from "./es";
import { createFormats, type Formats } from "./formats";
import { fr } from "./fr";
import { type Language, type Locale, resolveLocale } from "./languages";
import { pt } from "./pt";

export type { Texts } from "./en";

export const CATALOGUES: Readonly<Record<Language, Texts>> = { en, fr, de, es, pt, ar };

export type Values = Record<string, string | number>;

export type Localization = Formats & {
  locale: Locale;
  texts: Texts;
  fill(text: string, values: Values): string;
  /** Explains both meanings of an ambiguous amount and how to type each; null if the amount is not ambiguous. */
  ambiguity(typed: string, currency: string): string | null;
  /** Returns the label of a rate with the service's margin. @param margin in percent; null if unknown */
  rateLabel(margin: string | null): string;
  wait(seconds: number): string;
};

/** Cache per process, because parsing a message is much slower than formatting it. */
const parsed = new Map<string, IntlMessageFormat>();

function fillIn(language: Language, text: string, values: Values): string {
  const key = `${language} ${text}`;
  const message = parsed.get(key) ?? new IntlMessageFormat(text, language);
  parsed.set(key, message);
  return String(message.format(values));
}

export function createLocalization(locale: Locale): Localization {
  const { language } = locale;
  const texts = CATALOGUES[language];
  const fill = (text: string, values: Values) => fillIn(language, text, values);
  const formats = createFormats(locale.tag);
  return {
    ...formats,
    locale,
    texts,
    fill,
    ambiguity: (typed, currency) => describeAmbiguity(locale, typed, currency),
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

function describeAmbiguity(locale: Locale, typed: string, currency: string): string | null {
  try {
    readTypedAmount(typed, locale, currency);
  } catch (error) {
    if (!(error instanceof AmbiguousAmountError)) return null;
    const texts = CATALOGUES[locale.language];
    const { sum } = createFormats(locale.tag);
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

/** Localization of pages rendered without a request. */
export const englishLocalization = createLocalization(resolveLocale({}));
