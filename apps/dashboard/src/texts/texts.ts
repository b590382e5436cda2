import { IntlMessageFormat } from "intl-messageformat";
import { en } from "./en";
import { fr } from "./fr";
import type { Language } from "./languages";

export type TextKey = keyof typeof en;
export type TextValues = Record<string, string | number>;
export type Translate = (key: TextKey, values?: TextValues) => string;

export const CATALOGUES: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = { en, fr };

export const isTextKey = (text: string): text is TextKey => Object.hasOwn(en, text);

/** The part of a key before one of its dots: `admin`, `admin.request`. */
export type TextGroup<Key extends string = TextKey> = Key extends `${infer First}.${infer Rest}`
  ? First | `${First}.${TextGroup<Rest>}`
  : never;

/** Returns the text of an enum value, such as `status.PAID`. A value without a text is returned unchanged. */
export const textOfCase = (t: Translate, group: TextGroup, name: string): string => {
  const key = `${group}.${name}`;
  return isTextKey(key) ? t(key) : name;
};

/** Cache per process, because parsing a message is much slower than formatting it. */
const parsed = new Map<string, IntlMessageFormat>();

type Elements = ReturnType<IntlMessageFormat["getAst"]>;
type Element = Elements[number];
/** Element types of ICU MessageFormat. */
const ARGUMENT = 1;
const NUMBER = 2;

/** Formats numbers for the language: treats `{count}` as `{count, number}` if the value is a number. */
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

export const translator =
  (language: Language): Translate =>
  (key, values) => {
    const numbers = Object.keys(values ?? {}).filter((name) => typeof values?.[name] === "number");
    const id = `${language} ${key} ${numbers}`;
    const message = parsed.get(id) ?? parse(language, key, numbers);
    parsed.set(id, message);
    return String(message.format(values));
  };
