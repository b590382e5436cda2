import { expect, it } from "vitest";
import { describeResult, judge } from "../../src/figure.js";

const target = { atLeast: 0.6 };

it.each([
  ["a full run reports a target at its limit as reached", { value: 0.6, target }, true, "reached"],
  ["a full run reports a target below its limit as missed", { value: 0.59, target }, true, "MISSED"],
  ["a short run does not judge targets", { value: 0.59, target }, false, "not judged"],
  ["a full run reports a row without a target as measured", { value: 0.59 }, true, "measured"],
  ["a short run reports a row without a target as measured", { value: 0.59 }, false, "measured"],
])("%s", (_what, row, judged, verdict) => {
  expect(judge(row, judged)).toBe(verdict);
});

it("a row starts with its verdict and shows its value, target and reference", () => {
  const row = { what: "hosted page", measured: "590/s", reference: "1000/s empty page", value: 0.59, target };
  expect(describeResult(row, "not judged")).toBe(
    "not judged  hosted page: 0.59 (target: >= 0.6); 590/s against 1000/s empty page",
  );
});
