import { acceptedLanguages } from "@tillgate/service/web/accepted-languages";
import { z } from "zod";

export const languageSchema = z.enum(["en", "fr", "de", "es", "pt", "ar"]);
export type Language = z.infer<typeof languageSchema>;

/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
  pt: "Português",
  ar: "العربية",
};

/** Where the shopper's region is not known. */
const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  fr: "fr-FR",
  de: "de-DE",
  es: "es-ES",
  pt: "pt-PT",
  ar: "ar",
};

const RIGHT_TO_LEFT: readonly Language[] = ["ar"];
export const directionOf = (language: Language): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";

/** The language of a page, and the region's way of writing amounts and times. */
export type Locale = {
  language: Language;
  /** A tag of BCP 47 for `Intl`. */
  tag: string;
};

/** What a page's language is chosen from; the first that names one of ours wins. */
export type LanguageWishes = {
  /** By the switch on the page. */
  chosen?: string | undefined;
  /** `locale` of the order: what the shop says of its shopper. */
  order?: string | null | undefined;
  /** `Accept-Language`. */
  header?: string | undefined;
};

/** The locale of a page. A region comes from whichever wish names one for the chosen language. */
export function localeOf({ chosen, order, header }: LanguageWishes): Locale {
  const wishes = [chosen, order ?? undefined, ...acceptedLanguages(header)].flatMap((tag) =>
    tag === undefined ? [] : parseTag(tag),
  );
  const language = wishes[0]?.language ?? "en";
  const regional = wishes.find((wish) => wish.language === language && wish.tag !== language);
  return { language, tag: withDigits(regional?.tag ?? LOCALES[language]) };
}

/** A tag whose language is one of ours; none for every other text. */
function parseTag(text: string): Locale[] {
  const language = languageSchema.safeParse(text.toLowerCase().split(/[-_]/)[0]).data;
  if (language === undefined) return [];
  try {
    const { region } = new Intl.Locale(text.replaceAll("_", "-"));
    return [{ language, tag: region === undefined ? language : `${language}-${region}` }];
  } catch {
    return [{ language, tag: language }];
  }
}

/** Codes, transactions and the clock of the page have the digits 0 to 9, so amounts beside them have them too. */
const withDigits = (tag: string): string => new Intl.Locale(tag, { numberingSystem: "latn" }).toString();
