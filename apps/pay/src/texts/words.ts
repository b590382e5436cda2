import { IntlMessageFormat } from "intl-messageformat";
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
  return {
    ...formatsOf(locale.tag),
    locale,
    texts,
    fill,
    wait(seconds) {
      if (seconds <= 90) return fill(texts.wait.seconds, { count: seconds });
      if (seconds <= 90 * 60) return fill(texts.wait.minutes, { count: Math.ceil(seconds / 60) });
      return fill(texts.wait.hours, { count: Math.ceil(seconds / 3600) });
    },
  };
}

/** Of pages that nobody asked for in a language. */
export const plainWords = wordsOf(localeOf({}));
