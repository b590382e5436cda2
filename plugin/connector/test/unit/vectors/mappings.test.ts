import { describe, expect, it } from "vitest";
import { z } from "zod";
import { everySituation, fillNote, loadRules, type Situation } from "../../../src/rules.js";
import { readVectors } from "./read-vectors.js";

const vectors = readVectors(
  "mappings",
  z.strictObject({
    fields: z.record(z.string(), z.string()),
    notes: z.record(z.string(), z.string()),
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
const fill = (template: string, status: string) => fillNote(template, { ...vectors.fields, status });
const isIn = (when: Record<string, string[]>, situation: Situation): boolean =>
  Object.entries(situation).every(([name, value]) => when[name]?.includes(value) ?? true);

describe("the decisions", () => {
  it("of every situation are those of its one row", () => {
    for (const situation of everySituation()) {
      const rows = vectors.cases.filter(({ when }) => isIn(when, situation));
      expect(rows, JSON.stringify(situation)).toHaveLength(1);
      const [row] = rows;
      const decision = rules.decide(situation);
      const template = decision.note ?? decision.reason;
      expect(
        {
          action: decision.action,
          cancel_current: decision.cancelCurrent,
          text: template === null ? null : fill(template, situation.status),
        },
        JSON.stringify(situation),
      ).toEqual({ action: row?.action, cancel_current: row?.cancel_current, text: row?.text });
    }
  });

  it("are told in these notes and reasons", () => {
    for (const [name, text] of Object.entries(vectors.notes))
      expect(fill(rules.note(name), "processing")).toBe(text);
    for (const [name, text] of Object.entries(vectors.reasons)) {
      expect(fill(rules.reason(name), "processing")).toBe(text);
    }
  });

  it("have no row that no situation is in", () => {
    const situations = [...everySituation()];
    for (const { when } of vectors.cases) expect(situations.some((one) => isIn(when, one))).toBe(true);
  });
});
