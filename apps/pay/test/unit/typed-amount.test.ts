import { describe, expect, it } from "vitest";
import { typedAmount } from "../../src/typed-amount";

describe("an amount as a shopper types it", () => {
  it.each([
    ["12.50", "12.50"],
    [" 12,50 ", "12.50"],
    ["27 498", "27498"],
    ["27\u00a0498,5", "27498.5"],
    ["٤١٫٥٠", "41.50"],
    ["1,234.50", "1,234.50"],
    ["1,2,3", "1,2,3"],
    ["ten", "ten"],
  ])("%s is sent as %s", (typed, sent) => {
    expect(typedAmount(typed)).toBe(sent);
  });
});
