import { describe, expect, it } from "vitest";
import {
  AmbiguousAmountError,
  AmountError,
  calculatePercentage,
  convert,
  findCurrency,
  getCurrency,
  parseTypedAmount,
  parseWrittenAmount,
  RateError,
  rateAfterSpread,
  roundToTwoDecimals,
  toMinorUnits,
  toWireNumber,
  UnknownCurrencyError,
} from "../../src/index.js";

const longest = (digit: string) => digit.repeat(64);

describe("amount, rate and currency errors", () => {
  it.each<[cause: string, fail: () => unknown, name: string, message: string]>([
    [
      "an invalid rate",
      () => convert(1n, 2, 2, "1e3", "down"),
      "RateError",
      '"1e3" is not a rate: expected a positive decimal string.',
    ],
    ...["100", "100.00", "101", "-0.1", "1%"].map((spread): [string, () => unknown, string, string] => [
      `a spread of ${spread}`,
      () => rateAfterSpread("1", spread),
      "RateError",
      `"${spread}" is not a valid spread: expected a decimal string from 0 up to, but not including, 100.`,
    ]),
    [
      "an invalid percentage",
      () => calculatePercentage(1n, "-1"),
      "RateError",
      '"-1" is not a percentage: expected a nonnegative decimal string.',
    ],
    [
      "a negative amount to convert",
      () => convert(-1n, 2, 2, "1", "down"),
      "RangeError",
      "The dividend must not be negative.",
    ],
    [
      "a negative amount to round",
      () => roundToTwoDecimals("-0.001"),
      "AmountError",
      "must be greater than zero",
    ],
    [
      "an unknown currency",
      () => getCurrency("ABC"),
      "UnknownCurrencyError",
      '"ABC" is not an active ISO 4217 currency code.',
    ],
    [
      "too many digits for a JSON number",
      () => toWireNumber(10n ** 15n, 2),
      "RangeError",
      "The amount (1000000000000000 minor units) has more than 15 digits, so a JSON number might not represent it exactly.",
    ],
    [
      "too many decimals",
      () => toMinorUnits("1.234", 2),
      "RangeError",
      '"1.234" is not a decimal number with at most 2 decimals.',
    ],
    [
      "text of 65 characters",
      () => toMinorUnits(`${longest("9")}9`, 2),
      "RangeError",
      `"${longest("9")}9" is not a decimal number with at most 2 decimals.`,
    ],
    [
      "a different notation",
      () => parseWrittenAmount("1.5", 2, "1.234,56"),
      "AmountError",
      "must be a number written as 1.234,56",
    ],
    [
      "a written amount of 65 characters",
      () => parseWrittenAmount(`${longest("0")}1`, 2),
      "AmountError",
      "must be a number written as 1234.56",
    ],
    [
      "typed text that is not a number",
      () => parseTypedAmount("ten", { locale: "en", digits: 2 }),
      "AmountError",
      "must be a number",
    ],
    [
      "an ambiguous amount",
      () => parseTypedAmount("1,000", { locale: "en", digits: 2 }),
      "AmountError",
      "could mean 1.00 or 1000.00",
    ],
  ])("explain the problem: %s", (_cause, fail, name, message) => {
    expect(fail).toThrow(expect.objectContaining({ name, message }));
  });

  it("have a class for each kind of input", () => {
    expect(() => rateAfterSpread("1", "100")).toThrow(RateError);
    expect(() => roundToTwoDecimals("-1")).toThrow(AmountError);
    expect(() => getCurrency("ABC")).toThrow(UnknownCurrencyError);
    expect(() => parseTypedAmount("1.000", { locale: "en" })).toThrow(AmbiguousAmountError);
  });
});

it("a decimal text may have up to 64 characters", () => {
  expect(toMinorUnits(longest("9"), 0)).toBe(10n ** 64n - 1n);
  expect(parseWrittenAmount(longest("0").slice(0, -1).concat("1"), 2)).toBe(100n);
  expect(parseTypedAmount(longest("0").slice(0, -3).concat("1,5"), { locale: "de", digits: 2 })).toBe("1.5");
});

it("findCurrency returns the currency of an active code", () => {
  expect(findCurrency("EUR")).toBe(getCurrency("EUR"));
});
