import { readFileSync } from "node:fs";
import { parseAcceptedLanguages } from "@tillgate/service/web/accepted-languages";
import { z } from "zod";

/** Translations by English text, shared with the WordPress plugin. */
const catalogueSchema = z.record(z.string(), z.string());
type Catalogue = ReadonlyMap<string, string>;
const readCatalogue = (file: URL): Catalogue =>
  new Map(Object.entries(catalogueSchema.parse(JSON.parse(readFileSync(file, "utf8")))));

const catalogues = {
  en: new Map(),
  fr: readCatalogue(new URL("../../../rules/languages/fr.json", import.meta.url)),
  de: readCatalogue(new URL("../../../rules/languages/de.json", import.meta.url)),
  es: readCatalogue(new URL("../../../rules/languages/es.json", import.meta.url)),
  pt: readCatalogue(new URL("../../../rules/languages/pt.json", import.meta.url)),
  ar: readCatalogue(new URL("../../../rules/languages/ar.json", import.meta.url)),
} satisfies Record<string, Catalogue>;

export type Language = keyof typeof catalogues;

const isLanguage = (tag: string): tag is Language => Object.hasOwn(catalogues, tag);

/** Chooses the first supported language, or English. @param header `Accept-Language` of the request */
export const chooseLanguage = (header: string | undefined): Language =>
  parseAcceptedLanguages(header)
    .map((tag) => tag.toLowerCase().slice(0, 2))
    .find(isLanguage) ?? "en";

export type Values = Readonly<Record<string, string | number>>;

/** Fills the placeholders of a text. Placeholders without a value are left unchanged. */
export const fill = (text: string, values: Values = {}): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** A template with fewer letters outside its placeholders, such as `{amount} ({refund})`, could match by chance. */
const MIN_OWN_LETTERS = 7;

export type Texts = {
  language: Language;
  direction: "ltr" | "rtl";
  t(text: string, values?: Values): string;
  /** Translates a stored English text, whose placeholders are already filled. Unknown sentences are returned unchanged. */
  stored(text: string): string;
};

export function textsIn(language: Language): Texts {
  const catalogue: Catalogue = catalogues[language];
  // A template with more literal text is more specific.
  const templates = [...catalogue.keys()]
    .filter((text) => /\{\w+\}/.test(text) && ownLetters(text) >= MIN_OWN_LETTERS)
    .toSorted((left, right) => ownLetters(right) - ownLetters(left))
    .map((template) => ({ template, parts: template.split(/\{(\w+)\}/) }));
  const stored = (text: string): string => {
    const exact = catalogue.get(text);
    if (exact !== undefined) return exact;
    for (const { template, parts } of templates) {
      const values = match(parts, text);
      if (values === null) continue;
      const translated = Object.entries(values).map(([name, value]) => [name, stored(value)]);
      return fill(catalogue.get(template) ?? template, Object.fromEntries(translated));
    }
    const sentences = text.split(/(?<=\.) /);
    return sentences.length === 1 ? text : sentences.map(stored).join(" ");
  };
  return {
    language,
    direction: language === "ar" ? "rtl" : "ltr",
    t: (text, values) => fill(catalogue.get(text) ?? text, values),
    stored,
  };
}

const ownLetters = (template: string): number => template.replaceAll(/\{\w+\}|\P{L}/gu, "").length;

/** @param parts the template's texts, alternating with placeholder names @returns the placeholders' values; null if the text does not match */
function match([start = "", ...parts]: readonly string[], text: string): Record<string, string> | null {
  if (!text.startsWith(start)) return null;
  const values: Record<string, string> = {};
  let position = start.length;
  for (let index = 0; index < parts.length; index += 2) {
    const [name = "", following = ""] = parts.slice(index, index + 2);
    const isLast = index + 2 >= parts.length;
    const end = isLast ? text.length - following.length : text.indexOf(following, position + 1);
    if (end <= position || (isLast && !text.endsWith(following))) return null;
    values[name] = text.slice(position, end);
    position = end + following.length;
  }
  return values;
}
