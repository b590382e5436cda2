import { acceptedLanguages } from "@tillgate/service/web/accepted-languages";
import { z } from "zod";

export const languageSchema = z.enum(["en", "fr"]);
export type Language = z.infer<typeof languageSchema>;

/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", fr: "Français" };

/** The language that a browser likes best, of those that there are. */
export const preferredLanguage = (header: string | undefined): Language =>
  acceptedLanguages(header)
    .map((tag) => languageSchema.safeParse(tag.toLowerCase().split("-")[0]).data)
    .find((language) => language !== undefined) ?? "en";
