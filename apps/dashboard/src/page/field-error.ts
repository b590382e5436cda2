import { FieldRule } from "@tillgate/contract";
import { isTextKey } from "../texts/texts";
import type { FormError } from "./page";

/** The name of each rule of the contract, by its words. */
const RULES = new Map(Object.entries(FieldRule).map(([name, { text }]) => [text, name]));

/** Rules with a number or a list in them, as the contract writes them. */
const WITH_VALUES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["tooLong", /^must not be longer than (?<value>\d+) characters$/],
  ["atLeast", /^must be at least (?<value>[\d.]+)$/],
  ["atMost", /^must not be greater than (?<value>[\d.]+)$/],
  ["decimals", /^must have at most (?<value>\d+) decimal places?$/],
  ["oneOf", /^must be one of (?<value>.+)$/],
  ["wholeNumber", /^must be a whole number from (?<least>\d+) to (?<most>\d+)$/],
];

/**
 * What a form says to a sentence of the api about a field: by its rule, so that every language has words of its own. A rule that
 * no page has words for keeps the api's in English.
 */
export function fieldError(field: string, sentence: string): FormError {
  const detail = sentence.replace(/^The \S+ field /, "");
  if (detail === FieldRule.Required.text) return { field, text: "error.required" };
  const key = `rule.${RULES.get(detail)}`;
  if (isTextKey(key)) return { field, text: key };
  for (const [name, pattern] of WITH_VALUES) {
    const values = pattern.exec(detail)?.groups;
    const withValues = `rule.${name}`;
    if (values !== undefined && isTextKey(withValues))
      return { field, text: withValues, values: { ...values } };
  }
  return { field, text: "error.field", values: { detail } };
}
