import { parseAcceptedLanguages } from "@tillgate/service/web/accepted-languages";
import { z } from "zod";

export const languageSchema = z.enum(["en", "fr"]);
export type Language = z.infer<typeof languageSchema>;

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", fr: "Français" };

/** Returns the browser's preferred supported language, otherwise English. */
export const preferredLanguage = (header: string | undefined): Language =>
  parseAcceptedLanguages(header)
    .map((tag) => languageSchema.safeParse(tag.toLowerCase().split("-")[0]).data)
    .find((language) => language !== undefined) ?? "en";
