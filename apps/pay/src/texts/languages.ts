import { parseAcceptedLanguages } from "@tillgate/service/web/accepted-languages";
import { z } from "zod";

export const languageSchema = z.enum(["en", "fr", "de", "es", "pt", "ar"]);
export type Language = z.infer<typeof languageSchema>;

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  fr: "Français",
  de: "Deutsch",
  es: "Español",
  pt: "Português",
  ar: "العربية",
};

const LOCALES: Readonly<Record<Language, string>> = {
  en: "en-GB",
  fr: "fr-FR",
  de: "de-DE",
  es: "es-ES",
  pt: "pt-PT",
  ar: "ar",
};

const RIGHT_TO_LEFT: readonly Language[] = ["ar"];
export const getDirection = (language: Language): "ltr" | "rtl" =>
  RIGHT_TO_LEFT.includes(language) ? "rtl" : "ltr";

export type Locale = {
  language: Language;
  tag: string;
};

/** Sources of a page's language, in order of precedence. */
export type LanguageSources = {
  /** Language chosen with the language switch. */
  chosen?: string | undefined;
  /** Locale of the order, set by the shop. */
  order?: string | null | undefined;
  /** `Accept-Language`. */
  header?: string | undefined;
};

/** Determines a page's locale; English by default. The region is that of the first source with this language and a region, otherwise the language's default. */
export function resolveLocale({ chosen, order, header }: LanguageSources): Locale {
  const candidates = [chosen, order ?? undefined, ...parseAcceptedLanguages(header)].flatMap((tag) =>
    tag === undefined ? [] : parseTag(tag),
  );
  const language = candidates[0]?.language ?? "en";
  const regional = candidates.find(
    (candidate) => candidate.language === language && candidate.tag !== language,
  );
  return { language, tag: withLatinDigits(regional?.tag ?? LOCALES[language]) };
}

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

/** Codes, transactions and countdowns use the digits 0 to 9, so amounts do too. */
const withLatinDigits = (tag: string): string => new Intl.Locale(tag, { numberingSystem: "latn" }).toString();
