import { expect, it } from "vitest";
import { describeResult, verdictOn } from "../../src/figure.js";

const target = { atLeast: 0.6 };

it.each([
  ["a full run calls a target at its limit reached", { value: 0.6, target }, true, "reached"],
  ["a full run calls a target below its limit missed", { value: 0.59, target }, true, "MISSED"],
  ["a short run judges no target, reached or not", { value: 0.59, target }, false, "not judged"],
  ["a row without a target is only measured", { value: 0.59 }, true, "measured"],
  ["a row without a target is only measured in a short run", { value: 0.59 }, false, "measured"],
])("%s", (_what, row, judged, verdict) => {
  expect(verdictOn(row, judged)).toBe(verdict);
});

it("a row starts with its verdict and shows value, target and reference", () => {
  const row = { what: "hosted page", measured: "590/s", reference: "1000/s empty page", value: 0.59, target };
  expect(describeResult(row, "not judged")).toBe(
    "not judged  hosted page: 0.59 (target: >= 0.6); 590/s against 1000/s empty page",
  );
});
