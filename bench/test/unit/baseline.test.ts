import { expect, it } from "vitest";
import { isBelowBaseline } from "../../src/baseline.js";

const baseline = { "hosted page": 0.5 };

it.each([
  ["hosted page", 0.41, false],
  ["hosted page", 0.4, false],
  ["hosted page", 0.39, true],
  ["hosted page", 2, false],
  ["page without a baseline", 0.01, false],
])(
  "a row counts as regressed only if it is more than 20% below its baseline: %s at %d: %s",
  (what, value, fell) => {
    expect(isBelowBaseline({ what, value }, baseline)).toBe(fell);
  },
);

it("a row that was not measured counts as below its baseline", () => {
  expect(isBelowBaseline({ what: "hosted page", value: Number.NaN }, baseline)).toBe(true);
});
