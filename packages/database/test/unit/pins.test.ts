import { describe, expect, it } from "vitest";
import { generatePin, isTrivialPin } from "../../src/secrets.js";

describe("PINs", () => {
  it.each([
    ["a repeated digit", ["000000", "111111", "999999"]],
    ["an ascending sequence", ["012345", "123456", "456789"]],
    ["a descending sequence", ["987654", "654321", "543210"]],
    ["a sequence that wraps around", ["789012", "210987"]],
    ["a pair repeated three times", ["121212", "909090", "474747"]],
    ["three digits repeated twice", ["123123", "507507", "998998"]],
  ])("are trivial: %s", (_, pins) => {
    for (const pin of pins) expect(isTrivialPin(pin), pin).toBe(true);
  });

  it.each(["482915", "135790", "112233", "100000", "246813", "123465", "121213"])(
    "are not trivial: %s",
    (pin) => {
      expect(isTrivialPin(pin)).toBe(false);
    },
  );

  it("are trivial in 1,110 of a million cases", () => {
    let trivial = 0;
    for (let pin = 0; pin < 1_000_000; pin += 1) if (isTrivialPin(String(pin).padStart(6, "0"))) trivial += 1;
    // 1,000 triples (among them the repeated digits), 90 further pairs, 20 runs.
    expect(trivial).toBe(1_110);
  });

  it("are generated with six digits and are not trivial", () => {
    for (let i = 0; i < 5_000; i += 1) {
      const pin = generatePin();
      expect(pin).toMatch(/^\d{6}$/);
      expect(isTrivialPin(pin)).toBe(false);
    }
  });
});
