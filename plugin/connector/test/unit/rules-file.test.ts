import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadRules, type Situation } from "../../src/rules.js";

const shipped = new URL("../../../rules/transitions.json", import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), "rules-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

type File = {
  rules: Record<string, unknown>[];
  reasons: Record<string, string>;
  conditions: Record<string, { values: string[] }>;
};

const paid: Situation = {
  event: "pos.order.paid",
  status: "pending",
  attempt: "current",
  method: "tillgate",
  payment: "none",
  amount: "same",
  cancelled_by: "other",
  origin: "tillgate",
  delivery: "first",
};
const when = { event: ["pos.order.paid"] };

/** Loads the shipped file with a change. */
function loadChanged(change: (file: File) => void) {
  const file = JSON.parse(readFileSync(shipped, "utf8")) as File;
  change(file);
  const changed = path.join(folder, "transitions.json");
  writeFileSync(changed, JSON.stringify(file));
  return loadRules(changed);
}

/** Adds a second rule. */
const withRule = (rule: object) => (file: File) => file.rules.splice(1, 0, { when, ...rule });
/** Replaces the values of a condition. */
const withValues = (name: string, values: string[]) => (file: File) =>
  Object.assign(file.conditions[name] ?? {}, { values });

describe("the shipped rules", () => {
  it("can be loaded, and an ordinary payment needs no attention and gets no reason", () => {
    expect(loadRules().decide(paid)).toMatchObject({
      action: "complete_payment",
      cancelCurrent: false,
      attention: false,
      note: expect.any(String),
      reason: null,
    });
  });

  it("throw an error for an unknown text name", () => {
    const unknown = new RangeError('The rules have no text named "missing".');
    for (const text of [loadRules().note, loadRules().reason, loadRules().phrase])
      expect(() => text("missing")).toThrow(unknown);
  });
});

describe("a rules file", () => {
  const otherVersion = (name: string) =>
    `The values of the condition ${name} don't match this version of the connector.`;
  const wrongReason = "Rule 2 must have a reason if and only if it cancels a payment.";

  it.each<[problem: string, change: (file: File) => unknown, message: string]>([
    [
      "with a note that does not exist",
      withRule({ action: "none", note: "missing" }),
      "Rule 2 refers to the note missing, which does not exist.",
    ],
    [
      "with a reason that does not exist",
      withRule({ action: "cancel_attempt", reason: "missing" }),
      "Rule 2 refers to the reason missing, which does not exist.",
    ],
    ["with a cancellation without a reason", withRule({ action: "cancel_attempt" }), wrongReason],
    [
      "with a reason for another action",
      (file) => {
        file.reasons.why = "Because.";
        withRule({ action: "none", reason: "why" })(file);
      },
      wrongReason,
    ],
    ["with a missing value", withValues("payment", ["none", "this"]), otherVersion("payment")],
    [
      "with an additional value",
      withValues("origin", ["tillgate", "store", "elsewhere"]),
      otherVersion("origin"),
    ],
    [
      "with an unknown value in place of a known one",
      withValues("delivery", ["first", "second"]),
      otherVersion("delivery"),
    ],
    ["with a duplicate value", withValues("method", ["other", "other", "tillgate"]), otherVersion("method")],
    [
      "without a rule for a situation",
      (file) => {
        file.rules = file.rules.filter((rule) => !JSON.stringify(rule.when).includes("pos.order.paid"));
      },
      `No rule matches ${JSON.stringify({ ...paid, cancelled_by: "connector" })}.`,
    ],
  ])("is rejected %s", (_problem, change, message) => {
    expect(() => loadChanged(change)).toThrow(expect.objectContaining({ name: "RulesError", message }));
  });

  it("is accepted with a condition's values in any order", () => {
    const reversed = loadChanged(withValues("payment", ["other", "this", "none"]));
    expect(reversed.decide(paid).action).toBe("complete_payment");
  });
});
