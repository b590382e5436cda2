import { z } from "zod";

export const languageSchema = z.enum(["en", "fr"]);
export type Language = z.infer<typeof languageSchema>;

/** How each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", fr: "Français" };

/** The language that a browser likes best, of those that there are: `Accept-Language`, by its weights. */
export function preferredLanguage(header: string | undefined): Language {
  const wanted = (header ?? "")
    .slice(0, 200)
    .split(",")
    .map((part) => {
      const [tag = "", ...settings] = part.trim().toLowerCase().split(";");
      const weight = settings.map((text) => /^\s*q=([\d.]+)$/.exec(text)?.[1]).find(Boolean);
      return { language: languageSchema.safeParse(tag.split("-")[0]).data, weight: Number(weight ?? 1) };
    })
    .filter(({ language, weight }) => language !== undefined && weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wanted[0]?.language ?? "en";
}
