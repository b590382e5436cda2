import { expect, it } from "vitest";
import { amountSize } from "../../src/till-size.js";

it.each([
  ["EUR 1234.00", "usual"],
  ["EUR 12,345.00", "long"],
  ["XAF 10,000,000,000,000", "longest"],
])("amountSize of %s is %s", (text, size) => {
  expect(amountSize(text)).toBe(size);
});
