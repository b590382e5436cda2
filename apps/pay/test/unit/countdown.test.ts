import { describe, expect, it } from "vitest";
import { fillSeconds } from "../../src/browser/countdown";
import { formatTimeLeft, hasHours } from "../../src/countdown";

describe("formatTimeLeft", () => {
  it.each([
    [298_000, "04:58"],
    [298_001, "04:59"],
    [60_000, "01:00"],
    [59_999, "01:00"],
    [1000, "00:01"],
    [1, "00:01"],
    [0, "00:00"],
    [-5000, "00:00"],
    [600_000, "10:00"],
    [3_600_000, "60:00"],
    [3_600_001, "01:00:01"],
    [86_400_000, "24:00:00"],
  ])("formats %i ms as %s", (milliseconds, shown) => {
    expect(formatTimeLeft(milliseconds)).toBe(shown);
  });

  it("returns the same number of characters from start to end", () => {
    for (const start of [86_400_000, 3_600_000, 600_000, 300_000]) {
      const lengths = [start, 3_599_000, 599_000, 59_000, 0]
        .filter((left) => left <= start)
        .map((left) => formatTimeLeft(left, hasHours(start)).length);
      expect(new Set(lengths).size).toBe(1);
    }
  });
});

describe("fillSeconds", () => {
  it("inserts the seconds, but never fewer than zero", () => {
    expect(fillSeconds("You return to Kiosk in {seconds} s.", 3)).toBe("You return to Kiosk in 3 s.");
    expect(fillSeconds("You return to Kiosk in {seconds} s.", -1)).toBe("You return to Kiosk in 0 s.");
  });
});
