import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, formatDecimal, getCurrency, toMinorUnits, toWireNumber } from "../../src/index.js";

describe("formatting", () => {
  it.each([
    [4150n, "EUR", "41.50 EUR"],
    [5000n, "XAF", "5000 XAF"],
    [1n, "KWD", "0.001 KWD"],
    [-5n, "USD", "-0.05 USD"],
    [0n, "EUR", "0.00 EUR"],
    [10n ** 20n, "JPY", "100000000000000000000 JPY"],
  ])("writes %d minor units of %s as %s", (minor, code, text) => {
    expect(formatAmount(minor, getCurrency(code))).toBe(text);
  });

  it("is exact for amounts of any size and sign", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 4 }), (minor, digits) => {
        const text = formatDecimal(minor, digits);
        expect(text.split(".")[1]?.length ?? 0).toBe(digits);
        expect(BigInt(text.replace(".", ""))).toBe(minor);
      }),
    );
  });
});

describe("toMinorUnits", () => {
  it("reads the output of formatDecimal", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.integer({ min: 0, max: 4 }), (minor, digits) => {
        expect(toMinorUnits(formatDecimal(minor, digits), digits)).toBe(minor);
      }),
    );
  });

  it.each(["1.234", "1e3", "", " 1"])("rejects %j", (amount) => {
    expect(() => toMinorUnits(amount, 2)).toThrow(RangeError);
  });
});

describe("toWireNumber", () => {
  it("writes a JSON number of exactly the amount's value", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n),
        fc.integer({ min: 0, max: 4 }),
        (minor, digits) => {
          const json = JSON.stringify(toWireNumber(minor, digits));
          const written = Number(json).toFixed(digits);
          expect(written === "-0" ? "0" : written).toBe(formatDecimal(minor, digits));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("rejects amounts of more than 15 digits, which a JSON number might not represent exactly", () => {
    expect(() => toWireNumber(10n ** 15n, 2)).toThrow(RangeError);
    expect(() => toWireNumber(-(10n ** 15n), 2)).toThrow(RangeError);
  });
});
