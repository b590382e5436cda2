import { readFileSync } from "node:fs";
import { z } from "zod";
import {
  type Action,
  conditionValues,
  type Difference,
  type NoteFields,
  placeholders,
  type RuleFile,
  type RuleStatus,
  rulesSchema,
  type Situation,
  statuses,
} from "./rules-file.js";

export {
  type Action,
  type Difference,
  type NoteFields,
  type PaymentEventName,
  paymentEvents,
  type RuleStatus,
  type Situation,
  statusName,
} from "./rules-file.js";

/** Result of the rules in `plugin/rules/transitions.json`, which define how each event changes the store order. */
export type Decision = {
  action: Action;
  /** Whether to cancel the order's current payment, because an earlier payment paid the order. */
  cancelCurrent: boolean;
  /** Whether the note is also shown on the health page, for the shop owner to act on. */
  attention: boolean;
  /** Template of the order note; null for none. */
  note: string | null;
  /** Template of the cancellation reason; only with `cancel_attempt`. */
  reason: string | null;
};

export type Rules = {
  /** Returns the decision of the first matching rule. Loading has verified that every situation has a matching rule. */
  decide(situation: Situation): Decision;
  reason: Text;
  /** A note that is not part of a decision. */
  note: Text;
  phrase: Text;
  difference: Text<Difference>;
};

/** @throws RangeError for an unknown name */
type Text<Name extends string = string> = (name: Name, fields?: Partial<NoteFields>) => string;

export class RulesError extends Error {
  override readonly name = "RulesError";
}

const shippedRules = new URL("../../rules/transitions.json", import.meta.url);

/** @throws RulesError if the rules are invalid or do not cover every situation; another error if the file is missing or not JSON */
export function loadRules(file: URL | string = shippedRules): Rules {
  const parsed = rulesSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new RulesError(`Invalid rules: ${z.prettifyError(parsed.error)}`);
  checkTexts(parsed.data);
  checkConditions(parsed.data);
  checkCoverage(parsed.data);
  const { rules, notes, phrases, differences, reasons } = parsed.data;
  return {
    decide(situation) {
      const rule = findRule(rules, situation);
      return {
        action: rule.action,
        cancelCurrent: rule.cancel_current ?? false,
        attention: rule.attention ?? false,
        note: rule.note === undefined ? null : (notes[rule.note] ?? null),
        reason: rule.reason === undefined ? null : (reasons[rule.reason] ?? null),
      };
    },
    reason: filledFrom(reasons),
    note: filledFrom(notes),
    phrase: filledFrom(phrases),
    difference: filledFrom(differences),
  };
}

const filledFrom =
  (texts: Record<string, string>): Text =>
  (name, fields = {}) => {
    const text = texts[name];
    if (text === undefined) throw new RangeError(`The rules have no text named "${name}".`);
    return fillNote(text, fields);
  };

/** Missing values become "unknown". */
export const fillNote = (text: string, fields: Partial<NoteFields>): string =>
  placeholders.reduce((filled, name) => filled.replaceAll(`{${name}}`, fields[name] ?? "unknown"), text);

export type OrderStatus = {
  /** Without `wc-`; may be a custom status. */
  status: string;
  /** WooCommerce's `needs_payment`. */
  isPayable: boolean;
  /** WooCommerce's `is_paid`. */
  isPaid: boolean;
};

/** A custom status becomes `pending` if the order can be paid, `processing` if it counts as paid, and otherwise `other`. */
export const ruleStatus = ({ status, isPayable, isPaid }: OrderStatus): RuleStatus =>
  statuses.find((known) => known === status) ?? (isPayable ? "pending" : isPaid ? "processing" : "other");

/** A missing condition matches every value. */
const matchesSituation = (
  when: Readonly<Record<string, readonly string[] | undefined>>,
  situation: readonly (readonly [name: string, value: string])[],
): boolean => situation.every(([name, value]) => when[name]?.includes(value) ?? true);

/** @throws RulesError if no rule matches */
function findRule(rules: RuleFile["rules"], situation: Situation): RuleFile["rules"][number] {
  const conditions = Object.entries(situation);
  const rule = rules.find(({ when }) => matchesSituation(when, conditions));
  if (rule === undefined) throw new RulesError(`No rule matches ${JSON.stringify(situation)}.`);
  return rule;
}

function checkTexts(file: RuleFile): void {
  for (const [index, rule] of file.rules.entries()) {
    if (rule.note !== undefined && file.notes[rule.note] === undefined) {
      throw new RulesError(`Rule ${index + 1} refers to the note ${rule.note}, which does not exist.`);
    }
    if (rule.reason !== undefined && file.reasons[rule.reason] === undefined) {
      throw new RulesError(`Rule ${index + 1} refers to the reason ${rule.reason}, which does not exist.`);
    }
    if ((rule.action === "cancel_attempt") !== (rule.reason !== undefined)) {
      throw new RulesError(`Rule ${index + 1} must have a reason if and only if it cancels a payment.`);
    }
  }
}

/** Checks that the lists of values in the file match those in the code, because the WordPress plugin reads them from the file. */
function checkConditions(file: RuleFile): void {
  const allKnown: Readonly<Record<string, readonly string[]>> = conditionValues;
  for (const [name, { values }] of Object.entries(file.conditions)) {
    const known = allKnown[name] ?? [];
    if (values.length !== known.length || values.some((value) => !known.includes(value))) {
      throw new RulesError(`The values of the condition ${name} don't match this version of the connector.`);
    }
  }
}

function checkCoverage(file: RuleFile): void {
  for (const situation of everySituation()) findRule(file.rules, situation);
}

export function* everySituation(): Generator<Situation> {
  for (const event of conditionValues.event)
    for (const status of conditionValues.status)
      for (const attempt of conditionValues.attempt)
        for (const method of conditionValues.method)
          for (const payment of conditionValues.payment)
            for (const amount of conditionValues.amount)
              for (const cancelled_by of conditionValues.cancelled_by)
                for (const origin of conditionValues.origin)
                  for (const delivery of conditionValues.delivery)
                    yield { event, status, attempt, method, payment, amount, cancelled_by, origin, delivery };
}
