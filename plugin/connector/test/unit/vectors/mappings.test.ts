import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { everySituation, fillNote, loadRules, type Situation } from "../../../src/rules.js";
import { readVectors } from "./read-vectors.js";

const vectors = readVectors(
  "mappings",
  z.strictObject({
    fields: z.record(z.string(), z.string()),
    notes: z.record(z.string(), z.string()),
    phrases: z.record(z.string(), z.string()),
    differences: z.record(z.enum(["order_total", "requested", "reference"]), z.string()),
    reasons: z.record(z.string(), z.string()),
    cases: z.array(
      z.strictObject({
        when: z.record(z.string(), z.array(z.string())),
        action: z.string(),
        cancel_current: z.boolean(),
        note: z.string().nullable(),
        reason: z.string().nullable(),
        text: z.string().nullable(),
      }),
    ),
  }),
);

const rules = loadRules();
const texts = z.record(z.string(), z.string());
const shipped = z
  .object({ notes: texts, phrases: texts, differences: texts, reasons: texts })
  .parse(JSON.parse(readFileSync(new URL("../../../../rules/transitions.json", import.meta.url), "utf8")));
const fill = (template: string, status: string) => fillNote(template, { ...vectors.fields, status });
const known = new Set([...everySituation()].flatMap((situation) => Object.keys(situation)));
const rows = vectors.cases.map(({ when, ...decision }) => ({
  conditions: Object.entries(when),
  ...decision,
}));

const isIn = (conditions: [string, string[]][], situation: Map<string, string>): boolean =>
  conditions.every(([name, values]) => values.includes(situation.get(name) ?? ""));

/** Returns the rules' decision in the format of the vectors. */
function decide(situation: Situation): string {
  const { action, cancelCurrent, note, reason } = rules.decide(situation);
  const template = note ?? reason;
  const text = template === null ? null : fill(template, situation.status);
  return JSON.stringify([action, cancelCurrent, text]);
}

const namesOf = (lists: Record<string, Record<string, string>>) =>
  Object.fromEntries(Object.entries(lists).map(([kind, named]) => [kind, Object.keys(named)]));

describe("mappings.json", () => {
  it("has exactly one row with the rules' decision for every situation", () => {
    const mismatches: unknown[] = [];
    const reached = new Set<object>();
    for (const situation of everySituation()) {
      const values = new Map<string, string>(Object.entries(situation));
      const matching = rows.filter(({ conditions }) => isIn(conditions, values));
      for (const row of matching) reached.add(row);
      const decisions = matching.map(({ action, cancel_current, text }) =>
        JSON.stringify([action, cancel_current, text]),
      );
      if (decisions.length !== 1 || decisions[0] !== decide(situation)) {
        mismatches.push({ situation, decided: decide(situation), delivery: decisions });
      }
    }
    expect(mismatches.slice(0, 5)).toEqual([]);
    expect(reached.size).toBe(rows.length);
  });

  it("uses only conditions of the rules", () => {
    for (const { conditions } of rows) for (const [name] of conditions) expect(known).toContain(name);
  });

  it("lists every note, phrase, difference and reason of the rules, with its text", () => {
    const { fields: _fields, cases: _cases, ...listed } = vectors;
    expect(namesOf(listed)).toEqual(namesOf(shipped));
    const fields = { ...vectors.fields, status: "processing" };
    for (const [name, text] of Object.entries(vectors.notes)) expect(rules.note(name, fields)).toBe(text);
    for (const [name, text] of Object.entries(vectors.phrases)) expect(rules.phrase(name, fields)).toBe(text);
    for (const [name, text] of Object.entries(vectors.reasons)) expect(rules.reason(name, fields)).toBe(text);
    for (const which of ["order_total", "requested", "reference"] as const)
      expect(rules.difference(which, fields)).toBe(vectors.differences[which]);
  });
});
