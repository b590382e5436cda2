import { expect, it } from "vitest";
import { getAmountSize } from "../../src/till-size.js";

it.each([
  ["EUR 1234.00", "usual"],
  ["EUR 12,345.00", "long"],
  ["XAF 10,000,000,000,000", "longest"],
])("getAmountSize of %s is %s", (text, size) => {
  expect(getAmountSize(text)).toBe(size);
});
