import { readFileSync } from "node:fs";
import type { DifferenceKind, DifferenceRepair } from "@tillgate/contract";
import { z } from "zod";
import {
  type Field,
  type Placeholder,
  placeholders,
  placeholdersOf,
  type RuledSubject,
  rulesFileSchema,
  type SituationOf,
  type Subject,
  subjectConditions,
  subjectFields,
  type TextValues,
} from "./rules-file.js";

export type RuledDifference = {
  field: Field;
  kind: DifferenceKind;
  /** Null if a person must decide. */
  repair: DifferenceRepair | null;
};

/** The rules in `plugin/rules/comparison.json`. */
export type ComparisonRules = {
  /** Changes more recent than this may still be in progress. */
  freshSeconds: number;
  /** Returns at most one difference per field. */
  compare<S extends Subject>(subject: S, situation: SituationOf<S>): RuledDifference[];
  valuesOf(kind: DifferenceKind, values: TextValues): TextValues;
  /** A missing value becomes "unknown". @param translate translates the text and its values; default: English. */
  text(kind: DifferenceKind, values: TextValues, translate?: (text: string) => string): string;
  /** Returns what to do about a kind of difference. */
  advice(kind: DifferenceKind): string;
  /** Returns the label of the shop's button for a repair. */
  label(repair: DifferenceRepair): string;
  /** Returns how texts name a refund of the shop. */
  recordName(id: string): string;
  unreadableAmount: string;
};

/** WooCommerce's names of the statuses. A custom status keeps the name that the shop sends. */
const STATUS_NAMES = new Map([
  ["pending", "Pending payment"],
  ["on-hold", "On hold"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"],
  ["processing", "Processing"],
  ["completed", "Completed"],
  ["refunded", "Refunded"],
  ["trash", "Trash"],
  ["deleted", "Deleted"],
]);

const fill = (text: string, values: TextValues): string =>
  placeholders.reduce(
    (filled, name) => filled.replaceAll(`{${name}}`, () => values[name] ?? "unknown"),
    text,
  );

/** @throws Error if the file cannot be read or is invalid. */
export function loadComparisonRules(file: URL | string): ComparisonRules {
  const parsed = rulesFileSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new Error(`Invalid comparison rules: ${z.prettifyError(parsed.error)}`);
  const { subjects, differences, repairs, phrases, fresh_seconds } = parsed.data;
  for (const subject of ["order", "refund", "record"] as const) checkSubject(subject, subjects[subject]);
  return {
    freshSeconds: fresh_seconds,
    compare(subject, situation) {
      const conditions = Object.entries<string>(situation);
      return subjectFields[subject].flatMap((field) => {
        const rule = subjects[subject].fields[field]?.find(({ when }) => matches(when, conditions));
        if (!rule?.difference) return [];
        return [{ field, kind: rule.difference, repair: rule.repair ?? null }];
      });
    },
    valuesOf: (kind, values) =>
      Object.fromEntries(
        placeholdersOf(differences[kind].text).flatMap((name): [Placeholder, string][] => {
          const value = values[name];
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    text: (kind, { status, ...values }, translate = (english) => english) =>
      fill(translate(differences[kind].text), {
        ...Object.fromEntries(Object.entries(values).map(([name, value]) => [name, translate(value)])),
        ...(status === undefined ? {} : { status: translate(STATUS_NAMES.get(status) ?? status) }),
      }),
    advice: (kind) => differences[kind].advice,
    label: (repair) => repairs[repair].label,
    recordName: (id) => fill(phrases.record, { store_refund: id }),
    unreadableAmount: phrases.amount_unreadable,
  };
}

/** Returns whether the situation meets the conditions. A missing condition matches every value. */
function matches(
  when: Readonly<Record<string, readonly string[]>>,
  situation: readonly (readonly [name: string, value: string])[],
): boolean {
  return situation.every(([name, value]) => when[name]?.includes(value) ?? true);
}

/** @throws Error unless the file matches the code's conditions, values and fields, and has a rule for every situation of each field. */
function checkSubject(name: Subject, { conditions, fields }: RuledSubject): void {
  const known: Record<string, readonly string[]> = subjectConditions[name];
  const require = (isValid: boolean, problem: string) => {
    if (!isValid) throw new Error(`Invalid comparison rules: ${problem}`);
  };
  require(isSame(
    Object.keys(conditions),
    Object.keys(known),
  ), `the conditions of ${name} don't match this version`);
  for (const [condition, { values }] of Object.entries(conditions))
    require(isSame(
      values,
      known[condition] ?? [],
    ), `the values of ${name}.${condition} don't match this version`);
  require(isSame(Object.keys(fields), subjectFields[name]), `the fields of ${name} don't match this version`);
  for (const [field, rules] of Object.entries(fields)) {
    for (const [index, { when, difference, repair }] of rules.entries()) {
      const rule = `rule ${index + 1} of ${name}.${field}`;
      const isKnown = Object.entries(when).every(([condition, values]) =>
        values.every((value) => known[condition]?.includes(value) ?? false),
      );
      require(isKnown, `${rule} has an unknown condition`);
      require(difference !== null || repair === undefined, `${rule} has a repair without a difference`);
      const isTotal = index + 1 < rules.length || Object.keys(when).length === 0;
      require(isTotal, `the last rule of ${name}.${field} must have no conditions`);
    }
  }
}

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((value) => right.includes(value));

/** The connector and the WordPress plugin read the texts of the same file. The path is the same from the source and from the build. */
const shippedFile = new URL("../../../../../plugin/rules/comparison.json", import.meta.url);

/** Loaded at startup, so that a process fails to start without the file. */
export const comparisonRules = loadComparisonRules(shippedFile);
