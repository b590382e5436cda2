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
import { fillText, matchesSituation, RulesError } from "./rules.js";

export {
  type ComparisonFields,
  type DifferenceKind,
  type Field,
  type Repair,
  repairs,
  type SituationOf,
  type Subject,
} from "./comparison-file.js";

/** A difference found by the rules, and its repair. */
export type RuledDifference = {
  field: Field;
  kind: DifferenceKind;
  /** Null if the shop owner must decide. */
  repair: Repair | null;
};

/** Evaluates the rules in `plugin/rules/comparison.json`. */
export type ComparisonRules = {
  /** Changes more recent than this, in milliseconds, may still be in progress. */
  freshMs: number;
  /** Returns the differences of a subject, at most one per field. */
  compare<S extends Subject>(subject: S, situation: SituationOf<S>): RuledDifference[];
  text(kind: DifferenceKind, fields: Partial<ComparisonFields>): string;
  /** Returns what the shop owner can do. */
  advice(kind: DifferenceKind): string;
  label(repair: Repair): string;
  phrase(name: keyof ComparisonFile["phrases"], fields?: Partial<ComparisonFields>): string;
};

const shippedFile = new URL("../../rules/comparison.json", import.meta.url);

/**
 * Loads and validates the comparison rules.
 *
 * @param file default: the file in the package
 * @throws RulesError if a name is unknown or missing, a text is missing or has an unknown placeholder, a repair has no difference or a field has no default rule
 */
export function loadComparisonRules(file: URL | string = shippedFile): ComparisonRules {
  const parsed = comparisonSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new RulesError(`Invalid comparison rules: ${z.prettifyError(parsed.error)}`);
  const { subjects, differences, phrases, fresh_seconds } = parsed.data;
  for (const subject of subjectNames) checkSubject(subject, subjects[subject]);
  const fill = (text: string, fields: Partial<ComparisonFields>) =>
    fillText(comparisonPlaceholders, text, fields);
  return {
    freshMs: fresh_seconds * 1000,
    compare(subject, situation) {
      return subjectFields[subject].flatMap((field) => {
        const rule = subjects[subject].fields[field]?.find(({ when }) => matchesSituation(when, situation));
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

/** Checks that the lists of values in the file match those in the code, because the WordPress plugin reads them from the file. */
function checkSubject(name: Subject, { conditions, fields }: ComparisonFile["subjects"][Subject]): void {
  const known: Record<string, readonly string[]> = subjectConditions[name];
  if (!isSame(Object.keys(conditions), Object.keys(known)))
    throw new RulesError(`The conditions of ${name} don't match this version of the connector.`);
  for (const [condition, { values }] of Object.entries(conditions)) {
    if (!isSame(values, known[condition] ?? []))
      throw new RulesError(`The values of ${name}.${condition} don't match this version of the connector.`);
  }
  if (!isSame(Object.keys(fields), subjectFields[name]))
    throw new RulesError(`The fields of ${name} don't match this version of the connector.`);
  for (const [field, rules] of Object.entries(fields)) {
    const location = `of ${name}.${field}`;
    for (const [index, { when, difference, repair }] of rules.entries()) {
      const isKnown = Object.entries(when).every(([condition, values]) =>
        values.every((value) => known[condition]?.includes(value) ?? false),
      );
      if (!isKnown)
        throw new RulesError(
          `Rule ${index + 1} ${location} has a condition that this version doesn't support.`,
        );
      if (difference === null && repair !== undefined)
        throw new RulesError(`Rule ${index + 1} ${location} has a repair without a difference.`);
    }
    const last = rules.at(-1);
    if (last === undefined || Object.keys(last.when).length > 0)
      throw new RulesError(`The last rule ${location} must have no conditions.`);
  }
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value) => right.includes(value));
