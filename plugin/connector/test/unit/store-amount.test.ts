import { describe, expect, it } from "vitest";
import {
  decimalText,
  readStoreSum,
  readStoreTotal,
  StoreAmountError,
  tryStoreTotal,
  tryWireAmount,
} from "../../src/store/store-amount.js";

describe("readStoreTotal", () => {
  it.each([
    ["41.50", "EUR", 4150n],
    ["41.5", "EUR", 4150n],
    ["5000", "XAF", 5000n],
    ["1.250", "KWD", 1250n],
    ["0.01", "EUR", 1n],
    ["41.5000", "EUR", 4150n],
    ["5000.00", "XAF", 5000n],
    ["1.2500", "KWD", 1250n],
  ])("parses %s %s as %s minor units", (total, currency, minor) => {
    expect(readStoreTotal(total, currency)).toBe(minor);
  });

  it.each([
    ["5000.01", "XAF", "has more decimals than XAF, which has 0"],
    ["41.5050", "EUR", "has more decimals than EUR"],
    ["10.005", "EUR", "EUR, which has 2"],
    ["0.00", "EUR", "there is nothing to pay"],
    ["-1.00", "EUR", "greater than zero"],
    ["1e2", "EUR", "exponent"],
    ["1,00", "EUR", "must be a number"],
    ["", "EUR", "must be a number"],
    ["1.00", "XXX", "not supported"],
  ])("rejects %s %s with a reason", (total, currency, reason) => {
    expect(() => readStoreTotal(total, currency)).toThrow(StoreAmountError);
    expect(() => readStoreTotal(total, currency)).toThrow(reason);
    expect(tryStoreTotal(total, currency)).toBeNull();
  });
});

it("readStoreSum accepts zero, and rejects malformed amounts and too many decimals", () => {
  expect(["0.00", "0", "41.50"].map((total) => readStoreSum(total, "EUR"))).toEqual([0n, 0n, 4150n]);
  expect(() => readStoreSum("0.x", "EUR")).toThrow(StoreAmountError);
  expect(() => readStoreSum("10.005", "EUR")).toThrow(StoreAmountError);
});

it("decimalText formats an amount with exactly the currency's decimal places", () => {
  expect(decimalText(4150n, "EUR")).toBe("41.50");
  expect(decimalText(5000n, "XAF")).toBe("5000");
  expect(decimalText(1250n, "KWD")).toBe("1.250");
});

it("tryWireAmount returns null for an amount with too many decimals", () => {
  expect(tryWireAmount(41.5, "EUR")).toBe(4150n);
  expect(tryWireAmount(41.555, "EUR")).toBeNull();
  expect(tryWireAmount(41.5, "XAF")).toBeNull();
});
