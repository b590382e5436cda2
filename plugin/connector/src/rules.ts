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
} from "./rules-file.js";

/**
 * The decision of the wire contract's connector rules, read from `plugin/rules/transitions.json`. This module finds the
 * rule that holds; the rules themselves are data.
 */

/** What to do, and the texts that go with it. */
export type Decision = {
  action: Action;
  /** Cancel the order's current attempt too: an older one has paid it. */
  cancelCurrent: boolean;
  /** A person should look at the order: its note is shown to them. */
  attention: boolean;
  /** The order note, placeholders still in it; null for none. */
  note: string | null;
  /** Why the connector cancels the attempt, placeholders still in it; only with `cancel_attempt`. */
  reason: string | null;
};

export type Rules = {
  /** @returns the decision of the first rule that holds; load made sure that there is one */
  decide(situation: Situation): Decision;
  /** Why the connector cancels a payment. */
  reason: Text;
  /** A note that no decision carries. */
  note: Text;
  /** A part of a note. */
  phrase: Text;
  /** In what a payment and its order differ. */
  difference: Text<Difference>;
};

/** A text of the file, filled. @throws RangeError for one that the file does not have */
type Text<Name extends string = string> = (name: Name, fields?: Partial<NoteFields>) => string;

/** The rules file is there but cannot be used. */
export class RulesError extends Error {
  override readonly name = "RulesError";
}

const shippedRules = new URL("../../rules/transitions.json", import.meta.url);

/**
 * Reads and checks the rules.
 *
 * @param file the file that ships with the plugins where left out
 * @throws RulesError where a name is unknown, a text is missing or a combination has no rule
 */
export function loadRules(file: URL | string = shippedRules): Rules {
  const parsed = rulesSchema.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!parsed.success) throw new RulesError(`The rules are refused: ${z.prettifyError(parsed.error)}`);
  checkTexts(parsed.data);
  checkConditions(parsed.data);
  checkCoverage(parsed.data);
  const { rules, notes, phrases, differences, reasons } = parsed.data;
  return {
    decide(situation) {
      const rule = rules.find(({ when }) => holds(when, situation));
      if (rule === undefined) throw new RulesError(`No rule holds for ${JSON.stringify(situation)}.`);
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
    if (text === undefined) throw new RangeError(`The rules have no text ${name}.`);
    return fillNote(text, fields);
  };

/** Puts the fields into a note or a reason. */
export const fillNote = (text: string, fields: Partial<NoteFields>): string =>
  fillText(placeholders, text, fields);

/** Puts values into the placeholders of a text; what is not known is called so. */
export const fillText = <Name extends string>(
  names: readonly Name[],
  text: string,
  fields: { [Field in Name]?: string },
): string => names.reduce((filled, name) => filled.replaceAll(`{${name}}`, fields[name] ?? "unknown"), text);

/** What the rules need to know of an order's status. */
export type OrderStatus = {
  /** Any status of the shop, without `wc-`. */
  status: string;
  /** Whether the order can be paid: WooCommerce's `needs_payment`. */
  isPayable: boolean;
  /** Whether the order counts as paid: WooCommerce's `is_paid`. */
  isPaid: boolean;
};

/** How the rules see an order: a status of another plugin in which the order can be paid is pending, one that counts as paid is processing. */
export const ruleStatus = ({ status, isPayable, isPaid }: OrderStatus): RuleStatus =>
  statuses.find((known) => known === status) ?? (isPayable ? "pending" : isPaid ? "processing" : "other");

/** Whether every condition of a rule holds; one that it leaves out holds always. */
export const holds = (
  when: Readonly<Record<string, readonly string[] | undefined>>,
  situation: Readonly<Record<string, string>>,
): boolean => Object.entries(when).every(([name, wanted]) => wanted?.includes(situation[name] ?? "") ?? true);

function checkTexts(file: RuleFile): void {
  for (const [index, rule] of file.rules.entries()) {
    if (rule.note !== undefined && file.notes[rule.note] === undefined) {
      throw new RulesError(`Rule ${index + 1} names the note ${rule.note}, which does not exist.`);
    }
    if (rule.reason !== undefined && file.reasons[rule.reason] === undefined) {
      throw new RulesError(`Rule ${index + 1} names the reason ${rule.reason}, which does not exist.`);
    }
    if ((rule.action === "cancel_attempt") !== (rule.reason !== undefined)) {
      throw new RulesError(`Rule ${index + 1} must give a reason exactly where it cancels an attempt.`);
    }
  }
}

/** The other plugin reads the lists of values in the file; they must be the ones this one knows. */
function checkConditions(file: RuleFile): void {
  for (const [name, { values }] of Object.entries(file.conditions)) {
    const known: readonly string[] = Object.entries(conditionValues).find(([key]) => key === name)?.[1] ?? [];
    if (values.length !== known.length || values.some((value) => !known.includes(value))) {
      throw new RulesError(`The values of ${name} are not the ones that this version knows.`);
    }
  }
}

function checkCoverage(file: RuleFile): void {
  for (const situation of everySituation()) {
    if (!file.rules.some(({ when }) => holds(when, situation))) {
      throw new RulesError(`No rule holds for ${JSON.stringify(situation)}.`);
    }
  }
}

/** Every combination of the conditions' values. */
export function* everySituation(): Generator<Situation> {
  for (const event of conditionValues.event)
    for (const status of conditionValues.status)
      for (const attempt of conditionValues.attempt)
        for (const method of conditionValues.method)
          for (const payment of conditionValues.payment)
            for (const amount of conditionValues.amount)
              for (const asked_by of conditionValues.asked_by)
                for (const origin of conditionValues.origin)
                  for (const told of conditionValues.told)
                    yield { event, status, attempt, method, payment, amount, asked_by, origin, told };
}
