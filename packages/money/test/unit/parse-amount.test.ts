import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AmountError,
  formatDecimal,
  maximumMinorUnits,
  parseAmount,
  requireWithinMaximum,
  roundToTwoDecimals,
  toWireNumber,
} from "../../src/index.js";

const digits = fc.constantFrom(0, 2, 3, 4);
const minorUnits = fc.bigInt(1n, maximumMinorUnits);

function rejection(input: unknown, currencyDigits: number, roundToTwoDecimalsFirst = false): AmountError {
  try {
    parseAmount(input, currencyDigits, { roundToTwoDecimalsFirst });
  } catch (error) {
    if (error instanceof AmountError) return error;
    throw error;
  }
  throw new Error(`${String(input)} was accepted.`);
}

describe("parseAmount", () => {
  it.each([
    [41.5, 2, 4150n],
    ["41.50", 2, 4150n],
    ["41.5", 2, 4150n],
    [0.01, 2, 1n],
    [5000, 0, 5000n],
    ["5000", 0, 5000n],
    ["5000.00", 0, 5000n],
    ["1.2340", 3, 1234n],
    [100_000_000_000, 2, maximumMinorUnits],
    ["10000000000000", 0, maximumMinorUnits],
  ])("parses %s with %s decimal places as %s minor units", (input, currencyDigits, minor) => {
    expect(parseAmount(input, currencyDigits)).toBe(minor);
  });

  it("round-trips every formatted amount, as text and as a JSON number", () => {
    fc.assert(
      fc.property(minorUnits, digits, (minor, currencyDigits) => {
        expect(parseAmount(formatDecimal(minor, currencyDigits), currencyDigits)).toBe(minor);
        const json = JSON.stringify(toWireNumber(minor, currencyDigits));
        expect(parseAmount(JSON.parse(json), currencyDigits)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  it("treats a number and its plain decimal text the same", () => {
    const outcome = (input: unknown, currencyDigits: number): string => {
      try {
        return parseAmount(input, currencyDigits).toString();
      } catch (error) {
        return error instanceof AmountError ? error.reason : String(error);
      }
    };
    const plain = fc
      .oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.double({ min: 0, max: 1e6 }),
      )
      .filter((value) => !String(value).includes("e") && !Object.is(value, -0));
    fc.assert(
      fc.property(plain, digits, (value, currencyDigits) => {
        expect(outcome(String(value), currencyDigits)).toBe(outcome(value, currencyDigits));
      }),
      { numRuns: 2000 },
    );
  });

  it("rejects any text that is not a plain decimal number", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.,-+eE x_'") }), digits, (text, d) => {
        fc.pre(!/^(0|[1-9]\d*)(\.\d+)?$/.test(text));
        expect(() => parseAmount(text, d)).toThrow(AmountError);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(
    [
      ...[null, undefined, true, [], [5], {}, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
      ...[
        "",
        " ",
        "abc",
        "1,50",
        "1.",
        ".5",
        "+5",
        " 5",
        "5 ",
        "5\n",
        "1 000",
        "0x10",
        "1_000",
        "007",
        "NaN",
      ],
      ...["Infinity", "1.2.3", "٣", "５", "5e", "--5", "9".repeat(65)],
      ...["x1e3", "1e3x", "1e", "e3", ".e3", "1.5.5e3"],
    ].map((input) => ({ input })),
  )("rejects $input, which is not a number", ({ input }) => {
    expect(rejection(input, 2)).toMatchObject({ reason: "not_a_number", message: "must be a number" });
  });

  it("rejects a bigint, which JSON cannot represent", () => {
    expect(rejection(5n, 2).reason).toBe("not_a_number");
  });

  it.each([
    ["1e3", 2, "exponent", "must be a plain decimal number without an exponent"],
    ["1E-2", 2, "exponent", "must be a plain decimal number without an exponent"],
    ["-2.5e+3", 2, "exponent", "must be a plain decimal number without an exponent"],
    ["+12.25e10", 2, "exponent", "must be a plain decimal number without an exponent"],
    ["1.e3", 2, "exponent", "must be a plain decimal number without an exponent"],
    [".25e3", 2, "exponent", "must be a plain decimal number without an exponent"],
    [-1, 2, "negative", "must be greater than zero"],
    ["-0.01", 2, "negative", "must be greater than zero"],
    [-1e-9, 2, "negative", "must be greater than zero"],
    [0, 2, "zero", "must be greater than zero"],
    [-0, 2, "zero", "must be greater than zero"],
    ["0.00", 2, "zero", "must be greater than zero"],
    ["-0", 2, "zero", "must be greater than zero"],
    [41.505, 2, "too_many_decimals", "must have at most 2 decimals"],
    ["0.001", 2, "too_many_decimals", "must have at most 2 decimals"],
    [1e-7, 2, "too_many_decimals", "must have at most 2 decimals"],
    [1.25e-7, 2, "too_many_decimals", "must have at most 2 decimals"],
    [1e-32, 2, "too_many_decimals", "must have at most 2 decimals"],
    [9e-33, 2, "too_many_decimals", "has too many decimals"],
    [1e-300, 2, "too_many_decimals", "has too many decimals"],
    [5000.5, 0, "too_many_decimals", "must be a whole number"],
    [0.1 + 0.2, 2, "too_many_significant_digits", "must have at most 15 significant digits"],
    [1.234567890123456e-7, 2, "too_many_significant_digits", "must have at most 15 significant digits"],
    ["123456789012.345", 3, "too_large", "must be at most 10000000000.000"],
    ["1234567890123.456", 4, "too_many_significant_digits", "must have at most 15 significant digits"],
    ["100000000000.01", 2, "too_large", "must be at most 100000000000.00"],
    [10_000_000_000_001, 0, "too_large", "must be at most 10000000000000"],
    [1e21, 0, "too_large", "is too large"],
  ])("rejects %j with %d decimal places as %s", (input, currencyDigits, reason, message) => {
    expect(rejection(input, currencyDigits)).toMatchObject({ reason, message });
  });
});

describe("roundToTwoDecimals", () => {
  it.each([
    [10.005, "10.01"],
    ["10.005", "10.01"],
    ["10.00499999999999999999", "10"],
    ["0.004", "0"],
    ["9.999", "10"],
    ["1.115", "1.12"],
    [0.1 + 0.2, "0.3"],
    ["7", "7"],
    ["41.50", "41.5"],
    ["0", "0"],
    [1.5e-7, "0"],
    [1e-32, "0"],
  ])("rounds %j half up to %s, by its decimal text and not by its binary value", (input, rounded) => {
    expect(roundToTwoDecimals(input)).toBe(rounded);
  });
});

it("parseAmount with roundToTwoDecimalsFirst validates the rounded amount, but the sign of the original", () => {
  const rounding = { roundToTwoDecimalsFirst: true };
  expect(parseAmount(0.1 + 0.2, 2, rounding)).toBe(30n);
  expect(parseAmount("1.2345", 3, rounding)).toBe(1230n);
  expect(parseAmount("5000.001", 0, rounding)).toBe(5000n);
  expect(rejection("0.004", 2, true).reason).toBe("zero");
  expect(rejection("5000.01", 0, true).reason).toBe("too_many_decimals");
  expect(rejection("-0.001", 2, true).reason).toBe("negative");
  expect(rejection("100000000000.005", 2, true).reason).toBe("too_large");
});

describe("requireWithinMaximum", () => {
  it("accepts 10^13 minor units and rejects one minor unit more", () => {
    expect(requireWithinMaximum(maximumMinorUnits, 2)).toBe(maximumMinorUnits);
    expect(() => requireWithinMaximum(maximumMinorUnits + 1n, 3)).toThrow("must be at most 10000000000.000");
  });
});
