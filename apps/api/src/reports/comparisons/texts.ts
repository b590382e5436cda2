import { readFileSync } from "node:fs";
import type { ComparisonLanguage, DifferenceKind, DifferenceRepair } from "@tillgate/contract";
import { z } from "zod";
import { comparisonRules as rules } from "./rules.js";
import type { TextValues } from "./rules-file.js";

/** Translations by English text, shared with the connector and the WordPress plugin. */
const catalogueSchema = z.record(z.string(), z.string());
const readCatalogue = (language: string): Map<string, string> => {
  const file = new URL(`../../../../../plugin/rules/languages/${language}.json`, import.meta.url);
  return new Map(Object.entries(catalogueSchema.parse(JSON.parse(readFileSync(file, "utf8")))));
};
/** Read when the process starts, like the rules. */
const CATALOGUES: Readonly<Record<ComparisonLanguage, ReadonlyMap<string, string>>> = {
  en: new Map(),
  fr: readCatalogue("fr"),
};

export type DifferenceTexts = {
  text(kind: DifferenceKind, values: TextValues): string;
  advice(kind: DifferenceKind): string;
  label(repair: DifferenceRepair): string;
};

/** Returns the texts that describe differences, in the given language, or in English where a translation is missing. */
export function differenceTexts(language: ComparisonLanguage): DifferenceTexts {
  const translate = (text: string): string => CATALOGUES[language].get(text) ?? text;
  return {
    text: (kind, values) => rules.text(kind, values, translate),
    advice: (kind) => translate(rules.advice(kind)),
    label: (repair) => translate(rules.label(repair)),
  };
}
