import { IntlMessageFormat } from "intl-messageformat";
import { en } from "./en";
import { fr } from "./fr";
import type { Language } from "./languages";

export type TextKey = keyof typeof en;
export type TextValues = Record<string, string | number>;
export type Translate = (key: TextKey, values?: TextValues) => string;

/** One catalogue a language; the compiler holds each to the keys of the English one. */
export const CATALOGUES: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, fr };

export const isTextKey = (text: string): text is TextKey => Object.hasOwn(en, text);

/** The text for one of many cases, `orderStatus.PAID`; where a case is new and has none, its own name. */
export const textOfCase = (t: Translate, group: string, name: string): string => {
  const key = `${group}.${name}`;
  return isTextKey(key) ? t(key) : name;
};

/** Parsed once a process: a message is parsed much slower than it is filled in. */
const parsed = new Map<string, IntlMessageFormat>();

/** The texts of a language, in ICU MessageFormat. */
export const translator =
  (language: Language): Translate =>
  (key, values) => {
    const id = `${language} ${key}`;
    const message = parsed.get(id) ?? new IntlMessageFormat(CATALOGUES[language][key], language);
    parsed.set(id, message);
    return String(message.format(values));
  };
