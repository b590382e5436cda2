import { describe, expect, it } from "vitest";
import { returnText } from "../../src/browser/return";
import { formatTimeLeft } from "../../src/countdown";

describe("the time left to pay", () => {
  it.each([
    [3_600_000, "60:00"],
    [298_000, "4:58"],
    [60_000, "1:00"],
    [59_001, "1:00"],
    [9_000, "0:09"],
    [1, "0:01"],
    [0, "0:00"],
    [-5000, "0:00"],
  ])("shows %d ms as %s and 0:00 only when it is over", (milliseconds, shown) => {
    expect(formatTimeLeft(milliseconds)).toBe(shown);
  });
});

describe("the way back to the shop", () => {
  it("counts down to zero and no further", () => {
    expect(returnText("You return to Kiosk in {seconds} s.", 3)).toBe("You return to Kiosk in 3 s.");
    expect(returnText("You return to Kiosk in {seconds} s.", -1)).toBe("You return to Kiosk in 0 s.");
  });
});
