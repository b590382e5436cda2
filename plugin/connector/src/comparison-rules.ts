import { readFileSync } from "node:fs";
import { z } from "zod";
import {
  type ComparisonFields,
  type ComparisonFile,
  comparisonPlaceholders,
  comparisonSchema,
  type DifferenceKind,
  type Field,
  type Repair,
  type SituationOf,
  type Subject,
  subjectConditions,
  subjectFields,
} from "./comparison-file.js";
import { fillText, holds, RulesError } from "./rules.js";

export {
  type ComparisonFields,
  type DifferenceKind,
  type Field,
  type Repair,
  repairs,
  type SituationOf,
  type Subject,
} from "./comparison-file.js";

/** In what a subject differs, and whether one press repairs it. */
export type RuledDifference = {
  field: Field;
  kind: DifferenceKind;
  /** Null where a person decides. */
  repair: Repair | null;
};

/** The decisions of `plugin/rules/comparison.json`. This module finds the rules that hold; the rules themselves are data. */
export type ComparisonRules = {
  /** What is younger than this may be on its way, in milliseconds. */
  freshMs: number;
  /** @returns the differences of a subject, one at most for each of its fields */
  compare<S extends Subject>(subject: S, situation: SituationOf<S>): RuledDifference[];
  text(kind: DifferenceKind, fields: Partial<ComparisonFields>): string;
  /** What a person can do. */
  advice(kind: DifferenceKind): string;
  /** What is written on the button of a repair. */
  label(repair: Repair): string;
  phrase(name: keyof ComparisonFile["phrases"], fields?: Partial<ComparisonFields>): string;
};

const shippedFile = new URL("../../rules/comparison.json", import.meta.url);

/**
 * Reads and checks the rules of the comparison.
 *
 * @param file the file that ships with the plugins where left out
 * @throws RulesError where a name is unknown, a text is missing or a field has no rule that always holds
 */
export function loadComparisonRules(file: URL | string = shippedFile): ComparisonRules {
  const parsed = comparisonSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success)
    throw new RulesError(`The rules of the comparison are refused: ${z.prettifyError(parsed.error)}`);
  const { subjects, differences, phrases, fresh_seconds } = parsed.data;
  for (const subject of subjectNames) checkSubject(subject, subjects[subject]);
  const fill = (text: string, fields: Partial<ComparisonFields>) =>
    fillText(comparisonPlaceholders, text, fields);
  return {
    freshMs: fresh_seconds * 1000,
    compare(subject, situation) {
      return subjectFields[subject].flatMap((field) => {
        const rule = subjects[subject].fields[field]?.find(({ when }) => holds(when, situation));
        if (rule === undefined || rule.difference === null) return [];
        return [{ field, kind: rule.difference, repair: rule.repair ?? null }];
      });
    },
    text: (kind, fields) => fill(differences[kind].text, fields),
    advice: (kind) => differences[kind].advice,
    label: (repair) => parsed.data.repairs[repair].label,
    phrase: (name, fields = {}) => fill(phrases[name], fields),
  };
}

const subjectNames = ["order", "refund", "record"] as const satisfies readonly Subject[];

/** The other plugin reads the lists of values in the file; they must be the ones this one knows. */
function checkSubject(name: Subject, { conditions, fields }: ComparisonFile["subjects"][Subject]): void {
  const known: Record<string, readonly string[]> = subjectConditions[name];
  if (!isSame(Object.keys(conditions), Object.keys(known)))
    throw new RulesError(`The conditions of ${name} are not the ones that this version knows.`);
  for (const [condition, { values }] of Object.entries(conditions)) {
    if (!isSame(values, known[condition] ?? []))
      throw new RulesError(`The values of ${name} ${condition} are not the ones that this version knows.`);
  }
  if (!isSame(Object.keys(fields), subjectFields[name]))
    throw new RulesError(`The fields of ${name} are not the ones that this version knows.`);
  for (const [field, rules] of Object.entries(fields)) {
    const place = `of ${name} ${field}`;
    for (const [index, { when, difference, repair }] of rules.entries()) {
      const isKnown = Object.entries(when).every(([condition, values]) =>
        values.every((value) => known[condition]?.includes(value) ?? false),
      );
      if (!isKnown)
        throw new RulesError(`Rule ${index + 1} ${place} asks for what this version does not know.`);
      if (difference === null && repair !== undefined)
        throw new RulesError(`Rule ${index + 1} ${place} repairs what does not differ.`);
    }
    const last = rules.at(-1);
    if (last === undefined || Object.keys(last.when).length > 0)
      throw new RulesError(`The last rule ${place} must hold always.`);
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
