import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { comparisonRules, loadComparisonRules } from "../../../src/reports/comparisons/rules.js";

const shipped = new URL("../../../../../plugin/rules/comparison.json", import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), "comparison-"));
afterAll(() => rmSync(folder, { recursive: true }));

const settled = {
  status: "processing",
  payment: "this",
  attempt: "current",
  method: "tillgate",
  amount: "same",
  currency: "same",
  applied: "yes",
  age: "settled",
  sum: "same",
} as const;

describe("the comparison rules", () => {
  it("find a difference with its field and repair, and none if nothing differs", () => {
    const situation = { ...settled, tillgate: "paid", payment: "none", amount: "same" } as const;
    expect(comparisonRules.compare("order", situation)).toEqual([
      { field: "transaction", kind: "transaction_missing", repair: "apply_order" },
    ]);
    expect(comparisonRules.compare("order", { ...settled, tillgate: "paid" })).toEqual([]);
  });

  it("fill in the shop's label for a status, “unknown” for a missing value, and values that look like replacement patterns unchanged", () => {
    const text = (values: object) => comparisonRules.text("open_not_wanted", values);
    expect(text({ status: "on-hold" })).toContain("“On hold” and it no longer needs payment unknown");
    expect(text({ status: "packed", tillgate_order: "POS-$&" })).toContain(
      "“packed” and it no longer needs payment POS-$&",
    );
    expect(text({ status: "__proto__" })).toContain("“__proto__”");
  });

  it("translate a text and its values before the values are filled in", () => {
    const capitals = (english: string) => english.toUpperCase().replace("{AMOUNT}", "{amount}");
    expect(comparisonRules.text("amount_differs", { amount: "1.00 eur" }, capitals)).toContain("1.00 EUR");
  });

  it("name a refund in the shop by its ID", () => {
    expect(comparisonRules.recordName("7")).toBe("#7");
  });

  it("return only the values that the text contains", () => {
    const values = { status: "pending", amount: "1.00 EUR", trx_id: "TRX-1", refund: "RF-1" };
    expect(comparisonRules.valuesOf("amount_differs", { ...values, store_total: "2.00 EUR" })).toEqual({
      store_total: "2.00 EUR",
      amount: "1.00 EUR",
    });
    expect(comparisonRules.valuesOf("amount_differs", { amount: "1.00 EUR" })).toStrictEqual({
      amount: "1.00 EUR",
    });
  });
});

type File = {
  subjects: Record<
    string,
    { conditions: Record<string, { values: string[] }>; fields: Record<string, object[]> }
  >;
  [name: string]: unknown;
};

const rule = (change: (rules: object[]) => object[]) => (file: File) => {
  const order = file.subjects.order;
  if (order) order.fields.state = change(order.fields.state ?? []);
};

const values = (change: (values: string[]) => string[]) => (file: File) => {
  const age = file.subjects.order?.conditions.age;
  if (age) age.values = change(age.values);
};

describe("loadComparisonRules rejects a file", () => {
  const loadChanged = (change: (file: File) => void) => {
    const file = JSON.parse(readFileSync(shipped, "utf8")) as File;
    change(file);
    const changed = path.join(folder, "comparison.json");
    writeFileSync(changed, JSON.stringify(file));
    return () => loadComparisonRules(changed);
  };

  it.each<[problem: string, change: (file: File) => void, message: RegExp | string]>([
    ["of another version", (file) => Object.assign(file, { version: 2 }), /version/],
    [
      "with an unknown condition",
      rule((rules) => [{ when: { colour: ["red"] }, difference: null }, ...rules]),
      "rule 1 of order.state has an unknown condition",
    ],
    [
      "with an unknown value after a known one",
      rule(([first = {}, ...rules]) => [
        first,
        { when: { age: ["fresh", "old"] }, difference: null },
        ...rules,
      ]),
      "rule 2 of order.state has an unknown condition",
    ],
    [
      "with a repair but no difference",
      rule((rules) => [{ when: {}, difference: null, repair: "apply_order" }, ...rules]),
      "rule 1 of order.state has a repair without a difference",
    ],
    [
      "without a rule for every situation",
      rule((rules) => rules.slice(0, -1)),
      "the last rule of order.state must have no conditions",
    ],
    [
      "without a subject's condition",
      (file) => Object.assign(file.subjects.record ?? {}, { conditions: {} }),
      "the conditions of record don't match this version",
    ],
    [
      "without a known value of a condition",
      values((known) => known.slice(1)),
      "the values of order.age don't match this version",
    ],
    [
      "with an unknown value in place of a known one",
      values((known) => known.with(0, "old")),
      "the values of order.age don't match this version",
    ],
    [
      "without a field",
      (file) => Object.assign(file.subjects.record ?? {}, { fields: {} }),
      "the fields of record don't match this version",
    ],
    [
      "with an unknown placeholder",
      (file) => Object.assign(file, { phrases: { record: "{x}", amount_unreadable: "x" } }),
      /placeholder/,
    ],
  ])("%s", (_problem, change, message) => {
    expect(loadChanged(change)).toThrow(
      typeof message === "string" ? new Error(`Invalid comparison rules: ${message}`) : message,
    );
  });
});
