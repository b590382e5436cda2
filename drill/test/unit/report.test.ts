import { expect, it } from "vitest";
import { findLongestGap } from "../../src/drill.js";
import { describeOutcome, isPassed, type Outcome, percentile } from "../../src/report.js";

it("an outage is the longest time without an acknowledged call since the fault", () => {
  expect(findLongestGap([1, 5, 20, 22], 4, 25)).toBe(15);
  expect(findLongestGap([1], 4, 25)).toBe(21);
  expect(findLongestGap([], 4, 25)).toBe(21);
});

it("a percentile is one of the measured values", () => {
  const values = Array.from({ length: 100 }, (_, at) => at + 1);
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1)]).toEqual([50, 95, 100]);
  expect(percentile([7], 0.95)).toBe(7);
});

const outcome = (more: Partial<Outcome>): Outcome => ({
  synchronous: true,
  injected: [{ name: "a fault", outageMs: 19_999, recorded: 7 }],
  checks: [{ name: "all is there", violations: [] }],
  operations: [{ kind: "order", count: 3 }],
  ...more,
});

it.each([
  { what: "nothing is lost", more: {}, passed: true },
  {
    what: "one key is lost",
    more: { checks: [{ name: "all is there", violations: ["order-1"] }] },
    passed: false,
  },
  {
    what: "an outage is too long",
    more: { injected: [{ name: "a fault", outageMs: 20_000, recorded: 7 }] },
    passed: false,
  },
])("a drill passes only if nothing is lost and no outage is too long: $what", ({ more, passed }) => {
  expect(isPassed(outcome(more))).toBe(passed);
  expect(describeOutcome(outcome(more))).toContain(passed ? "PASSED" : "FAILED");
});
