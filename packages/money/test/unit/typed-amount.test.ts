import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AmbiguousAmountError,
  AmountError,
  formatDecimal,
  listAmountReadings,
  maximumMinorUnits,
  parseTypedAmount,
  parseWrittenAmount,
} from "../../src/index.js";

const [NO_BREAK, NARROW] = ["\u00a0", "\u202f"];

function failure<Result>(read: () => Result): AmountError {
  try {
    read();
  } catch (error) {
    if (error instanceof AmountError) return error;
    throw error;
  }
  throw new Error("The amount was accepted.");
}

describe("parseTypedAmount", () => {
  it.each([
    ["en", "1,000.50", "1000.50"],
    ["en-GB", "1,234,567.5", "1234567.5"],
    ["en", "1,234,567", "1234567"],
    ["de", "1.000,50", "1000.50"],
    ["de-DE", "1.234.567", "1234567"],
    ["de-CH", "1’000.50", "1000.50"],
    ["es", "1.000,50", "1000.50"],
    ["pt-PT", "1.000,50", "1000.50"],
    ["pt-BR", "1.000,50", "1000.50"],
    ["fr", "1 000,50", "1000.50"],
    ["fr", `1${NO_BREAK}000,50`, "1000.50"],
    ["fr-FR", `12${NARROW}345${NARROW}678,9`, "12345678.9"],
    ["fr", "1 000", "1000"],
    ["ar", "٤١٫٥٠", "41.50"],
    ["ar", "١٬٠٠٠٫٥٠", "1000.50"],
    ["ar", "١٬٠٠٠", "1000"],
    ["ar", "1,000.50", "1000.50"],
    ["en", "12.50", "12.50"],
    ["en", " 12,50 ", "12.50"],
    ["fr", "12.5", "12.5"],
    ["en", "1000", "1000"],
    ["en", "1000,50", "1000.50"],
    ["en", "007.5", "7.5"],
    ["en", "-5", "-5"],
    ["fr", "\u22125,50", "-5.50"],
    ["de", "-1.000,50", "-1000.50"],
  ])("in the locale %s, parses %s as %s", (locale, typed, plain) => {
    expect(parseTypedAmount(typed, { locale, digits: 2 })).toBe(plain);
  });

  it.each([
    ["en", "1,000", 2, ["1.00", "1.00"], ["1000.00", "1000"]],
    ["en", "1.000", 2, ["1.00", "1.00"], ["1000.00", "1000"]],
    ["de", "1.500", 2, ["1.50", "1,50"], ["1500.00", "1500"]],
    ["fr", "1,000", 2, ["1.00", "1,00"], ["1000.00", "1000"]],
    ["ar", "١,٥٠٠", 2, ["1.50", "1.50"], ["1500.00", "1500"]],
    ["en", "1,234", 2, ["1.234", undefined], ["1234.00", "1234"]],
    ["en", "25,000", 0, ["25", "25"], ["25000", "25000"]],
    ["en", "25.125", 0, ["25.125", undefined], ["25125", "25125"]],
    ["en", "1,234", 3, ["1.234", "1.234"], ["1234.000", "1234"]],
    ["de", "1.000", 3, ["1.000", "1,000"], ["1000.000", "1000"]],
    ["en", "655.957", undefined, ["655.957", "655.9570"], ["655957", "655957"]],
    ["en", "999,999", 4, ["999.9990", "999.9990"], ["999999.0000", "999999"]],
  ] as const)(
    "in the locale %s, rejects %s with %s decimal places, and names both readings",
    (locale, typed, digits, small, large) => {
      const error = failure(() => parseTypedAmount(typed, { locale, digits }));
      expect(error).toBeInstanceOf(AmbiguousAmountError);
      expect(error).toMatchObject({
        reason: "ambiguous",
        typed,
        small: { value: small[0], unambiguous: small[1] },
        large: { value: large[0], unambiguous: large[1] },
      });
    },
  );

  it("accepts the unambiguous notations that it suggests", () => {
    for (const locale of ["en", "de", "fr", "ar"])
      for (const digits of [0, 2, 3, 4, undefined])
        for (const typed of ["1,000", "1.000", "12,340", "999.999"]) {
          let error: AmountError;
          try {
            parseTypedAmount(typed, { locale, digits });
            continue;
          } catch (caught) {
            error = caught as AmountError;
          }
          if (!(error instanceof AmbiguousAmountError)) throw error;
          for (const { value, unambiguous } of [error.small, error.large]) {
            if (unambiguous === undefined) continue;
            expect(Number(parseTypedAmount(unambiguous, { locale, digits }))).toBe(Number(value));
          }
        }
  });

  it("accepts the page's decimal separator before three digits in a currency with three decimal places", () => {
    expect(parseTypedAmount("1.234", { locale: "en", digits: 3 })).toBe("1.234");
    expect(parseTypedAmount("1,234", { locale: "fr", digits: 3 })).toBe("1.234");
    expect(parseTypedAmount("1,234", { locale: "ar-MA-u-nu-arab", digits: 3 })).toBe("1.234");
  });

  it("accepts three digits after the Arabic decimal separator, which never groups", () => {
    for (const locale of ["ar", "en"])
      for (const digits of [3, undefined])
        expect(parseTypedAmount("١٫٢٣٤", { locale, digits })).toBe("1.234");
  });

  it.each([
    "1,23,456",
    "1,000.50",
    "1.000.50",
    "1..5",
    "1,5.",
    ",5",
    "ten",
    "",
    "1e3",
    "0,123,456.5",
    "EUR 5",
    "1 00",
    "12’34",
    "5\u2212",
    `${"1".repeat(65)}`,
  ])("rejects %s on a German page", (typed) => {
    expect(failure(() => parseTypedAmount(typed, { locale: "de", digits: 2 })).reason).toBe("not_a_number");
  });

  it.each([
    ["1.005,500", 2],
    ["0,500", 2],
    ["1234,560", 2],
    ["10,0", 0],
    ["1 000,00", 0],
  ])("rejects %s with %i decimal places, because trailing zeros count", (typed, digits) => {
    expect(failure(() => parseTypedAmount(typed, { locale: "de", digits })).reason).toBe("too_many_decimals");
  });

  it("reads amounts as Intl formats them in the locale of the page", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, maximumMinorUnits),
        fc.constantFrom(
          "en-GB",
          "en-ZA",
          "de-DE",
          "de-CH",
          "de-AT",
          "fr-FR",
          "fr-CH",
          "es-ES",
          "es-MX",
          "pt-PT",
          "pt-BR",
          "ar-u-nu-latn",
          "ar-MA",
          "ar-EG",
        ),
        (minor, locale) => {
          const plain = formatDecimal(minor, 2);
          const printed = new Intl.NumberFormat(locale, {
            minimumFractionDigits: 2,
            maximumFractionDigits: 2,
          });
          expect(parseTypedAmount(printed.format(plain as `${number}`), { locale, digits: 2 })).toBe(plain);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("listAmountReadings", () => {
  it.each([
    ["1,234.56", ["1234.56"]],
    ["1.234,56", ["1234.56"]],
    ["1\u202f234,56", ["1234.56"]],
    ["41,50", ["41.50"]],
    ["50", ["50"]],
    ["1,000", ["1.000", "1000"]],
    ["1.000", ["1.000", "1000"]],
    ["1,000,000", ["1000000"]],
    ["cart 7", []],
    ["1.2.3", []],
  ])("parses %s as %o", (typed, readings) => {
    expect(listAmountReadings(typed)).toEqual(readings);
  });
});

describe("parseWrittenAmount", () => {
  it.each([
    ["1000.50", undefined, 100_050n],
    ["1000", undefined, 100_000n],
    ["1,500", "1,234.56", 150_000n],
    ["1,234,567.5", "1,234.56", 123_456_750n],
    ["1.500", "1.234,56", 150_000n],
    ["1.500,25", "1.234,56", 150_025n],
    ["12,5", "1.234,56", 1250n],
  ] as const)("parses %s in the notation %s", (text, notation, minor) => {
    expect(parseWrittenAmount(text, 2, notation)).toBe(minor);
  });

  it.each([
    ["1,500", undefined, "not_a_number"],
    ["12,50", undefined, "not_a_number"],
    ["1 500", undefined, "not_a_number"],
    ["1.500", undefined, "too_many_decimals"],
    ["1.500", "1,234.56", "too_many_decimals"],
    ["12,50", "1,234.56", "not_a_number"],
    ["1,500", "1.234,56", "too_many_decimals"],
    ["12.50", "1.234,56", "not_a_number"],
    ["0", undefined, "zero"],
    ["-1", undefined, "negative"],
  ] as const)("rejects %s in the notation %s", (text, notation, reason) => {
    expect(failure(() => parseWrittenAmount(text, 2, notation)).reason).toBe(reason);
  });
});
