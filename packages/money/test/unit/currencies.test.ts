import { describe, expect, it } from "vitest";
import {
  currencies,
  findCurrency,
  getCurrency,
  getDigits,
  getSymbol,
  UnknownCurrencyError,
} from "../../src/index.js";

describe("the currency table", () => {
  it.each([
    ["EUR", 2, "€"],
    ["USD", 2, "$"],
    ["XAF", 0, "FCFA"],
    ["JPY", 0, "¥"],
    ["ISK", 0, "ISK"],
    ["KWD", 3, "KWD"],
    ["TND", 3, "TND"],
    ["CLF", 4, "CLF"],
    ["MGA", 2, "MGA"],
  ])("gives %s %d decimal places and the symbol %s", (code, digits, symbol) => {
    expect(getCurrency(code)).toEqual({ code, digits, symbol });
    expect([getDigits(code), getSymbol(code)]).toEqual([digits, symbol]);
  });

  it("contains unique three-letter codes with 0 to 4 decimal places", () => {
    expect(new Set(currencies.map(({ code }) => code)).size).toBe(currencies.length);
    for (const { code, digits } of currencies) {
      expect(code).toMatch(/^[A-Z]{3}$/);
      expect([0, 2, 3, 4]).toContain(digits);
    }
  });

  it.each(["eur", "EU", "XXX", "HRK", "", "toString"])("rejects %j, with the code in the error", (code) => {
    expect(findCurrency(code)).toBeUndefined();
    expect(() => getDigits(code)).toThrow(UnknownCurrencyError);
    expect(() => getSymbol(code)).toThrow(JSON.stringify(code));
  });
});
