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

type Elements = ReturnType<IntlMessageFormat["getAst"]>;
type Element = Elements[number];
/** Of an element that is only a name in braces. */
const ARGUMENT = 1;
const NUMBER = 2;

/** A number in a text is written as its language writes numbers: `{count}` is read as `{count, number}` where it is one. */
function withNumbers(elements: Elements, isNumber: (name: string) => boolean): Elements {
  return elements.map((element): Element => {
    if (element.type === ARGUMENT && isNumber(element.value))
      return { type: NUMBER, value: element.value, style: null };
    if (!("options" in element)) return element;
    const options = Object.entries(element.options).map(([name, option]) => [
      name,
      { ...option, value: withNumbers(option.value, isNumber) },
    ]);
    return { ...element, options: Object.fromEntries(options) };
  });
}

function parse(language: Language, key: TextKey, numbers: readonly string[]): IntlMessageFormat {
  const message = new IntlMessageFormat(CATALOGUES[language][key], language);
  return numbers.length === 0
    ? message
    : new IntlMessageFormat(
        withNumbers(message.getAst(), (name) => numbers.includes(name)),
        language,
      );
}

/** The texts of a language, in ICU MessageFormat. */
export const translator =
  (language: Language): Translate =>
  (key, values) => {
    const numbers = Object.keys(values ?? {}).filter((name) => typeof values?.[name] === "number");
    const id = `${language} ${key} ${numbers}`;
    const message = parsed.get(id) ?? parse(language, key, numbers);
    parsed.set(id, message);
    return String(message.format(values));
  };
