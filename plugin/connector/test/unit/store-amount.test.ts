import { describe, expect, it } from "vitest";
import {
  decimalText,
  readStoreSum,
  readStoreTotal,
  StoreAmountError,
  tryStoreTotal,
  tryWireAmount,
} from "../../src/store/store-amount.js";

describe("a store's total", () => {
  it.each([
    ["41.50", "EUR", 4150n],
    ["41.5", "EUR", 4150n],
    ["5000", "XAF", 5000n],
    ["1.250", "KWD", 1250n],
    ["0.01", "EUR", 1n],
    ["41.5000", "EUR", 4150n],
    ["5000.00", "XAF", 5000n],
    ["1.2500", "KWD", 1250n],
  ])("%s %s is %s minor units, exactly", (total, currency, minor) => {
    expect(readStoreTotal(total, currency)).toBe(minor);
  });

  it.each([
    ["5000.01", "XAF", "is finer than XAF, which has 0 decimals"],
    ["41.5050", "EUR", "is finer than EUR"],
    ["10.005", "EUR", "EUR, which has 2 decimals"],
    ["0.00", "EUR", "there is nothing to pay"],
    ["-1.00", "EUR", "greater than zero"],
    ["1e2", "EUR", "exponent"],
    ["1,00", "EUR", "must be a number"],
    ["", "EUR", "must be a number"],
    ["1.00", "XXX", "not known"],
  ])("%s %s is refused, with the reason", (total, currency, reason) => {
    expect(() => readStoreTotal(total, currency)).toThrow(StoreAmountError);
    expect(() => readStoreTotal(total, currency)).toThrow(reason);
    expect(tryStoreTotal(total, currency)).toBeNull();
  });

  it("of nothing comes to 0 where it is only added up, and all else as ever", () => {
    expect(["0.00", "0", "41.50"].map((total) => readStoreSum(total, "EUR"))).toEqual([0n, 0n, 4150n]);
    expect(() => readStoreSum("0.x", "EUR")).toThrow(StoreAmountError);
    expect(() => readStoreSum("10.005", "EUR")).toThrow(StoreAmountError);
  });

  it("goes to Tillgate in exactly the currency's digits", () => {
    expect(decimalText(4150n, "EUR")).toBe("41.50");
    expect(decimalText(5000n, "XAF")).toBe("5000");
    expect(decimalText(1250n, "KWD")).toBe("1.250");
  });
});

it("an amount of an event that its currency cannot have is none", () => {
  expect(tryWireAmount(41.5, "EUR")).toBe(4150n);
  expect(tryWireAmount(41.555, "EUR")).toBeNull();
  expect(tryWireAmount(41.5, "XAF")).toBeNull();
});
