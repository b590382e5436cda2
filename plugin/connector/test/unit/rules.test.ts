import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  type Action,
  everySituation,
  fillNote,
  loadRules,
  RulesError,
  type Situation,
} from "../../src/rules.js";

const rules = loadRules();
const shipped = new URL("../../../rules/transitions.json", import.meta.url);

const usual: Situation = {
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
const actionOf = (changes: Partial<Situation>): Action => rules.decide({ ...usual, ...changes }).action;
const statuses = [
  "pending",
  "on-hold",
  "failed",
  "cancelled",
  "processing",
  "completed",
  "refunded",
  "trash",
  "other",
] as const;

describe("transitions by event and current status", () => {
  it.each([
    ["pos.order.paid", "pending", "complete_payment"],
    ["pos.order.paid", "failed", "complete_payment"],
    ["pos.order.paid", "on-hold", "set_processing"],
    ["pos.order.paid", "cancelled", "set_processing"],
    ["pos.order.paid", "processing", "record_transaction"],
    ["pos.order.paid", "completed", "record_transaction"],
    ["pos.order.paid", "refunded", "refund_payment"],
    ["pos.order.paid", "trash", "none"],
    ["pos.order.paid", "other", "none"],
    ["pos.order.expired", "pending", "fail"],
    ["pos.order.expired", "on-hold", "fail_over_pending"],
    ["pos.order.expired", "failed", "none"],
    ["pos.order.expired", "cancelled", "none"],
    ["pos.order.expired", "processing", "none"],
    ["pos.order.expired", "completed", "none"],
    ["pos.order.expired", "refunded", "none"],
    ["pos.order.expired", "other", "none"],
    ["pos.order.cancelled", "pending", "cancel"],
    ["pos.order.cancelled", "on-hold", "cancel"],
    ["pos.order.cancelled", "failed", "cancel"],
    ["pos.order.cancelled", "cancelled", "none"],
    ["pos.order.cancelled", "processing", "none"],
    ["pos.order.cancelled", "completed", "none"],
    ["pos.order.cancelled", "refunded", "none"],
    ["pos.order.cancelled", "other", "none"],
  ] as const)("map %s in the status %s to the action %s", (event, status, action) => {
    expect(actionOf({ event, status })).toBe(action);
  });

  it.each(["pos.order.refunded", "refund.completed"] as const)(
    "create refund records for %s of the payment that paid the order, if the order is Processing, Completed, On hold or in another plugin's status",
    (event) => {
      for (const status of ["processing", "completed", "on-hold", "other"] as const) {
        expect(actionOf({ event, status, payment: "this" })).toBe("record_refunds");
      }
      for (const status of ["pending", "failed", "cancelled", "trash"] as const) {
        expect(actionOf({ event, status, payment: "this" })).toBe("none");
      }
    },
  );

  it("apply the payment first if its refund is reported earlier", () => {
    for (const event of ["pos.order.refunded", "refund.completed"] as const) {
      expect(actionOf({ event, status: "pending" })).toBe("apply_paid_first");
      expect(actionOf({ event, status: "pending", attempt: "older" })).toBe("none");
    }
  });

  it("only add a note for a failed refund", () => {
    for (const status of statuses) {
      const decision = rules.decide({ ...usual, event: "refund.failed", status });
      expect(decision).toMatchObject({ action: "none", note: expect.stringContaining("failed") });
    }
  });
});

it("a cancelled or on-hold order doesn't count as paid, even if it has a transaction ID", () => {
  expect(actionOf({ status: "cancelled", payment: "this" })).toBe("set_processing");
  expect(actionOf({ status: "on-hold", payment: "this" })).toBe("set_processing");
});

describe("a payment that is not current, or whose order has another payment method", () => {
  it("only adds a note if it expires or is cancelled", () => {
    for (const event of ["pos.order.expired", "pos.order.cancelled"] as const)
      for (const status of statuses)
        for (const other of [{ attempt: "older" }, { method: "other" }] as const) {
          const decision = rules.decide({ ...usual, event, status, ...other });
          expect(decision.action).toBe("none");
          expect(decision.note).not.toBeNull();
        }
  });

  it.each([{ attempt: "older" }, { method: "other" }] as const)(
    "pays an order that still needs it and cancels the current payment: %j",
    (other) => {
      for (const [status, action] of [
        ["pending", "complete_payment"],
        ["failed", "complete_payment"],
        ["on-hold", "set_processing"],
      ] as const) {
        expect(rules.decide({ ...usual, status, ...other })).toMatchObject({ action, cancelCurrent: true });
      }
    },
  );

  it.each([{ attempt: "older" }, { method: "other" }] as const)(
    "is refunded in full, with a note, if the order doesn't need it: %j",
    (other) => {
      for (const status of ["cancelled", "processing", "completed", "refunded"] as const) {
        const decision = rules.decide({ ...usual, status, ...other });
        expect(decision).toMatchObject({ action: "refund_payment", note: expect.any(String) });
      }
      expect(actionOf({ ...other, amount: "different" })).toBe("refund_payment");
    },
  );
});

it("a cancellation by the connector itself only adds a note", () => {
  for (const status of statuses) {
    const decision = rules.decide({
      ...usual,
      event: "pos.order.cancelled",
      status,
      cancelled_by: "connector",
    });
    expect(decision).toMatchObject({ action: "none", note: expect.stringContaining("{reason}") });
  }
});

it("a payment is refunded if another payment paid the order", () => {
  expect(actionOf({ status: "processing", payment: "other" })).toBe("refund_payment");
  expect(actionOf({ status: "completed", payment: "other" })).toBe("refund_payment");
});

describe("a permanently deleted order", () => {
  const deletedSituations = [...everySituation()].filter(({ status }) => status === "deleted");

  it("is flagged for attention if it is paid, and not refunded automatically", () => {
    const paid = deletedSituations.filter(
      ({ event, delivery }) => event === "pos.order.paid" && delivery === "first",
    );
    expect(paid.length).toBeGreaterThan(0);
    for (const situation of paid) {
      const note = expect.stringContaining("which no longer exists in the shop");
      expect(rules.decide(situation)).toMatchObject({ action: "none", attention: true, note });
    }
  });

  it("is flagged for attention when a replay repeats its payment", () => {
    const paid = deletedSituations.filter(
      ({ event, delivery }) => event === "pos.order.paid" && delivery === "repeated",
    );
    expect(paid.length).toBeGreaterThan(0);
    for (const situation of paid.filter(({ payment }) => payment !== "this"))
      expect(rules.decide(situation)).toMatchObject({ action: "none", attention: true });
  });

  it("gets no note and no action for other events, except that a change in the shop cancels its open payment", () => {
    for (const situation of deletedSituations.filter(({ event }) => event !== "pos.order.paid")) {
      const isChange = situation.event === "store.changed";
      const { action, note } = rules.decide(situation);
      expect({ action, note }).toEqual({ action: isChange ? "cancel_attempt" : "none", note: null });
    }
  });
});

describe("invariants of the rules:", () => {
  it("a replayed payment event moves no money and doesn't change an order that already shows the payment", () => {
    for (const situation of everySituation()) {
      if (situation.event !== "pos.order.paid" || situation.delivery !== "repeated") continue;
      const { action } = rules.decide(situation);
      expect(action).not.toBe("refund_payment");
      if (situation.payment === "this") expect(action).toBe("none");
    }
  });

  it("a paid event doesn't change an order that the same payment already paid", () => {
    for (const situation of everySituation()) {
      if (situation.event !== "pos.order.paid" || situation.payment !== "this") continue;
      if (!["processing", "completed", "refunded"].includes(situation.status)) continue;
      expect(rules.decide(situation).action).toBe("none");
    }
  });

  it("a payment of a different amount never marks an order as paid", () => {
    for (const situation of everySituation()) {
      if (situation.event !== "pos.order.paid" || situation.amount !== "different") continue;
      expect(["complete_payment", "set_processing"]).not.toContain(rules.decide(situation).action);
    }
  });

  it("a paid order never becomes Failed, Cancelled or On hold", () => {
    for (const situation of everySituation()) {
      if (!["processing", "completed", "refunded"].includes(situation.status)) continue;
      expect(["fail", "fail_over_pending", "cancel", "hold"]).not.toContain(rules.decide(situation).action);
    }
  });

  it("every paid event adds a note", () => {
    for (const situation of everySituation()) {
      if (situation.event !== "pos.order.paid") continue;
      expect(rules.decide(situation).note).not.toBeNull();
    }
  });
});

describe("changes in the shop", () => {
  it.each([
    [{ status: "cancelled" }],
    [{ status: "trash" }],
    [{ status: "refunded" }],
    [{ status: "processing" }],
    [{ status: "completed" }],
    [{ method: "other" }],
    [{ amount: "different" }],
  ] as const)("cancel the Tillgate order and state a reason: %j", (changes) => {
    const decision = rules.decide({ ...usual, event: "store.changed", ...changes });
    expect(decision).toMatchObject({ action: "cancel_attempt", reason: expect.any(String) });
  });

  it("change nothing if the order is still awaiting its payment", () => {
    for (const status of ["pending", "on-hold", "failed"] as const) {
      expect(actionOf({ event: "store.changed", status })).toBe("none");
    }
  });
});

describe("refunds made in the shop", () => {
  it("are sent to Tillgate only for the payment with the order's transaction ID", () => {
    for (const status of statuses) {
      expect(actionOf({ event: "store.refunded", status, payment: "this" })).toBe("refund_at_tillgate");
      for (const payment of ["none", "other"] as const) {
        expect(actionOf({ event: "store.refunded", status, payment })).toBe("none");
      }
    }
  });

  it("get no second record from Tillgate's event, regardless of the status of an order that still exists", () => {
    for (const situation of everySituation()) {
      if (situation.origin !== "store" || situation.status === "deleted") continue;
      if (situation.event !== "refund.completed" && situation.event !== "refund.failed") continue;
      const { action, note } = rules.decide(situation);
      expect(action).toBe("link_refund");
      expect(note).toContain("#{store_refund}");
    }
  });
});

describe("loadRules", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "rules-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const load = (change: (file: ReturnType<typeof parse>) => void) => {
    const file = parse();
    change(file);
    const name = path.join(folder, "transitions.json");
    writeFileSync(name, JSON.stringify(file));
    return () => loadRules(name);
  };
  const parse = (): {
    rules: Record<string, unknown>[];
    notes: Record<string, string>;
    conditions: unknown;
  } => JSON.parse(readFileSync(shipped, "utf8"));

  it("rejects an unknown name, a missing text, an unknown placeholder or a situation without a rule", () => {
    const rule = { when: { event: ["pos.order.paid"] }, action: "none" };
    expect(load((file) => file.rules.unshift({ ...rule, action: "explode" }))).toThrow(RulesError);
    expect(load((file) => file.rules.unshift({ ...rule, note: "missing" }))).toThrow(/missing/);
    expect(load((file) => file.rules.unshift({ ...rule, when: { events: [] } }))).toThrow(RulesError);
    expect(load((file) => Object.assign(file.notes, { paid: "{secret}" }))).toThrow(/placeholder/);
    expect(load((file) => file.rules.pop())).toThrow(/No rule matches/);
  });

  it("loads a shipped file in which every rule is reachable", () => {
    const { rules: written } = parse();
    const reached = new Set<string>();
    for (const situation of everySituation()) {
      const index = written.findIndex(({ when }) =>
        Object.entries(when ?? {}).every(([name, values]) =>
          Object.entries(situation).some(([key, value]) => key === name && values.includes(value)),
        ),
      );
      reached.add(String(index));
    }
    expect(reached.size).toBe(written.length);
  });
});

it("fillNote fills placeholders, and inserts 'unknown' for missing values", () => {
  expect(fillNote("{amount} for {trx_id}", { amount: "41.50 EUR" })).toBe("41.50 EUR for unknown");
});

it("src/payments contains no text of an order note", () => {
  const payments = new URL("../../src/payments/", import.meta.url);
  for (const file of readdirSync(payments)) {
    expect(readFileSync(new URL(file, payments), "utf8"), file).not.toMatch(/["'`]Tillgate: /);
  }
});
