import { readFileSync } from "node:fs";
import { DIFFERENCE_REPAIRS, type DifferenceRepair } from "@tillgate/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { loadRules, type PaymentEventName, type Situation } from "../../src/rules.js";

type Values = Record<string, string>;

const names = z.array(z.string());
const { conditions, fields } = z
  .object({
    conditions: z.record(z.string(), z.object({ values: names })),
    fields: z.record(
      z.string(),
      z.array(z.object({ when: z.record(z.string(), names), repair: z.enum(DIFFERENCE_REPAIRS).optional() })),
    ),
  })
  .parse(
    JSON.parse(readFileSync(new URL("../../../rules/comparison.json", import.meta.url), "utf8")).subjects
      .order,
  );
const transitions = loadRules();

/** Yields all combinations of an order's condition values. Conditions that no repair depends on keep the value `same`. */
function* everyOrder(left = Object.entries(conditions), chosen: Values = {}): Generator<Values> {
  const [first, ...others] = left;
  if (first === undefined) return yield chosen;
  const [name, { values }] = first;
  for (const value of name === "currency" || name === "sum" ? ["same"] : values)
    yield* everyOrder(others, { ...chosen, [name]: value });
}

/** Returns the repair of each field that has one. The first matching rule of a field applies. */
const repairsOf = (order: Values): DifferenceRepair[] =>
  Object.values(fields).flatMap((rules) => {
    const rule = rules.find(({ when }) =>
      Object.entries(when).every(([name, values]) => values.includes(order[name] ?? "")),
    );
    return rule?.repair ?? [];
  });

/** The events that a repair may apply, keyed by status in Tillgate. */
const events: Record<string, PaymentEventName[]> = {
  open: ["store.changed"],
  ended: ["pos.order.expired", "pos.order.cancelled"],
  paid: ["pos.order.paid"],
  refunded: ["pos.order.paid"],
  missing: [],
};

/** Actions of transitions.json that a repair may lead to. Some outcomes need no change. */
const allowed: Record<string, Record<string, string[]>> = {
  apply_order: {
    ended: ["fail", "fail_over_pending", "cancel", "none"],
    paid: ["complete_payment", "set_processing", "record_transaction"],
    refunded: ["complete_payment", "set_processing"],
  },
  cancel_open: { open: ["cancel_attempt"] },
};

it("repairs may change the order or cancel its open payment, but never move money", () => {
  const done = new Set<string>();
  for (const order of everyOrder()) {
    const { tillgate = "", applied: _applied, age: _age, currency: _currency, sum: _sum, ...others } = order;
    for (const repair of repairsOf(order)) {
      expect(events[tillgate]).not.toEqual([]);
      for (const event of events[tillgate] ?? []) {
        const { action } = transitions.decide({
          ...others,
          ...{ event, cancelled_by: "other", origin: "tillgate", delivery: "first" },
          payment: others.payment === "sibling" ? "other" : others.payment,
        } as Situation);
        expect(allowed[repair]?.[tillgate], JSON.stringify(order)).toContain(action);
        done.add(`${repair}: ${action}`);
      }
    }
  }
  expect([...done].sort()).toEqual([
    "apply_order: cancel",
    "apply_order: complete_payment",
    "apply_order: fail",
    "apply_order: fail_over_pending",
    "apply_order: none",
    "apply_order: record_transaction",
    "apply_order: set_processing",
    "cancel_open: cancel_attempt",
  ]);
});
