import { describe, expect, it } from "vitest";
import { checkRate } from "../../../src/money/rates.js";

const known = new Set(["EUR", "USD"]);
const baseRate = { base: "EUR", quote: "USD", rate: "1.0842" };

describe("checkRate", () => {
  it("defaults to no spread and to the current time", () => {
    expect(checkRate({ ...baseRate, spreadPercent: "", effectiveFrom: "" }, known)).toEqual({
      ...baseRate,
      spreadPercent: "0",
      effectiveFrom: null,
    });
  });

  it("accepts a time with a UTC offset, and rejects invalid times and times without an offset", () => {
    expect(checkRate({ ...baseRate, effectiveFrom: "2026-12-01T01:00:00+01:00" }, known)).toMatchObject({
      effectiveFrom: new Date("2026-12-01T00:00:00Z"),
    });
    for (const effectiveFrom of [
      "2026-12-01",
      "2026-12-01T00:00:00",
      "2026-02-30T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-12-01T25:00:00Z",
      "tomorrow",
    ])
      expect(checkRate({ ...baseRate, effectiveFrom }, known)).toEqual([expect.stringContaining("The time")]);
  });

  it.each([
    "0",
    "0.0",
    "-1",
    "1e3",
    "1,08",
    "",
    "abc",
    "1234567890123",
    `0.${"1".repeat(21)}`,
    "0.0000000009",
    "01",
  ])("rejects the rate %s", (rate) => {
    expect(checkRate({ ...baseRate, rate }, known)).toEqual([expect.stringContaining("The rate")]);
  });

  it.each(["1", "0.000000001", "999999999999", `0.${"1".repeat(20)}`])("accepts the rate %s", (rate) => {
    expect(checkRate({ ...baseRate, rate }, known)).toMatchObject({ rate });
  });

  it.each(["100", "-1", "1.1234567", "x"])("rejects the spread %s", (spreadPercent) => {
    expect(checkRate({ ...baseRate, spreadPercent }, known)).toEqual([expect.stringContaining("The spread")]);
  });

  it("reports all errors together", () => {
    expect(checkRate({ base: "XYZ", quote: "XYZ", rate: "x", spreadPercent: "y" }, known)).toHaveLength(4);
  });
});
