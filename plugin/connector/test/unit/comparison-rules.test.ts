import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { subjectConditions } from "../../src/comparison-file.js";
import { loadComparisonRules, type SituationOf } from "../../src/comparison-rules.js";
import { loadRules, type PaymentEventName, RulesError } from "../../src/rules.js";

const shipped = new URL("../../../rules/comparison.json", import.meta.url);
const folder = mkdtempSync(path.join(tmpdir(), "comparison-"));
afterAll(() => rmSync(folder, { recursive: true }));

const comparison = loadComparisonRules();
const transitions = loadRules();

/** All combinations of an order's condition values. */
function* everyOrder(): Generator<SituationOf<"order">> {
  const { order } = subjectConditions;
  for (const tillgate of order.tillgate)
    for (const status of order.status)
      for (const payment of order.payment)
        for (const attempt of order.attempt)
          for (const method of order.method)
            for (const amount of order.amount)
              for (const applied of order.applied)
                for (const age of order.age)
                  yield {
                    ...{ tillgate, status, payment, attempt, method, amount, applied, age },
                    currency: "same",
                    sum: "same",
                  };
}

/** The event that a repair applies for each status in Tillgate. */
const events: Record<SituationOf<"order">["tillgate"], PaymentEventName[]> = {
  open: ["store.changed"],
  ended: ["pos.order.expired", "pos.order.cancelled"],
  paid: ["pos.order.paid"],
  refunded: ["pos.order.paid"],
  missing: [],
};

describe("repairs of an order", () => {
  it("change the order or cancel its open payment, but never move money", () => {
    const done = new Set<string>();
    for (const situation of everyOrder()) {
      const { status, attempt, method, amount, payment } = situation;
      for (const { repair, kind } of comparison.compare("order", situation)) {
        if (repair === null) continue;
        expect(events[situation.tillgate]).not.toEqual([]);
        for (const event of events[situation.tillgate]) {
          const { action } = transitions.decide({
            ...{
              event,
              status,
              attempt,
              method,
              amount,
              cancelled_by: "other",
              origin: "tillgate",
              delivery: "first",
            },
            payment: payment === "sibling" ? "other" : payment,
          });
          const allowed = MAY_DO[repair]?.[situation.tillgate] ?? [];
          expect(allowed, `${kind}: ${JSON.stringify(situation)}`).toContain(action);
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
});

/** Actions of transitions.json that a repair may lead to. Some outcomes need no change. */
const MAY_DO: Record<string, Partial<Record<SituationOf<"order">["tillgate"], string[]>>> = {
  apply_order: {
    ended: ["fail", "fail_over_pending", "cancel", "none"],
    paid: ["complete_payment", "set_processing", "record_transaction"],
    refunded: ["complete_payment", "set_processing"],
  },
  cancel_open: { open: ["cancel_attempt"] },
};

describe("loadComparisonRules", () => {
  it.each([
    ["an unknown difference", '"difference": "amount_differs"', '"difference": "amount_changed"'],
    ["an unknown repair", '"repair": "cancel_open"', '"repair": "refund_open"'],
    ["an unknown value", '"tillgate": ["missing"]', '"tillgate": ["lost"]'],
    ["an unknown condition", '{ "tillgate": ["missing"] }', '{ "tillgate_state": ["missing"] }'],
    ["a field without a final rule", '{ "when": {}, "difference": null }', ""],
    ["a text with an unknown placeholder", "{trx_id}", "{transaction_id}"],
    ["advice with a placeholder", "Refund this payment in Tillgate.", "Refund {amount} at Tillgate."],
    ["another version", '"version": 1', '"version": 2'],
  ])("rejects a file with %s", (name, shippedText, changed) => {
    const text = readFileSync(shipped, "utf8");
    expect(text).toContain(shippedText);
    const file = path.join(folder, `${name}.json`);
    const changedText = text.replace(shippedText, changed).replace(/,(\s*[\]}])/g, "$1");
    writeFileSync(file, changedText);
    expect(() => loadComparisonRules(file)).toThrow(RulesError);
  });
});
