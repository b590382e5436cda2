import { describe, expect, it } from "vitest";
import { formatDecimal, formatPrice, parseDecimal } from "../../src/amounts.js";

describe("shop amounts", () => {
  const read: [string | number, bigint][] = [
    ["12.50", 1250n],
    ["12.5", 1250n],
    ["12", 1200n],
    [".5", 50n],
    ["1.005", 101n],
    ["1.004", 100n],
    ["-1.005", -101n],
    [" 7 ", 700n],
    [7.5, 750n],
    ["90071992547409.93", 9007199254740993n],
  ];
  for (const [text, minor] of read) {
    it(`are parsed and rounded half away from zero to two decimals: ${text}`, () => {
      expect(parseDecimal(text)).toBe(minor);
    });
  }

  for (const text of ["", ".", "abc", "1,5", "1e3", "0x10", "1.2.3", "12 50", "9".repeat(16)]) {
    it(`are not parsed from "${text}"`, () => {
      expect(parseDecimal(text)).toBeUndefined();
    });
  }

  it("are formatted for REST with the shop's decimals", () => {
    expect([0n, 5n, 1250n, -50n].map(formatDecimal)).toEqual(["0.00", "0.05", "12.50", "-0.50"]);
  });

  it("are formatted exactly beyond the precision of JavaScript numbers", () => {
    expect(formatPrice(9007199254740993n, "EUR")).toBe("€90,071,992,547,409.93");
  });
});
