import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AmountError,
  calculatePercentage,
  computePayerShare,
  convert,
  convertInverse,
  maximumMinorUnits,
  RateError,
  rateAfterSpread,
  roundRate,
} from "../../src/index.js";

const digits = fc.constantFrom(0, 2, 3, 4);
/** Amounts and rates whose conversions stay below the maximum. */
const amount = fc.bigInt(0n, 10n ** 5n);
const rate = fc
  .integer({ min: 1, max: 100_000 })
  .map((hundredths) => `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`);

describe("convert", () => {
  it.each([
    [10_000n, 2, 0, "655.957", "down", 65_595n],
    [10_000n, 2, 0, "655.957", "up", 65_596n],
    [10_000n, 2, 0, "655.957", "half-up", 65_596n],
    [1n, 0, 2, "0.0015244901", "down", 0n],
    [1n, 0, 2, "0.0015244901", "up", 1n],
    [100n, 2, 3, "0.3075", "down", 307n],
    [5n, 2, 2, "0.1", "half-up", 1n],
    [0n, 2, 2, "1.5", "up", 0n],
  ] as const)(
    "converts %d (%d decimals) to %d decimals at %s, rounded %s: %d",
    (minor, from, to, text, rounding, result) => {
      expect(convert(minor, from, to, text, rounding)).toBe(result);
    },
  );

  it("is the identity at a rate of one between currencies with the same decimal places", () => {
    fc.assert(fc.property(amount, digits, (minor, d) => convert(minor, d, d, "1.0", "down") === minor));
  });

  it("when rounding up, returns the rounded-down result or one minor unit more; when rounding half up, one of these two", () => {
    fc.assert(
      fc.property(amount, digits, digits, rate, (minor, from, to, text) => {
        const down = convert(minor, from, to, text, "down");
        const up = convert(minor, from, to, text, "up");
        const half = convert(minor, from, to, text, "half-up");
        expect([down, down + 1n]).toContain(up);
        expect([down, up]).toContain(half);
      }),
    );
  });

  it("never credits more in total if an amount is split, and convertInverse never debits less", () => {
    fc.assert(
      fc.property(amount, amount, digits, digits, rate, (a, b, from, to, text) => {
        const credited = (minor: bigint) => convert(minor, from, to, text, "down");
        const debited = (minor: bigint) => convertInverse(minor, from, to, text, "up");
        expect(credited(a) + credited(b) <= credited(a + b)).toBe(true);
        expect(debited(a) + debited(b) >= debited(a + b)).toBe(true);
      }),
    );
  });

  it("credits at least the desired amount for the debit that convertInverse returns, and less for a debit of one minor unit less", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 5n), digits, digits, rate, (wanted, from, to, text) => {
        const debited = convertInverse(wanted, from, to, text, "up");
        const worth = (minor: bigint) => convert(minor, to, from, text, "down");
        expect(worth(debited) >= wanted).toBe(true);
        expect(worth(debited - 1n) < wanted).toBe(true);
      }),
    );
  });

  it("rejects results above 10^13 minor units", () => {
    expect(convert(maximumMinorUnits, 2, 2, "1", "down")).toBe(maximumMinorUnits);
    expect(() => convert(maximumMinorUnits, 2, 2, "1.01", "down")).toThrow(AmountError);
    expect(() => convertInverse(maximumMinorUnits, 2, 2, "0.99", "up")).toThrow(AmountError);
  });

  it("rejects negative amounts", () => {
    expect(() => convert(-1n, 2, 2, "1", "down")).toThrow(RangeError);
    expect(() => convertInverse(-1n, 2, 2, "1", "up")).toThrow(RangeError);
  });

  it.each(["0", "-1", "", "1e3", "abc", "1,5", "Infinity", "0.0"])("rejects %j as a rate", (text) => {
    expect(() => convert(1n, 2, 2, text, "down")).toThrow(RateError);
    expect(() => convertInverse(1n, 2, 2, text, "up")).toThrow(RateError);
    expect(() => roundRate(text)).toThrow(RateError);
  });
});

describe("roundRate", () => {
  it.each([
    ["655.957", "655.957"],
    ["655.9570000000", "655.957"],
    ["1.00000000049", "1"],
    ["1.00000000050", "1.000000001"],
    ["0.00152449017237", "0.001524490172"],
    ["9.99999999951", "10"],
    ["12345678905", "12345678910"],
    ["99999999995.5", "100000000000"],
    ["1.0", "1"],
    ["1234567890", "1234567890"],
    ["123456789.05", "123456789.1"],
    ["123456789012", "123456789000"],
    [`0.${"9".repeat(62)}`, "1"],
  ])("rounds %s to %s", (exact, rounded) => {
    expect(roundRate(exact)).toBe(rounded);
  });

  it("returns at most 10 significant digits, exact as a JSON number, and is idempotent", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 20n), (coefficient) => {
        const text = coefficient.toString().padStart(13, "0");
        const rounded = roundRate(`${BigInt(text.slice(0, -12))}.${text.slice(-12)}`);
        expect(roundRate(rounded)).toBe(rounded);
        expect(rounded.replace(".", "").replace(/^0+|0+$/g, "").length).toBeLessThanOrEqual(10);
        const decimals = rounded.split(".")[1]?.length ?? 0;
        expect(Number(rounded).toFixed(decimals)).toBe(rounded);
      }),
    );
  });
});

describe("rateAfterSpread", () => {
  it.each([
    ["655.957", "1", "649.39743"],
    ["0.00152449", "1", "0.0015092451"],
    ["0.92234", "0", "0.92234"],
    ["1.0842", "0.000001", "1.084199989"],
    ["0.00051234567891234", "0", "0.0005123456789"],
    ["100", "99.999999", "0.000001"],
    ["3", "33.3333", "2.000001"],
    ["1", "2.50", "0.975"],
  ])("of %s with a spread of %s percent is %s", (rate, spread, rest) => {
    expect(rateAfterSpread(rate, spread)).toBe(rest);
  });

  it("never exceeds the rounded rate without spread, and never rises with the spread", () => {
    const spread = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), spread, spread, (coefficient, one, other) => {
        const text = coefficient.toString().padStart(9, "0");
        const rate = `${BigInt(text.slice(0, -8))}.${text.slice(-8)}`;
        const percent = (millionths: number) => (millionths / 1e6).toFixed(6);
        const [less, more] = one < other ? [one, other] : [other, one];
        const wide = Number(rateAfterSpread(rate, percent(more)));
        const narrow = Number(rateAfterSpread(rate, percent(less)));
        expect(wide).toBeLessThanOrEqual(narrow);
        expect(narrow).toBeLessThanOrEqual(Number(roundRate(rate)));
        expect(wide).toBeGreaterThan(0);
      }),
    );
  });

  it.each(["100", "100.0", "101", "-0.1", "", "1e1", "1,5", "1%"])("rejects %j as a spread", (spread) => {
    expect(() => rateAfterSpread("1", spread)).toThrow(RateError);
  });

  it.each(["0", "-1", "", "1e3"])("rejects %j as a rate", (rate) => {
    expect(() => rateAfterSpread(rate, "1")).toThrow(RateError);
  });
});

describe("calculatePercentage", () => {
  it.each([
    [10_000n, "2.5", 250n],
    [101n, "0.5", 1n],
    [99n, "0.5", 0n],
    [100n, "0.5", 1n],
    [12_345n, "0", 0n],
    [333n, "33.3333", 111n],
  ])("of %d minor units at %s %% is %d, rounded half up", (minor, percent, part) => {
    expect(calculatePercentage(minor, percent)).toBe(part);
  });

  it.each(["-1", "", "2,5", "1e1", "5%"])("rejects %j as a percentage", (percent) => {
    expect(() => calculatePercentage(100n, percent)).toThrow(RateError);
  });
});

describe("computePayerShare", () => {
  it.each([
    [{ paid: 1000n, price: 655n, refunded: 0n }, 655n, 1000n],
    [{ paid: 1000n, price: 3n, refunded: 0n }, 1n, 333n],
    [{ paid: 1000n, price: 3n, refunded: 1n }, 1n, 333n],
    [{ paid: 1000n, price: 3n, refunded: 2n }, 1n, 334n],
    [{ paid: 3n, price: 1000n, refunded: 0n }, 333n, 0n],
    [{ paid: 3n, price: 1000n, refunded: 333n }, 667n, 3n],
  ])("of %o for a refund of %d is %d", (payment, amount, share) => {
    expect(computePayerShare(payment, amount)).toBe(share);
  });

  it("never returns more in total than the payer's share of the refunds so far, and returns exactly what was paid after the last refund", () => {
    const parts = [1n, 249n, 50n, 355n];
    const [paid, price] = [1001n, 655n];
    let [refunded, returned] = [0n, 0n];
    for (const part of parts) {
      returned += computePayerShare({ paid, price, refunded }, part);
      refunded += part;
      expect(returned * price <= paid * refunded).toBe(true);
    }
    expect([refunded, returned]).toEqual([price, paid]);
  });
});
